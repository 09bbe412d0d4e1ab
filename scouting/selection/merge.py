"""Two orders of a pick list that were made out of the same one become one: plain values, nothing is stored.

`merged(base, mine, theirs)` takes over what each side moved since `base`. A team is moved if it is in another
column, or if it is not among the largest number of teams of its column that kept their order. What is not
moved stays, in its order; a moved team comes behind the same one of these as where it was put.

It is a clash where both sides moved one team to different places, or different teams to the same place: the
`winner` is followed, or stands first, and `clashes` names the teams. All else is taken from both sides.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scouting.selection.models import COLUMNS, UNSORTED

# The teams of each column from its top; whoever is in none is unsorted, which is no order.
Order = Mapping[str, tuple[str, ...]]
SORTED = tuple(column for column in COLUMNS if column != UNSORTED)
MINE, THEIRS = "mine", "theirs"


@dataclass(frozen=True)
class Merge:
    """`clashes` are the teams about which the two sides do not agree."""

    order: Order
    clashes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sides:
    """One column of both sides, of the teams only that belong there in the end."""

    base: Sequence[str]
    mine: Sequence[str]
    theirs: Sequence[str]


def merged(base: Order, mine: Order, theirs: Order, *, winner: str = MINE) -> Merge:
    """What both sides made of `base`; the same whoever comes first, as long as nothing clashes."""
    columns: dict[str, str] = {}
    clashes: list[str] = []
    was, is_mine, is_theirs = _columns(base), _columns(mine), _columns(theirs)
    for team in dict.fromkeys((*was, *is_mine, *is_theirs)):
        before, here, there = (each.get(team, UNSORTED) for each in (was, is_mine, is_theirs))
        if here != there and before not in (here, there):
            clashes.append(team)
        is_ours = there == before or (here != before and winner == MINE)
        columns[team] = here if is_ours else there
    order: dict[str, tuple[str, ...]] = {}
    for column in SORTED:
        sides = Sides(
            *(
                [team for team in each.get(column, ()) if columns[team] == column]
                for each in (base, mine, theirs)
            )
        )
        order[column], unclear = _sequence(sides, decided=clashes, winner=winner)
        clashes += unclear
    return Merge(order, tuple(dict.fromkeys(clashes)))


def _sequence(sides: Sides, *, decided: Collection[str], winner: str) -> tuple[tuple[str, ...], list[str]]:
    """The order of one column, and the teams of which it is not clear; `decided` clash for another reason."""
    mine, theirs = sides.mine, sides.theirs
    moved_here, moved_there = _moved(sides.base, mine), _moved(sides.base, theirs)
    stayed = {team for team in mine if team in theirs} - moved_here - moved_there
    both = moved_here & moved_there
    agreed = _agreed(mine, theirs, stayed, both)
    unclear = [team for team in mine if team in both - agreed]
    # A team that both sides moved to different places is where the winner has it.
    followed_here = moved_here - agreed - (both if winner == THEIRS else set())
    followed_there = moved_there - agreed - (both if winner == MINE else set())
    anchors = [team for team in mine if team in stayed or team in agreed]
    gaps_here, gaps_there = _gaps(mine, anchors, followed_here), _gaps(theirs, anchors, followed_there)
    found: list[str] = []
    for anchor, here, there in zip((*anchors, None), gaps_here, gaps_there, strict=True):
        unsure = [
            [team for team in each if team not in both and team not in decided] for each in (here, there)
        ]
        if all(unsure):
            unclear += unsure[0] + unsure[1]
        found += here + there if winner == MINE else there + here
        found += [anchor] if anchor else []
    return tuple(found), unclear


def _columns(order: Order) -> dict[str, str]:
    return {team: column for column in SORTED for team in order.get(column, ())}


def _moved(base: Sequence[str], side: Sequence[str]) -> set[str]:
    """The fewest teams that have to be put elsewhere to make the order of a side out of that of the base."""
    place = {team: index for index, team in enumerate(base)}
    return set(side) - _longest_rising([team for team in side if team in place], place)


def _longest_rising(teams: Sequence[str], place: Mapping[str, int]) -> set[str]:
    """The most teams that are in the order of their places; of several such sets always the same one."""
    # For each length, the lowest place with which such a row ends and its team; the one before each team.
    lowest: list[int] = []
    ends: list[str] = []
    before: dict[str, str | None] = {}
    for team in teams:
        length = bisect_left(lowest, place[team])
        before[team] = ends[length - 1] if length else None
        lowest[length : length + 1] = [place[team]]
        ends[length : length + 1] = [team]
    found: set[str] = set()
    last = ends[-1] if ends else None
    while last is not None:
        found.add(last)
        last = before[last]
    return found


def _agreed(mine: Sequence[str], theirs: Sequence[str], stayed: Collection[str], both: set[str]) -> set[str]:
    """The teams that both sides moved behind the same one that stayed, in the same order."""
    here, there = (_gaps(side, [team for team in side if team in stayed], both) for side in (mine, theirs))
    agreed: set[str] = set()
    for ours, others in zip(here, there, strict=True):
        common = [team for team in ours if team in others]
        if common == [team for team in others if team in ours]:
            agreed.update(common)
    return agreed


def _gaps(side: Sequence[str], anchors: Collection[str], wanted: Collection[str]) -> list[list[str]]:
    """The wanted teams of a side before each anchor, and behind the last one."""
    gaps: list[list[str]] = [[]]
    for team in side:
        if team in anchors:
            gaps.append([])
        elif team in wanted:
            gaps[-1].append(team)
    return gaps


def written(order: Order) -> str:
    """How a form or an address carries an order: r1.254.1678_r2.20."""
    return "_".join(".".join((column, *order[column])) for column in SORTED if order.get(column))


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """The teams of an order that a form carries, from the top, each with its column."""
    for part in filter(None, text.split("_")):
        column, *teams = part.split(".")
        for team in teams:
            yield team, column
