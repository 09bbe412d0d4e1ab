"""An event as The Blue Alliance describes it, fetched or read from saved files."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import available_timezones

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Invalid
from scouting.events.event import Match, Playoff, Team
from scouting.keys import event_key
from scouting.tba import parsing


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
            key=event_key(event["key"]),
            name=parsing.words_of(str(event["name"])),
            place=parsing.place_of(event),
            starts_on=_day(event.get("start_date")),
            ends_on=_day(event.get("end_date")),
            time_zone=_time_zone(event.get("timezone")),
            teams=parsing.teams_of(teams, rankings),
            matches=parsing.matches_of(matches),
            playoffs=parsing.playoffs_of(matches),
            as_of=as_of,
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Invalid(_("This is not an event as The Blue Alliance writes it.")) from error


def _time_zone(value: Any) -> str | None:
    """A valid IANA time zone, or None: an unknown zone is no reason to refuse the event."""
    return value if value in available_timezones() else None


def _day(value: Any) -> str | None:
    return date.fromisoformat(value).isoformat() if value else None
