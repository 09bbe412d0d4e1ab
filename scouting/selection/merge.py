"""Three-way merge of two orders of a pick list. Pure functions; nothing is stored.

`merged(base, mine, theirs)` applies what each side moved since `base`. A team counts as moved if it is in
another column, or if it is not in the longest common subsequence of its column. Teams that were not moved
keep their order; a moved team is placed after the same unmoved team as on its side.

It is a clash if both sides moved one team to different places, or different teams to the same place: the
place of the `winner` is used, or its team comes first, and `clashes` names the teams. All other moves of
both sides are applied.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scouting.selection.models import COLUMNS, UNSORTED

# The teams of each column from the top. Unsorted teams are not included.
Order = Mapping[str, tuple[str, ...]]
SORTED = tuple(column for column in COLUMNS if column != UNSORTED)
MINE, THEIRS = "mine", "theirs"


@dataclass(frozen=True)
class Merge:
    """The merged order; `clashes` are the teams on which the two sides disagree."""

    order: Order
    clashes: tuple[str, ...] = ()


def merged(base: Order, mine: Order, theirs: Order, *, winner: str = MINE) -> Merge:
    """The merge of both sides; symmetric if there are no clashes."""
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
        sides = (
            [team for team in each.get(column, ()) if columns[team] == column]
            for each in (base, mine, theirs)
        )
        order[column], unclear = _sequence(*sides, decided=clashes, winner=winner)
        clashes += unclear
    return Merge(order, tuple(dict.fromkeys(clashes)))


def _sequence(
    base: Sequence[str],
    mine: Sequence[str],
    theirs: Sequence[str],
    *,
    decided: Collection[str],
    winner: str,
) -> tuple[tuple[str, ...], list[str]]:
    """The order of one column, of the teams that belong there after the merge, and its clashes.

    Teams in `decided` already clash by column.
    """
    moved_here, moved_there = _moved(base, mine), _moved(base, theirs)
    stayed = {team for team in mine if team in theirs} - moved_here - moved_there
    both = moved_here & moved_there
    agreed = _agreed(mine, theirs, stayed, both)
    unclear = [team for team in mine if team in both - agreed]
    # A team that both sides moved to different places follows the winner.
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
    """The smallest set of teams whose moves turn the order of base into that of the side."""
    place = {team: index for index, team in enumerate(base)}
    return set(side) - _longest_rising([team for team in side if team in place], place)


def _longest_rising(teams: Sequence[str], place: Mapping[str, int]) -> set[str]:
    """The longest increasing subsequence of the teams by place; deterministic if there are several."""
    # For each length, the lowest last place and its team; `before` has the predecessor of each team.
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
    """The teams that both sides moved after the same unmoved team, in the same order."""
    here, there = (_gaps(side, [team for team in side if team in stayed], both) for side in (mine, theirs))
    agreed: set[str] = set()
    for ours, others in zip(here, there, strict=True):
        common = [team for team in ours if team in others]
        if common == [team for team in others if team in ours]:
            agreed.update(common)
    return agreed


def _gaps(side: Sequence[str], anchors: Collection[str], wanted: Collection[str]) -> list[list[str]]:
    """The wanted teams of a side before each anchor, and after the last one."""
    gaps: list[list[str]] = [[]]
    for team in side:
        if team in anchors:
            gaps.append([])
        elif team in wanted:
            gaps[-1].append(team)
    return gaps


def written(order: Order) -> str:
    """An order as text in a form or URL: r1.254.1678_r2.20."""
    return "_".join(".".join((column, *order[column])) for column in SORTED if order.get(column))


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """The pairs of team and column in such a text, from the top."""
    for part in filter(None, text.split("_")):
        column, *teams = part.split(".")
        for team in teams:
            yield team, column
