"""Parses teams and matches typed as text, one per line; errors name the number of their line."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import DataError, Invalid, Text
from scouting.events.event import ROBOTS_OF_AN_ALLIANCE, Alliance, Match, Team, open_places
from scouting.keys import HIGHEST_MATCH, team_key

T = TypeVar("T")
MATCH = re.compile(r"(\d{1,4})\s*[:.]([^-=]+)-([^-=]+)(?:=\s*(\d{1,4})\s*-\s*(\d{1,4}))?")
MOST_TEAMS, MOST_MATCHES = 200, 300
MOST_PROBLEMS = 20
# Stands for a place whose team is not known yet.
OPEN = "?"
# Follows the number of a disqualified team.
DISQUALIFIED = "!"


class BadLines(DataError):
    """The errors, each with the line that it is about."""

    status_code = 422

    def __init__(self, problems: list[Text]) -> None:
        super().__init__(problems[0])
        self.problems = problems[:MOST_PROBLEMS]


# --- Teams: 254 The Cheesy Poofs | San Jose ----------------------------------------------------------------


def team_lines(teams: Iterable[Team]) -> str:
    return "\n".join(map(_team_line, teams))


def _team_line(team: Team) -> str:
    return f"{team.label} | {team.place}" if team.place else team.label


def teams_in(text: str, known: Mapping[str, Team]) -> tuple[Team, ...]:
    """The typed teams; rank and record are taken from the `known` ones."""

    # A fetched name may contain a bar, so an unchanged line is not parsed again.
    unchanged = {_team_line(team): team for team in known.values()}

    def team(line: str) -> Team:
        if line in unchanged:
            return unchanged[line]
        named, _bar, place = line.partition("|")
        number, _space, name = named.strip().partition(" ")
        typed = Team(team_key(number), name.strip(), place.strip())
        stored = known.get(typed.number)
        return replace(typed, rank=stored.rank, record=stored.record) if stored else typed

    return _lines(text, team, lambda team: team.number, MOST_TEAMS)


# --- Matches: 1: 254 1678 20 - 2053 2095 254B = 45 - 60 -----------------------------------------------------


def match_lines(matches: Iterable[Match]) -> str:
    return "\n".join(map(_match_line, matches))


def _match_line(match: Match) -> str:
    red, blue = (" ".join(_places(alliance)) or OPEN for alliance in (match.red, match.blue))
    teams = f"{match.number}: {red} - {blue}"
    return f"{teams} = {match.red.score} - {match.blue.score}" if match.was_played else teams


def _places(alliance: Alliance) -> Iterator[str]:
    for team in alliance.places:
        yield f"{team}{DISQUALIFIED}" if team in alliance.disqualified else team or OPEN


def matches_in(text: str, known: Mapping[int, Match]) -> tuple[Match, ...]:
    """The typed matches. An alliance with the same teams and score keeps its official data."""

    def match(line: str) -> Match:
        found = MATCH.fullmatch(line)
        if not found:
            raise Invalid(_("Enter a match as “1: 254 1678 20 - 2053 2095 254B”."))
        number = int(found[1])
        if not 1 <= number <= HIGHEST_MATCH:
            raise Invalid(_("Match numbers go from 1 to 1000."))
        stored = known.get(number, Match(number))
        red, blue = _alliance(found[2], found[4], stored.red), _alliance(found[3], found[5], stored.blue)
        if len({*red.teams, *blue.teams}) < len(red.teams) + len(blue.teams):
            raise Invalid(_("A team is listed twice."))
        return replace(stored, red=red, blue=blue)

    return _lines(text, match, lambda match: match.number, MOST_MATCHES)


def _alliance(teams: str, score: str | None, stored: Alliance) -> Alliance:
    places = [each for each in re.split(r"[\s,]+", teams) if each]
    if not 1 <= len(places) <= ROBOTS_OF_AN_ALLIANCE:
        raise Invalid(_("An alliance has one to three teams."))
    keys = ["" if each == OPEN else team_key(each.removesuffix(DISQUALIFIED)) for each in places]
    typed = Alliance(
        teams=tuple(filter(None, keys)),
        score=None if score is None else int(score),
        disqualified=tuple(
            key for each, key in zip(places, keys, strict=True) if each.endswith(DISQUALIFIED)
        ),
        open_places=open_places(keys),
    )
    if (typed.places, typed.score) != (stored.places, stored.score):
        return typed
    return replace(stored, disqualified=typed.disqualified)


# --- Lines --------------------------------------------------------------------------------------------------


def _lines(text: str, read: Callable[[str], T], key: Callable[[T], object], most: int) -> tuple[T, ...]:
    found: dict[object, T] = {}
    problems: list[Text] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            item = read(line.strip())
            if key(item) in found:
                raise Invalid(_("This is already in the list."))
            found[key(item)] = item
        except Invalid as error:
            problems.append(_("Line %(number)d: %(problem)s") % {"number": number, "problem": error.message})
    if len(found) > most:
        problems.append(_("Enter at most %(most)d lines.") % {"most": most})
    if problems:
        raise BadLines(problems)
    return tuple(found.values())
