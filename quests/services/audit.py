"""Audit: compare accounts and monthly scores with the ledger."""

from collections.abc import Iterator, Mapping
from typing import Any

from quests import repository
from quests.models import Account, LedgerRow
from quests.repository.ledger import figures_of, months_of

# The board is in use during an audit, so figures may change between two reads.
MOST_READS = 5
FIGURE_LABELS: Mapping[str, str] = {
    "points": "points",
    "experience": "XP",
    "reputation": "reputation",
    "quests_created": "quests offered",
    "quests_completed": "quests completed",
}
MONTHLY_FIGURE_LABELS: Mapping[str, str] = {"experience": "XP", "quests_completed": "quests"}


def differences(key: str) -> list[str]:
    """The figures of an account that differ from the ledger, as sentences."""
    found: list[str] = []
    for _time in range(MOST_READS):
        account = repository.accounts.get(key, strong=True)
        rows = repository.ledger.booked(key)
        found = [*_account_differences(account, rows), *_month_differences(account, rows)]
        if not found or repository.accounts.get(key, strong=True).updated_at == account.updated_at:
            break
    return found


def _account_differences(account: Account, rows: list[LedgerRow]) -> Iterator[str]:
    for figure, booked in figures_of(rows).items():
        has = int(getattr(account, figure) or 0)
        if has != booked:
            yield _message(account, has, FIGURE_LABELS[figure], booked)


def _month_differences(account: Account, rows: list[LedgerRow]) -> Iterator[str]:
    booked = months_of(rows)
    scores = {score.month: score for score in repository.ledger.scores(account.id)}
    for month in sorted({*booked, *scores}):
        for figure, title in MONTHLY_FIGURE_LABELS.items():
            has = int(getattr(scores.get(month), figure, 0) or 0)
            earned = booked[month][figure] if month in booked else 0
            if has != earned:
                yield _message(account, has, f"{title} on the leaderboard of {month}", earned)


def _message(account: Account, has: Any, figure: str, booked: Any) -> str:
    return f"{account.username} has {has} {figure}, but the ledger says {booked}."
