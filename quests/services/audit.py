"""Audit: compare accounts and monthly scores with the ledger."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from quests import repository
from quests.models import Account, LedgerRow
from quests.repository.ledger import ELSEWHERE, figures_of, months_of

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


class Audited(NamedTuple):
    """The figures of an account that differ from the ledger, as sentences, and what others have booked."""

    differences: Sequence[str]
    elsewhere: int


def audited(key: str) -> Audited:
    for _time in range(MOST_READS):
        account, rows = repository.accounts.get(key, strong=True), repository.ledger.booked(key)
        figures = _figures(account, rows)
        found = [
            f"{account.username} has {stored} {label}, but the ledger says {booked}."
            for label, stored, booked in figures
            if stored != booked
        ]
        if not found or repository.accounts.get(key, strong=True).updated_at == account.updated_at:
            break
    return Audited(found, sum(1 for row in rows if row.kind == ELSEWHERE))


def _figures(account: Account, rows: list[LedgerRow]) -> Iterator[tuple[str, int, Any]]:
    """Each figure as it is stored and as it was booked: those of the account, then those of its months."""
    for figure, booked in figures_of(rows).items():
        yield FIGURE_LABELS[figure], int(getattr(account, figure) or 0), booked
    months = months_of(rows)
    scores = {score.month: score for score in repository.ledger.scores(account.id)}
    for month in sorted({*months, *scores}):
        for figure, label in MONTHLY_FIGURE_LABELS.items():
            stored = int(getattr(scores.get(month), figure, 0) or 0)
            earned = months[month][figure] if month in months else 0
            yield f"{label} on the leaderboard of {month}", stored, earned
