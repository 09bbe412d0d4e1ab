"""The matches of the demo: a schedule in which everybody plays equally often, and how the matches ended."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from scouting.demo import robots
from scouting.demo.robots import Values
from scouting.events.event import ROBOTS_OF_AN_ALLIANCE, Alliance, Match
from scouting.games.definition import Game

ROBOTS = 2 * ROBOTS_OF_AN_ALLIANCE
FOULS = (0, 0, 0, 5, 5, 10, 15)
A_WIN, A_TIE = 3, 1
# How much of its usual game a robot plays when something goes wrong.
HURT = 0.35
GOES_WRONG = 0.07


@dataclass(frozen=True)
class Deed:
    """What a robot really did in a match."""

    values: Values
    critical: str = ""
    came: bool = True


Deeds = dict[tuple[int, str], Deed]


def plan(key: str, teams: Sequence[str], rounds: int) -> list[Match]:
    """In each round everybody plays once, and nobody in two matches in a row."""
    chance = Random(f"plan/{key}")
    order: list[str] = []
    for _round in range(rounds):
        coming = chance.sample(teams, len(teams))
        while set(coming[:ROBOTS]) & set(order[-ROBOTS:]):
            chance.shuffle(coming)
        order += coming
    return [
        Match(number, red=Alliance(tuple(six[:3])), blue=Alliance(tuple(six[3:])))
        for number, six in enumerate(_sixes(order), 1)
    ]


def _sixes(order: Sequence[str]) -> Iterator[Sequence[str]]:
    return (order[first : first + ROBOTS] for first in range(0, len(order), ROBOTS))


def deeds(key: str, game: Game, matches: Sequence[Match], absent: tuple[int, str]) -> Deeds:
    """What happened in these matches; the robot `absent` did not come."""
    return {
        (match.number, team): (
            Deed(robots.nothing(game), came=False)
            if (match.number, team) == absent
            else _deed(game, team, Random(f"deed/{key}/{match.number}/{team}"))
        )
        for match in matches
        for team in match.teams
    }


def _deed(game: Game, team: str, chance: Random) -> Deed:
    critical = chance.choice(game.criticals) if chance.random() < GOES_WRONG else ""
    # A red card would take away the whole alliance's score.
    critical = "Robot Died" if critical == "Red Card" else critical
    skill = robots.skill_of(team) * (HURT if critical else 1)
    return Deed(robots.answers(game, skill, chance), critical)


def ended(key: str, game: Game, match: Match, done: Deeds) -> Match:
    """A match with its official score: what its robots did, and what the fouls of the others gave."""
    chance = Random(f"fouls/{key}/{match.number}")
    red, blue = (
        robots.official(game, [done[match.number, team].values for team in side.teams], chance.choice(FOULS))
        for side in (match.red, match.blue)
    )
    scores = red["totalPoints"], blue["totalPoints"]
    red["rp"] += _for_the_result(*scores)
    blue["rp"] += _for_the_result(*reversed(scores))
    return replace(
        match,
        red=replace(match.red, score=scores[0], official=red),
        blue=replace(match.blue, score=scores[1], official=blue),
    )


def _for_the_result(own: int, other: int) -> int:
    return A_WIN if own > other else A_TIE * (own == other)
