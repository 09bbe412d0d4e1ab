"""Repositories of events, their teams and their schedules: three items that are read together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar, Unpack

from core.dynamo import adoption, queries
from core.dynamo.actors import SYSTEM
from core.dynamo.items import RawItem, StoredModel
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, every
from core.dynamo.references import Reference
from core.dynamo.transactions import Operation, Transaction
from scouting import keys
from scouting.events.directory import team_directory
from scouting.events.event import NoSuchEvent, ScoutedEvent, matches_from, playoffs_from, teams_from
from scouting.events.models import EventInfo, EventTeams, Schedule
from scouting.forms.models import PitForm
from scouting.models import ScoutedItem
from scouting.repository import ScoutingRepository
from scouting.revision_cache import Kept, revisions_of
from scouting.selection.models import TeamSelection

P = TypeVar("P", EventInfo, EventTeams, Schedule)
T = TypeVar("T", PitForm, TeamSelection)
S = TypeVar("S", bound=ScoutedItem)


# About as many events as are viewed in one day.
MOST_KEPT = 8
_kept: Kept[ScoutedEvent] = Kept(MOST_KEPT)
Stored = dict[type[StoredModel], RawItem]


@dataclass(frozen=True)
class EventParts:
    """The items of one event, each with its own version."""

    info: EventInfo
    teams: EventTeams
    schedule: Schedule

    @property
    def event(self) -> ScoutedEvent:
        return ScoutedEvent(
            key=self.info.event,
            name=self.info.name,
            teams=teams_from(self.teams.teams),
            matches=matches_from(self.schedule.matches),
            playoffs=playoffs_from(self.schedule.playoffs or ()),
            is_own=bool(self.info.is_own),
            time_zone=self.info.time_zone,
            first_day=self.info.first_day,
            ends_at=self.info.ends_at,
            teams_fetched_at=self.teams.fetched_at,
            schedule_fetched_at=self.schedule.fetched_at,
        )


class EventInfoRepository(ScoutingRepository[EventInfo]):
    model = EventInfo
    entity = "scouted-event"
    label = "name"
    partition = "EVENTS"
    # All scouts of an event send their forms in the same seconds.
    use_shards = 16
    searched = ("name", "event", "code", "place")

    def by_key(self, **options: Unpack[PageOptions]) -> Page[EventInfo]:
        """A page of all events, by year and code."""
        return self.page("EVENTS", **options)

    def newest_first(self) -> list[EventInfo]:
        """All events, of every page, newest first."""
        return every(lambda **options: self.by_key(newest_first=True, **options))

    def of_year(self, year: int) -> list[EventInfo]:
        """The events of a year, by code, and those whose key has no year, which sort after all years."""
        first, last = keys.of_event(str(year)), keys.of_event("~")
        found = every(lambda **options: self.page("EVENTS", at_least=first, at_most=last, **options))
        return [info for info in found if keys.year_of(info.event) in (year, None)]

    def parts(self, event: str, *, strong: bool = False) -> EventParts:
        """The three items of an event, in one request; teams and schedule are new if not stored yet."""
        return _parts(event, self._stored(event, strong=strong))

    def read(self, event: str, *, strong: bool = False) -> ScoutedEvent:
        """The event with its teams and matches, in one request. Raises NoSuchEvent."""
        return _event(event, self._stored(event, strong=strong))

    def read_with(self, extra: T, *, strong: bool = False) -> tuple[ScoutedEvent, T | None]:
        """The event, and `extra`, one more item of it, or None if that is not stored; in one request."""
        stored = self._stored(extra.event, strong=strong, extra=extra)
        found = stored.pop(type(extra), None)
        return _event(extra.event, stored), type(extra).from_raw_data(found) if found else None

    def _stored(self, event: str, *, strong: bool, extra: ScoutedItem | None = None) -> Stored:
        wanted: list[ScoutedItem] = [model.about(event) for model in (EventInfo, EventTeams, Schedule)]
        if extra is not None:
            wanted.append(extra)
        found = dict(queries.get_many_raw(((type(item), item.raw_key()) for item in wanted), strong=strong))
        if EventInfo not in found:
            raise NoSuchEvent
        return found


def _event(key: str, stored: Stored) -> ScoutedEvent:
    """The parsed event, cached by the revisions of its items, since parsing a schedule is slow."""
    # A frozenset, because a batch read returns its items in any order.
    return _kept.get(frozenset(revisions_of(stored.values())), lambda: _parts(key, stored).event)


def _parts(key: str, stored: Stored) -> EventParts:
    def part(model: type[P]) -> P:
        raw = stored.get(model)
        return model.from_raw_data(raw) if raw else model.about(key)

    return EventParts(info=part(EventInfo), teams=part(EventTeams), schedule=part(Schedule))


class AtEventRepository(ScoutingRepository[S]):
    """Records of an event, which other programs write as well. These know no events, so each is made here."""

    adopts = True

    def adopted_with(self, item: S) -> Iterator[Operation]:
        if adoption.is_adopted(item.stored):
            return
        for key in (key for reference in self.references for key in reference.targets(item)):
            event = event_infos.raw_key(key)["SK"]["S"].removeprefix(keys.of_event(""))
            if event_infos.find(EventInfo.about(event), strong=True) is None:
                made = Transaction()
                event_infos.create(EventInfo.about(event, name=event), actor=SYSTEM, transaction=made)
                yield from made.operations()


class EventTeamsRepository(ScoutingRepository[EventTeams]):
    model = EventTeams
    entity = "event-teams"
    label = "event"
    partition = "EVENT#"
    sort_key = "TEAMS"

    def _sync_side_items(
        self, whole: Transaction, *, before: EventTeams | None, after: EventTeams | None, **options: Any
    ) -> None:
        super()._sync_side_items(whole, before=before, after=after, **options)
        team_directory.forget()


class ScheduleRepository(ScoutingRepository[Schedule]):
    model = Schedule
    entity = "schedule"
    label = "event"
    partition = "EVENT#"
    sort_key = "SCHEDULE"


def of_its_event(
    event: Callable[[Any], str | None] = attrgetter("event"), *, has_row: bool = True
) -> Reference:
    """The reference of a record to its event. It is counted in the transaction that writes the record,
    so an event that is in use cannot be deleted at the same time."""

    def key_of_event(item: Any) -> list[str]:
        found = event(item)
        return [event_infos.key_of(EventInfo.about(found))] if found else []

    cut: Any = lambda _item, _gone: None  # noqa: E731
    return Reference("event", to=event_infos.entity, value=key_of_event, cut=cut, has_row=has_row)


event_infos = EventInfoRepository()
event_teams = EventTeamsRepository()
schedules = ScheduleRepository()
