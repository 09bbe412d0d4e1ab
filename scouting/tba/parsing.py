"""Parses events with their teams and matches from the JSON of The Blue Alliance."""

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, TypeVar
from zoneinfo import available_timezones

from django.utils.translation import gettext_lazy as _

from core.dynamo.attributes import to_iso
from core.dynamo.errors import Invalid
from scouting.events import event as events
from scouting.events.event import BLUE, RED, ROBOTS_OF_AN_ALLIANCE, Alliance, Match, Playoff, Team
from scouting.keys import HIGHEST_MATCH, full_event_key, team_key, team_order, whole

M = TypeVar("M", bound=Match)
QUALIFICATION = "qm"
# Keys that stand for a missing team or an open place.
NOBODY = "frc0"
# Upper bounds for stored data; no real event comes near them.
MOST_TEAMS, MOST_MATCHES, MOST_PLAYOFFS, MOST_VIDEOS = 200, 300, 60, 5
MOST_ROBOT_FACTS = 4
LONGEST_NAME, LONGEST_VIDEO, LONGEST_WORD = 120, 40, 20
# Names of texts about a single robot end with its place: endGameRobot1.
ROBOT = re.compile(rf"([A-Za-z]{{1,40}})Robot([1-{ROBOTS_OF_AN_ALLIANCE}])")
HIGHEST = 1_000_000
UNREADABLE = (AttributeError, KeyError, TypeError, ValueError, OverflowError, OSError)


@dataclass(frozen=True)
class TbaEvent:
    """The data of an event at one point in time. What an answer left out is empty."""

    key: str
    name: str
    place: str
    starts_on: str | None
    ends_on: str | None
    time_zone: str | None
    teams: tuple[Team, ...]
    matches: tuple[Match, ...]
    playoffs: tuple[Playoff, ...]
    as_of: datetime


def parse_event(event: Any, teams: Any, rankings: Any, matches: Any, *, as_of: datetime) -> TbaEvent:
    """The event built from the answers of `/event/<key>`, `…/teams`, `…/rankings` and `…/matches`."""
    try:
        return TbaEvent(
            key=full_event_key(event["key"]),
            name=words_of(str(event["name"])),
            place=place_of(event),
            starts_on=_day(event.get("start_date")),
            ends_on=_day(event.get("end_date")),
            time_zone=_time_zone(event.get("timezone")),
            teams=teams_of(teams, rankings),
            matches=matches_of(matches),
            playoffs=playoffs_of(matches),
            as_of=as_of,
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Invalid(_("This is not an event from The Blue Alliance.")) from error


def matches_of(data: Any) -> tuple[Match, ...]:
    """The qualification matches of `/event/<key>/matches`, by number."""
    matches = _parsed(data, [QUALIFICATION], _match)[:MOST_MATCHES]
    return tuple(sorted(matches, key=lambda match: match.number))


def playoffs_of(data: Any) -> tuple[Playoff, ...]:
    """The playoff matches of the same answer, round by round."""
    playoffs = _parsed(data, events.LEVELS, _playoff)[:MOST_PLAYOFFS]
    return tuple(sorted(playoffs, key=lambda playoff: playoff.order))


def _parsed(data: Any, levels: Container[str], parse: Callable[[Any], M]) -> list[M]:
    try:
        return [parse(each) for each in data if each["comp_level"] in levels]
    except UNREADABLE as error:
        raise Invalid(_("This is not a match list from The Blue Alliance.")) from error


def teams_of(teams: Any, rankings: Any = None) -> tuple[Team, ...]:
    """The teams of `/event/<key>/teams`, with ranks from `/event/<key>/rankings` if given."""
    ranked = _ranked(rankings)
    try:
        numbered = [(_number(each["key"]), each) for each in teams][:MOST_TEAMS]
        found = [_team(number, each, ranked.get(number, {})) for number, each in numbered if number]
    except UNREADABLE as error:
        raise Invalid(_("This is not a team list from The Blue Alliance.")) from error
    return tuple(sorted(found, key=lambda team: team_order(team.number)))


def _ranked(rankings: Any) -> dict[str, Any]:
    """The ranking entries by team; an unreadable ranking is ignored."""
    try:
        return {
            _number(each["team_key"]): {
                "rank": _count(each.get("rank")),
                "record": _record(each.get("record")),
            }
            for each in (rankings or {}).get("rankings") or ()
        }
    except UNREADABLE:
        return {}


def _match(data: Mapping[str, Any]) -> Match:
    return Match(
        number=_match_number(data["match_number"]),
        red=_alliance(data, RED),
        blue=_alliance(data, BLUE),
        time=_time(data.get("actual_time") or data.get("predicted_time") or data.get("time")),
        videos=tuple(_videos(data.get("videos") or ()))[:MOST_VIDEOS],
    )


def _playoff(data: Mapping[str, Any]) -> Playoff:
    set_number = _match_number(data["set_number"])
    return Playoff(**vars(_match(data)), level=data["comp_level"], set_number=set_number)


def _alliance(match: Mapping[str, Any], colour: str) -> Alliance:
    data = match["alliances"][colour]
    breakdown = (match.get("score_breakdown") or {}).get(colour) or {}
    return Alliance(
        teams=_team_keys(data["team_keys"]),
        open_places=events.open_places(_places(data["team_keys"])),
        score=_score(data.get("score")),
        surrogates=_team_keys(data.get("surrogate_team_keys") or ()),
        official=dict(_figures(breakdown)),
        disqualified=_team_keys(data.get("dq_team_keys") or ()),
        robots=_robots(breakdown),
    )


def _team_keys(data: Any) -> tuple[str, ...]:
    return tuple(filter(None, _places(data)))


def _places(data: Any) -> list[str]:
    return ["" if key == NOBODY else _number(key) for key in data]


def _number(data: Any) -> str:
    """The team number; empty if it is not a valid one, so that the rest of the data can be stored."""
    try:
        return team_key(data)
    except Invalid:
        return ""


def _match_number(data: Any) -> int:
    if not 1 <= int(data) <= HIGHEST_MATCH:
        raise ValueError(data)
    return int(data)


def _videos(data: Any) -> Iterator[str]:
    for video in data:
        if video["type"] == "youtube" and len(video["key"]) <= LONGEST_VIDEO:
            yield whole(video["key"])


def _score(data: Any) -> int | None:
    """The score; None before the match, where The Blue Alliance has none or -1."""
    return None if data is None or int(data) < 0 else _count(data)


def _count(data: Any) -> int:
    """The number, 0 if missing. Raises ValueError beyond `HIGHEST`: what is stored is bounded."""
    number = int(data or 0)
    if abs(number) > HIGHEST:
        raise ValueError(number)
    return number


def _figures(breakdown: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The numbers and booleans of a score breakdown; nested names have a dot, such as hubScore.autoPoints.

    A foulPoints of 0 is kept: unknown fouls are something else.
    """
    for key, value in breakdown.items():
        parts = value.items() if isinstance(value, Mapping) else ()
        yield from ((f"{key}.{part}", figure) for part, figure in parts if _is_figure(figure))
        if _is_figure(value) or (key == events.FOULS and value == 0):
            yield key, value


def _robots(breakdown: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The texts about each robot, by its place: leaving the line, parking, climbing."""
    texts: dict[str, list[str]] = defaultdict(lambda: [""] * ROBOTS_OF_AN_ALLIANCE)
    for key, value in breakdown.items():
        found = ROBOT.fullmatch(key)
        if found and isinstance(value, str):
            texts[found[1]][int(found[2]) - 1] = words_of(value)[:LONGEST_WORD]
    return {name: tuple(texts[name]) for name in sorted(texts)[:MOST_ROBOT_FACTS]}


def _is_figure(value: Any) -> bool:
    """Whether a value is stored: a number or boolean that is not zero. Zero is the default."""
    return isinstance(value, int | float) and bool(value) and abs(value) <= HIGHEST


def _time(seconds: int | None) -> str | None:
    return to_iso(datetime.fromtimestamp(seconds, UTC)) if seconds else None


def _team(number: str, data: Mapping[str, Any], ranked: Mapping[str, Any]) -> Team:
    return Team(number=number, name=words_of(data.get("nickname")), place=place_of(data), **ranked)


def place_of(data: Mapping[str, Any]) -> str:
    """The location of a team or an event as text."""
    place = (data.get("city"), data.get("state_prov"), data.get("country"))
    return words_of(", ".join(part for part in place if part))


def words_of(data: str | None) -> str:
    """The text, shortened and without lone surrogates."""
    return whole(data)[:LONGEST_NAME] if data else ""


def _record(data: Mapping[str, int] | None) -> str:
    """Wins, losses and ties, such as 8-1-0."""
    return "-".join(str(_count(data[name])) for name in ("wins", "losses", "ties")) if data else ""


def _time_zone(value: Any) -> str | None:
    """A valid IANA time zone, or None: an unknown zone is no reason to refuse the event."""
    return value if value in available_timezones() else None


def _day(value: Any) -> str | None:
    return date.fromisoformat(value).isoformat() if value else None
