"""The order of a pick list, and operations on it. Pure functions; nothing is stored."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Invalid, Text
from scouting.events.event import ScoutedEvent
from scouting.keys import team_key, team_order
from scouting.selection import merge as pick_merge
from scouting.selection.merge import SORTED, Order
from scouting.selection.models import COLUMNS, DO_NOT_PICK, FIRST, SECOND, THIRD, UNSORTED

TITLES: dict[str, Text] = {
    UNSORTED: _("Unsorted"),
    FIRST: _("R1"),
    SECOND: _("R2"),
    THIRD: _("R3"),
    DO_NOT_PICK: _("Do not pick"),
}
BY_NUMBER, BY_RANK, BY_SCORE = "number", "rank", "score"
# Of the 24 robots of the playoffs, the last choice is ours: 23 are gone by then.
GONE_BEFORE_THE_LAST_ROUND = 23
MOST_TEAMS = 300
NO_RANK = 10_000
NOT_LISTED = _("This team is not on the list.")


@dataclass(frozen=True)
class Pick:
    """A team in its column; `taken` if it is in an alliance already."""

    number: str
    name: str = ""
    rank: int = 0
    column: str = UNSORTED
    taken: bool = False
    # Whether the team is no longer in the event.
    has_left: bool = False

    @property
    def label(self) -> str:
        return f"{self.number} {self.name}".strip()

    @property
    def as_sent(self) -> str:
        """The value in the form, without `taken`, which the form cannot change."""
        return f"{self.number}:{self.column}"


Picks = tuple[Pick, ...]


def from_stored(teams: Iterable[Mapping[str, Any]]) -> Picks:
    return tuple(
        Pick(
            number=str(team["teamNumber"]),
            name=str(team.get("teamName") or ""),
            rank=int(team.get("rank") or 0),
            column=team["columnId"] if team.get("columnId") in COLUMNS else UNSORTED,
            taken=bool(team.get("taken")),
        )
        for team in teams
    )


def to_stored(picks: Picks, before: Iterable[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """The maps to store. What other programs have in theirs `before` stays."""
    known = {str(team["teamNumber"]): team for team in before}
    return [_as_stored(pick, known.get(pick.number, {})) for pick in picks]


def _as_stored(pick: Pick, before: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in before.items() if name != "taken"}
    number = {"teamNumber": pick.number} | kept
    return number | {"teamName": pick.name, "rank": pick.rank, "columnId": pick.column}


def from_form(sent: Iterable[str]) -> Picks:
    """The order from the posted values, each team once."""
    picks: dict[str, Pick] = {}
    for text in sent:
        number, _colon, rest = text.partition(":")
        # A page from before an update also posts `taken`, which is ignored.
        column = rest.partition(":")[0]
        if column not in COLUMNS:
            raise Invalid
        pick = Pick(team_key(number), column=column)
        picks.setdefault(pick.number, pick)
    if len(picks) > MOST_TEAMS:
        raise Invalid
    return tuple(picks.values())


def refreshed(picks: Picks, event: ScoutedEvent) -> Picks:
    """With current names and ranks; new teams of the event are unsorted.

    Teams that left the event stay only if they were sorted, so that nothing vanishes from a round.
    """
    numbers = event.team_numbers
    known = {pick.number for pick in picks}
    found = []
    for pick in (*picks, *(Pick(number) for number in numbers if number not in known)):
        # While the event has no teams yet, no team counts as gone.
        has_left = bool(numbers) and pick.number not in numbers
        if not has_left or pick.column != UNSORTED:
            team = event.team(pick.number)
            name, rank = team.name or pick.name, team.rank or pick.rank
            found.append(replace(pick, name=name, rank=rank, has_left=has_left))
    return tuple(found)


def in_column(picks: Picks, column: str) -> list[Pick]:
    return [pick for pick in picks if pick.column == column]


def moved(picks: Picks, number: str, column: str, place: int = 0) -> Picks:
    """Move a team to the top of a column, or to `place`."""
    pick = replace(_find(picks, number), column=column)
    others = [each for each in picks if each.number != number]
    before = in_column(tuple(others), column)[max(place, 0) :]
    at = others.index(before[0]) if before else len(others)
    return (*others[:at], pick, *others[at:])


def shifted(picks: Picks, number: str, step: int) -> Picks:
    """Move a team up or down within its column; no effect at its end."""
    pick = _find(picks, number)
    place = in_column(picks, pick.column).index(pick)
    return moved(picks, number, pick.column, max(place + step, 0))


def with_taken(picks: Picks, taken: Collection[str]) -> Picks:
    """The list with exactly these teams taken."""
    return tuple(replace(pick, taken=pick.number in taken) for pick in picks)


def order_of(picks: Picks) -> Order:
    """The columns, each from the top, without unsorted teams."""
    return {column: tuple(pick.number for pick in in_column(picks, column)) for column in SORTED}


def arranged(picks: Picks, order: Order) -> Picks:
    """The same teams in another order; teams without a place in it become unsorted."""
    by_number = {pick.number: pick for pick in picks}
    sorted_ones = {number: column for column in SORTED for number in order.get(column, ())}
    placed = [
        replace(by_number.get(number, Pick(number)), column=column) for number, column in sorted_ones.items()
    ]
    unsorted = [replace(pick, column=UNSORTED) for pick in picks if pick.number not in sorted_ones]
    return (*placed, *unsorted)


def order_from_form(text: str) -> Order:
    """An order from a form field, each team once."""
    columns: dict[str, str] = {}
    for number, column in pick_merge.pairs(text):
        if column not in SORTED:
            raise Invalid
        columns.setdefault(team_key(number), column)
    if len(columns) > MOST_TEAMS:
        raise Invalid
    return {each: tuple(number for number in columns if columns[number] == each) for each in SORTED}


def with_unsorted_by(picks: Picks, by: str, scores: Mapping[str, float]) -> Picks:
    """The list with its unsorted teams ordered by number, rank or weighted score."""

    def order(pick: Pick) -> Any:
        number = team_order(pick.number)
        if by == BY_RANK:
            return pick.rank or NO_RANK, number
        if by == BY_SCORE:
            return -scores.get(pick.number, float("-inf")), number
        return number

    unsorted = sorted(in_column(picks, UNSORTED), key=order)
    return (*unsorted, *(pick for pick in picks if pick.column != UNSORTED))


def seeded(picks: Picks, scores: Mapping[str, float], most: int) -> Picks:
    """Append the best free unsorted teams to the first column."""
    free = [pick for pick in in_column(picks, UNSORTED) if not pick.taken]
    scored = [pick for pick in free if pick.number in scores]
    best = sorted(scored, key=lambda pick: (-scores[pick.number], team_order(pick.number)))[: max(most, 0)]
    for pick in best:
        picks = moved(picks, pick.number, FIRST, len(picks))
    return picks


def room_in_the_last_round(picks: Picks) -> int:
    here = [pick for pick in picks if not pick.has_left]
    return max(len(here) - GONE_BEFORE_THE_LAST_ROUND, 0)


def _find(picks: Picks, number: str) -> Pick:
    for pick in picks:
        if pick.number == number:
            return pick
    raise Invalid(NOT_LISTED)
