"""Context for the board of the pick list."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scouting.analysis.pages import MOST_COMPARED
from scouting.selection import merge as pick_merge
from scouting.selection import pick_list
from scouting.selection.merge import Order
from scouting.selection.models import COLUMNS, DO_NOT_PICK, THIRD, UNSORTED
from scouting.selection.pick_list import BY_NUMBER, TITLES, Pick, Picks
from scouting.selection.services import Saved


@dataclass(frozen=True)
class Column:
    key: str
    title: str
    picks: list[Pick]
    # How many teams it has room for, if known.
    room: int | None = None
    to_compare: str = ""
    # The rendered picks.
    cards: list[SafeString] = field(default_factory=list)


@dataclass(frozen=True)
class Board:
    """The order on an open page, saved or not.

    `base` is the saved order on which it is based; `saved` is the currently saved list,
    maybe by somebody else.
    """

    picks: Picks
    base: Order
    saved: Saved
    sort: str = BY_NUMBER
    # The text of the status message, and the id of the element to focus.
    said: str = ""
    focus: str = ""

    @property
    def is_changed(self) -> bool:
        return pick_list.order_of(self.picks) != self.base

    @property
    def is_behind(self) -> bool:
        """Whether somebody else has saved another order since."""
        return self.saved.order != self.base

    @property
    def written_base(self) -> str:
        return pick_merge.written(self.base)


def columns_of(picks: Picks) -> list[Column]:
    columns = []
    for key in COLUMNS:
        found = pick_list.in_column(picks, key)
        free = [pick.number for pick in found if not pick.taken][:MOST_COMPARED]
        to_compare = urlencode({"team": free}, doseq=True) if len(free) > 1 else ""
        room = pick_list.room_in_the_last_round(picks) if key == THIRD else None
        columns.append(Column(key, str(TITLES[key]), found, room, to_compare))
    return columns


def filled_columns(picks: Picks) -> list[Column]:
    """The columns for file and print: unsorted teams if any, and the rounds without "do not pick"."""
    columns = [column for column in columns_of(picks) if column.key != DO_NOT_PICK]
    return [column for column in columns if column.picks or column.key != UNSORTED]


def disagreements(numbers: Iterable[str], mine: Order, theirs: Order) -> list[dict[str, str]]:
    """The teams with their places on both sides, as text."""
    return [
        {"number": number, "mine": _place_in(mine, number), "theirs": _place_in(theirs, number)}
        for number in numbers
    ]


def _place_in(order: Order, number: str) -> str:
    for column, teams in order.items():
        if number in teams:
            place = {"column": TITLES[column], "place": teams.index(number) + 1}
            return _("%(column)s, number %(place)d") % place
    return str(TITLES[UNSORTED])
