"""The Blue Alliance's JSON as our types: matches and teams, fetched or pasted."""

import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from dynamo.attributes import to_iso
from dynamo.errors import Invalid
from scouting.event import BLUE, RED, Alliance, Match, Team
from scouting.keys import team_key, team_order

QUALIFICATION = "qm"
# A team that is missing from an alliance, or a place that is still open.
NOBODY = "frc0"
UNREADABLE = (AttributeError, KeyError, TypeError, ValueError, OverflowError, OSError)


def matches_of(told: Any) -> tuple[Match, ...]:
    """The qualification matches of `/event/<key>/matches`, in their order."""
    try:
        matches = [_match(each) for each in told if each["comp_level"] == QUALIFICATION]
    except UNREADABLE as error:
        raise Invalid(_("This is not a list of matches as The Blue Alliance writes it.")) from error
    return tuple(sorted(matches, key=lambda match: match.number))


def teams_of(teams: Any, rankings: Any = None) -> tuple[Team, ...]:
    """The teams of `/event/<key>/teams`, with their places in `/event/<key>/rankings` where there is one."""
    try:
        ranked = {team_key(each["team_key"]): each for each in (rankings or {}).get("rankings") or ()}
        found = [_team(each, ranked.get(team_key(each["key"]), {})) for each in teams]
    except UNREADABLE as error:
        raise Invalid(_("This is not a list of teams as The Blue Alliance writes it.")) from error
    return tuple(sorted(found, key=lambda team: team_order(team.number)))


def _match(told: Mapping[str, Any]) -> Match:
    return Match(
        number=int(told["match_number"]),
        red=_alliance(told, RED),
        blue=_alliance(told, BLUE),
        time=_time(told.get("actual_time") or told.get("predicted_time") or told.get("time")),
        videos=tuple(video["key"] for video in told.get("videos") or () if video["type"] == "youtube"),
    )


def _alliance(match: Mapping[str, Any], colour: str) -> Alliance:
    told = match["alliances"][colour]
    breakdown = (match.get("score_breakdown") or {}).get(colour) or {}
    return Alliance(
        teams=_team_keys(told["team_keys"]),
        score=_score(told.get("score")),
        surrogates=_team_keys(told.get("surrogate_team_keys") or ()),
        official=dict(_figures(breakdown)),
    )


def _team_keys(told: Any) -> tuple[str, ...]:
    return tuple(team_key(key) for key in told if key != NOBODY)


def _score(told: Any) -> int | None:
    """A match to come has no score, or -1."""
    return None if told is None or int(told) < 0 else int(told)


def _figures(breakdown: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Numbers, and yes or no. The parts of a part follow a point: fuel is told as hubScore.autoPoints."""
    for key, value in breakdown.items():
        parts = value.items() if isinstance(value, Mapping) else ()
        yield from ((f"{key}.{part}", figure) for part, figure in parts if _is_figure(figure))
        if _is_figure(value):
            yield key, value


def _is_figure(value: Any) -> bool:
    """What a single robot did is told in words. Half of all are zero, which counts as much as nothing."""
    return bool(value) and (isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)))


def _time(seconds: int | None) -> str | None:
    return to_iso(datetime.fromtimestamp(seconds, UTC)) if seconds else None


def _team(told: Mapping[str, Any], ranked: Mapping[str, Any]) -> Team:
    place = (told.get("city"), told.get("state_prov"), told.get("country"))
    return Team(
        number=team_key(told["key"]),
        name=told.get("nickname") or "",
        place=", ".join(part for part in place if part),
        rank=int(ranked.get("rank") or 0),
        record=_record(ranked.get("record")),
    )


def _record(told: Mapping[str, int] | None) -> str:
    """Wins, losses and ties, such as 8-1-0."""
    return f"{told['wins']}-{told['losses']}-{told['ties']}" if told else ""
