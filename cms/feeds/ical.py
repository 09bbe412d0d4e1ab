"""iCalendar feeds of public events, training and matches."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING

from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from cms.calendar.queries import Weekly, at, fixtures, midnight, team_records, weekly_training
from cms.events.models import Event
from cms.events.repository import events
from cms.teams.models import Team
from core.club.presenters import logo_at
from core.common.calendar_files import calendar_file, calendar_part, in_local_time, one_line
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef

if TYPE_CHECKING:
    import icalendar

# How far events and matches reach back, and matches ahead.
BACK = timedelta(days=14)
AHEAD = timedelta(days=400)
ICAL_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def calendar_of(teams: Iterable[Team], *, name: str, site: str, only: Team | None = None) -> bytes:
    """An iCalendar file: training and matches of these teams, and events; with `only`, those of that team.

    `site` is the origin for links.
    """
    teams = list(teams)
    parts = [*_events(site, only)]
    records = team_records(teams)
    parts += [*_training(teams, records), *_matches(teams, records)]
    # Recurring training starts at the last change of its team: see `_first_day`.
    years = (team.updated_at.year for team in teams)
    return calendar_file("Club calendar", name, parts, years=years, logo=logo_at(site))


def _events(site: str, only: Team | None) -> "Iterator[icalendar.Event]":
    for event in events.between(midnight(localdate() - BACK)):
        if only is None or only.id in (event.team_ids or ()):
            yield _event(event, site)


def _event(event: Event, site: str) -> "icalendar.Event":
    part = calendar_part(f"event-{event.id}", event.title, event.updated_at, event.place)
    part.add("dtstart", in_local_time(event.start_date))
    part.add("dtend", in_local_time(event.ends))
    if event.variant:
        part.add("categories", [one_line(event.variant)])
    if event.slug:
        part.add("url", f"{site}/events/{event.slug}/")
    return part


def _training(teams: Iterable[Team], records: Mapping[RecordRef, Item]) -> "Iterator[icalendar.Event]":
    """One recurring event (RRULE) for each row of a schedule."""
    for training in weekly_training(teams, records):
        team = training.team
        title = _("Training %(team)s") % {"team": team.name}
        part = calendar_part(f"training-{team.id}-{training.number}", title, team.updated_at, training.place)
        first = _first_day(training)
        part.add("dtstart", at(first, training.start))
        part.add("dtend", at(first, training.end))
        days = [ICAL_DAYS[number] for number in sorted(training.weekdays)]
        part.add("rrule", {"freq": "weekly", "byday": days})
        yield part


def _matches(teams: Iterable[Team], records: Mapping[RecordRef, Item]) -> "Iterator[icalendar.Event]":
    today = localdate()
    for fixture in fixtures(teams, today - BACK, today + AHEAD, records):
        # SAMS gives no time of change; today's date keeps the file the same for a day.
        part = calendar_part(
            f"match-{fixture.match.uuid}", fixture.title, midnight(today), fixture.match.place
        )
        part.add("dtstart", fixture.day if fixture.all_day else in_local_time(fixture.start))
        if not fixture.all_day:
            part.add("dtend", in_local_time(fixture.end))
        yield part


def _first_day(training: Weekly) -> date:
    """The first training since the team was last changed, so that the series is the same in each request."""
    changed = in_local_time(training.team.updated_at).date()
    week = (changed + timedelta(days=number) for number in range(7))
    return next(day for day in week if day.weekday() in training.weekdays)
