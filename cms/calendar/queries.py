"""Calendar entries of events, training, matches and bus bookings; each kind is a function in `SOURCES`."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import NamedTuple

from cms.bus.repository import bookings
from cms.events.repository import events
from cms.locations.models import LOCATION_COLUMNS, Location
from cms.sams.parsing import Match
from cms.sams.queries import MATCH_FIELDS, MATCH_LENGTH, TeamMatch, match_records, matches_of
from cms.teams.models import Team
from cms.teams.repository import teams as teams_repository
from cms.teams.rules import DAYS
from core.accounts.user import User
from core.club import queries as club
from core.crud.fields.picker import is_possible
from core.crud.registry import resource_for
from core.dynamo.items import Item
from core.dynamo.queries import every
from core.dynamo.registry import RecordRef, records_at

WEEKDAYS = {name: number for number, (name, _title) in enumerate(DAYS)}


class CalendarEntry(NamedTuple):
    """One entry. `end` is exclusive: for whole days, midnight after the last day.

    The kind is displayed next to the title, so the title need not repeat it. `address` links to the record;
    the filter by team keeps entries with the team in `team_ids`.
    """

    start: datetime
    end: datetime
    title: str
    kind: str
    address: str = ""
    all_day: bool = False
    place: str = ""
    team_ids: Sequence[str] = ()


@dataclass(frozen=True)
class Period:
    """The days to display to a user; `teams` are all published ones, `kinds` keys of `SOURCES` to query."""

    first: date
    last: date
    user: User
    teams: Sequence[Team]
    kinds: Collection[str]

    @cached_property
    def records(self) -> Mapping[RecordRef, Item]:
        return team_records(self.teams, self.kinds)

    def days(self) -> Iterator[date]:
        for number in range((self.last - self.first).days + 1):
            yield self.first + timedelta(days=number)


class Weekly(NamedTuple):
    """A weekly training; `number` is its row in the team's schedule."""

    team: Team
    number: int
    weekdays: frozenset[int]
    start: time
    end: time
    place: str


class Fixture(NamedTuple):
    """A match on a known day; `teams` are the one or two of the club that play it."""

    match: Match
    day: date
    teams: Sequence[Team]

    @property
    def sides(self) -> list[tuple[str, Team | None]]:
        """Both sides with their names; the club's teams have their names here, as SAMS names some alike."""
        ours = {team.sbvv_team_id: team for team in self.teams}
        sides = (self.match.team1, self.match.team2)
        named = [(side.name, ours.get(side.uuid or "")) for side in sides]
        return [(team.name if team else name, team) for name, team in named]

    @property
    def title(self) -> str:
        return " \N{EN DASH} ".join(name for name, _team in self.sides)

    @property
    def is_at_home(self) -> bool:
        return self.sides[0][1] is not None

    @property
    def all_day(self) -> bool:
        """Whether the association has not set the time yet."""
        return self.match.starts is None

    @property
    def start(self) -> datetime:
        return self.match.starts or midnight(self.day)

    @property
    def end(self) -> datetime:
        return self.start + MATCH_LENGTH if self.match.starts else midnight(self.day + timedelta(days=1))


def midnight(day: date) -> datetime:
    return at(day, time())


def at(day: date, clock: time) -> datetime:
    """An aware datetime in the club's time zone."""
    return datetime.combine(day, clock, tzinfo=club.current().zone)


# --- Sources ------------------------------------------------------------------------------------------------


def events_in(period: Period) -> Iterator[CalendarEntry]:
    for event in events.between(midnight(period.first), midnight(period.last + timedelta(days=1))):
        yield CalendarEntry(
            start=event.start_date,
            end=event.ends,
            title=event.title,
            kind="event",
            address=address_for(period.user, "event", event),
            place=event.place,
            team_ids=event.team_ids or (),
        )


def training_in(period: Period) -> Iterator[CalendarEntry]:
    for training in weekly_training(period.teams, period.records):
        team = training.team
        address = address_for(period.user, "team", team)
        for day in period.days():
            if day.weekday() in training.weekdays:
                yield CalendarEntry(
                    start=at(day, training.start),
                    end=at(day, training.end),
                    title=team.name,
                    kind="training",
                    address=address,
                    place=training.place,
                    team_ids=(team.id,),
                )


def matches_in(period: Period) -> Iterator[CalendarEntry]:
    for fixture in fixtures(period.teams, period.first, period.last, period.records):
        yield CalendarEntry(
            start=fixture.start,
            end=fixture.end,
            title=fixture.title,
            kind="match",
            address=address_for(period.user, "team", fixture.teams[0]),
            all_day=fixture.all_day,
            place=fixture.match.place or "",
            team_ids=[team.id for team in fixture.teams],
        )


def bookings_in(period: Period) -> Iterator[CalendarEntry]:
    for booking in bookings.between(period.first, period.last):
        yield CalendarEntry(
            start=midnight(booking.from_day),
            end=midnight(booking.to_day + timedelta(days=1)),
            title=booking.driver,
            kind="bus",
            address=address_for(period.user, "bus", booking),
            all_day=True,
        )


Source = Callable[[Period], Iterable[CalendarEntry]]
# A new kind also needs an entry in `cms.calendar.views.KINDS`.
SOURCES: dict[str, Source] = {
    "event": events_in,
    "training": training_in,
    "match": matches_in,
    "bus": bookings_in,
}


def entries_in(period: Period, team_id: str = "") -> list[CalendarEntry]:
    """The entries of a period, sorted by start; with `team_id` only those of this team."""
    found = (entry for kind in period.kinds for entry in SOURCES[kind](period))
    of_team = (entry for entry in found if not team_id or team_id in entry.team_ids)
    return sorted(of_team, key=lambda entry: (entry.start, entry.kind, entry.title))


def published_teams() -> Sequence[Team]:
    return every(teams_repository.public)


def team_records(
    teams: Iterable[Team], kinds: Collection[str] = ("training", "match")
) -> dict[RecordRef, Item]:
    """The records that training and matches of these teams need, by one batch read."""
    training = training_places(teams) if "training" in kinds else ()
    matches = match_records(teams) if "match" in kinds else ()
    return records_at(dict.fromkeys([*training, *matches]), fields=(*LOCATION_COLUMNS, *MATCH_FIELDS))


def address_for(user: User, entity: str, record: Item) -> str:
    """The record's page in the CMS if the user may view it there, otherwise its public page."""
    resource = resource_for(entity)
    if resource.may(user, "view", record):
        return resource.record_address(resource.repository.key_of(record))
    return resource.public_address(record)


# --- Matches ------------------------------------------------------------------------------------------------


def fixtures(
    teams: Iterable[Team], first: date, last: date, records: Mapping[RecordRef, Item]
) -> Iterator[Fixture]:
    """The matches of these teams from `first` to `last`, each once; `records` are from `team_records`."""
    ours: dict[str, list[TeamMatch]] = {}
    for found in matches_of(teams, first, last, records):
        ours.setdefault(found.match.uuid, []).append(found)
    for played in ours.values():
        match = played[0].match
        if match.day:
            yield Fixture(match, match.day, [each.team for each in played])


# --- Training -----------------------------------------------------------------------------------------------


def training_places(teams: Iterable[Team]) -> Iterator[RecordRef]:
    keys = (str(row.get("locationId") or "") for team in teams for row in team.schedules or ())
    return (("location", key) for key in keys if key and is_possible("location", key))


def weekly_training(teams: Iterable[Team], records: Mapping[RecordRef, Item]) -> Iterator[Weekly]:
    """The training of these teams; `records` has the locations. Malformed rows, which no form writes, are
    skipped."""
    for team in teams:
        for number, row in enumerate(team.schedules or ()):
            weekdays = frozenset(WEEKDAYS[day] for day in row.get("day") or () if day in WEEKDAYS)
            start, end = _clock(row.get("startTime")), _clock(row.get("endTime"))
            if weekdays and start is not None and end is not None and start < end:
                location = records.get(("location", str(row.get("locationId") or "")))
                place = [location.name, location.address] if isinstance(location, Location) else []
                yield Weekly(team, number, weekdays, start, end, ", ".join(filter(None, place)))


def _clock(text: object) -> time | None:
    try:
        return time.fromisoformat(str(text))
    except ValueError:
        return None
