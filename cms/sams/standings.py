"""Computation of a league's table from its played matches, by the association's rules."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

CLEAR_WIN, NARROW_WIN, NARROW_LOSS, CLEAR_LOSS = 3, 2, 1, 0


class Played(NamedTuple):
    """A match with its result: sets and balls of the first and the second team."""

    teams: tuple[str, str]
    sets: tuple[int, int]
    balls: tuple[int, int] = (0, 0)


@dataclass
class Standing:
    team: str
    rank: int = 0
    played: int = 0
    points: int = 0
    wins: int = 0
    losses: int = 0
    sets_won: int = 0
    sets_lost: int = 0
    balls_won: int = 0
    balls_lost: int = 0

    def add(self, *, sets: tuple[int, int], balls: tuple[int, int]) -> None:
        self.played += 1
        self.points += points_for(*sets)
        self.wins += sets[0] > sets[1]
        self.losses += sets[0] < sets[1]
        self.sets_won += sets[0]
        self.sets_lost += sets[1]
        self.balls_won += balls[0]
        self.balls_lost += balls[1]

    @property
    def order(self) -> tuple[object, ...]:
        """Sort key, higher is better: points, wins, set quotient, ball quotient."""
        return (
            self.points,
            self.wins,
            _quotient(self.sets_won, self.sets_lost),
            _quotient(self.balls_won, self.balls_lost),
        )


def points_for(won: int, lost: int) -> int:
    """3:0 and 3:1 are worth three points, 3:2 two, 2:3 one."""
    is_narrow = abs(won - lost) == 1
    if won > lost:
        return NARROW_WIN if is_narrow else CLEAR_WIN
    return NARROW_LOSS if is_narrow else CLEAR_LOSS


def standings(matches: Iterable[Played]) -> list[Standing]:
    """The table, best first; teams with equal values share a rank and are sorted by name."""
    by_team: dict[str, Standing] = {}
    for match in matches:
        for team, sets, balls in (
            (match.teams[0], match.sets, match.balls),
            (match.teams[1], match.sets[::-1], match.balls[::-1]),
        ):
            by_team.setdefault(team, Standing(team)).add(sets=sets, balls=balls)
    table = sorted(by_team.values(), key=lambda standing: standing.team)
    table.sort(key=lambda standing: standing.order, reverse=True)
    for place, standing in enumerate(table, start=1):
        standing.rank = place
    for above, below in pairwise(table):
        if below.order == above.order:
            below.rank = above.rank
    return table


def _quotient(won: int, lost: int) -> tuple[bool, Fraction]:
    """The exact quotient as a sort key; a team that has lost none comes above all others."""
    if lost == 0:
        return won > 0, Fraction(won)
    return False, Fraction(won, lost)
