"""Whether every account, and every month of the leaderboard, has what the ledger says."""

from collections.abc import Iterator, Mapping
from typing import Any

from quests import repository
from quests.models import Account, LedgerRow
from quests.repository.ledger import figures_of, months_of

# The board is in use while it is audited.
MOST_READS = 5
FIGURES: Mapping[str, str] = {
    "points": "points",
    "experience": "XP",
    "reputation": "reputation",
    "quests_created": "quests offered",
    "quests_completed": "quests completed",
}
MONTHLY: Mapping[str, str] = {"experience": "XP", "quests_completed": "quests"}


def differences(key: str) -> list[str]:
    """What is not as the ledger says, in words; what is booked between two reads makes no difference."""
    found: list[str] = []
    for _time in range(MOST_READS):
        account = repository.accounts.get(key, strong=True)
        rows = repository.ledger.booked(key)
        found = [*_of_account(account, rows), *_of_months(account, rows)]
        if not found or repository.accounts.get(key, strong=True).updated_at == account.updated_at:
            break
    return found


def _of_account(account: Account, rows: list[LedgerRow]) -> Iterator[str]:
    for figure, booked in figures_of(rows).items():
        has = int(getattr(account, figure) or 0)
        if has != booked:
            yield _told(account, has, FIGURES[figure], booked)


def _of_months(account: Account, rows: list[LedgerRow]) -> Iterator[str]:
    booked = months_of(rows)
    shown = {score.month: score for score in repository.ledger.scores(account.id)}
    for month in sorted({*booked, *shown}):
        for figure, title in MONTHLY.items():
            has = int(getattr(shown.get(month), figure, 0) or 0)
            earned = booked[month][figure] if month in booked else 0
            if has != earned:
                yield _told(account, has, f"{title} on the leaderboard of {month}", earned)


def _told(account: Account, has: Any, figure: str, booked: Any) -> str:
    return f"{account.username} has {has} {figure}, but the ledger says {booked}."
