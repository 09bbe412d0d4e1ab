"""How quests, bookings and people are shown: words, badges and names instead of codes and ids."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from crud.listing import Badge
from dynamo.errors import Text
from quests import repository, rules
from quests.models import (
    CANCELLED,
    CLAIMED,
    COMPLETE,
    DISPUTED,
    EXPIRED,
    OPEN,
    SUBMITTED,
    LedgerRow,
    Quest,
)

SOMEBODY = _("Somebody")
BADGES: Mapping[str, str] = {
    OPEN: "active",
    CLAIMED: "scheduled",
    SUBMITTED: "changed",
    COMPLETE: "published",
    DISPUTED: "failed",
    EXPIRED: "archived",
    CANCELLED: "archived",
}
BOOKINGS: Mapping[str, Text] = {
    "start": _("Points to begin with"),
    "create": _("Offered"),
    "refund": _("Point given back"),
    "reward": _("Completed"),
    "adjust": _("Adjusted by a steward"),
}


def names_of(ids: Iterable[str | None]) -> dict[str, Text]:
    """The names of people, in one request; whoever has no account is somebody."""
    wanted = set(filter(None, ids))
    found = repository.accounts.get_many(wanted, fields=("username",)) if wanted else {}
    return {key: found[key].username if key in found else SOMEBODY for key in wanted}


def badge_of(quest: Quest) -> Badge:
    return Badge(BADGES.get(quest.status, "archived"), rules.STATUSES.get(quest.status, quest.status))


def category_of(quest: Quest) -> Text:
    return rules.CATEGORIES.get(quest.category, quest.category)


@dataclass(frozen=True)
class BookingRow:
    """One row of the ledger in words."""

    what: Text
    about: str
    quest_id: str | None
    by: Text
    points: int
    experience: int
    reputation: int
    at: datetime


def booking_rows(rows: Iterable[LedgerRow]) -> list[BookingRow]:
    """Who adjusted somebody's points is named."""
    rows = list(rows)
    names = names_of(row.actor_id for row in rows if row.kind == "adjust")
    return [
        BookingRow(
            what=BOOKINGS.get(row.kind, row.kind),
            about=row.note or "",
            quest_id=row.quest_id,
            by=names.get(row.actor_id or "", ""),
            points=int(row.points),
            experience=int(row.experience),
            reputation=int(row.reputation),
            at=row.at,
        )
        for row in rows
    ]
