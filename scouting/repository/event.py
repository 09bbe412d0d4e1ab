"""Events with their teams and schedules: three items, read together."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Unpack, cast

from dynamo import queries
from dynamo.paging import Page
from dynamo.queries import PageOptions, every
from dynamo.references import Reference
from scouting.event import Match, NoSuchEvent, ScoutedEvent, matches_from, teams_from
from scouting.models import EventInfo, EventTeams, Schedule, ScoutedItem
from scouting.repository.base import ScoutingRepository


@dataclass(frozen=True)
class EventParts:
    """The items of which an event is made, each with its own version."""

    info: EventInfo
    teams: EventTeams
    schedule: Schedule
    # What was asked for beside them, if it is there.
    beside: ScoutedItem | None = None

    @property
    def event(self) -> ScoutedEvent:
        return ScoutedEvent(
            key=self.info.event,
            name=self.info.name,
            teams=teams_from(self.teams.teams),
            matches=matches_from(self.schedule.matches),
            is_own=bool(self.info.is_own),
            teams_fetched_at=self.teams.fetched_at,
            schedule_fetched_at=self.schedule.fetched_at,
        )


class EventInfoRepository(ScoutingRepository[EventInfo]):
    model = EventInfo
    entity = "scouted-event"
    label = "name"
    partition = "EVENTS"

    def by_key(self, **options: Unpack[PageOptions]) -> Page[EventInfo]:
        """All events, by year and code."""
        return self.page("EVENTS", **options)

    def newest_first(self) -> list[EventInfo]:
        """All events, for who looks for one of them or takes them all along."""
        return every(lambda **options: self.by_key(newest_first=True, **options))

    def of_year(self, year: int) -> list[EventInfo]:
        """Those of a year, by code."""
        return every(lambda **options: self.page("EVENTS", prefix=f"EVENT#{year}", **options))

    def parts(self, event: str, *, strong: bool = False, beside: ScoutedItem | None = None) -> EventParts:
        """The three items of an event in one request, and perhaps one more that belongs to it.

        Teams and matches may not be stored yet.
        """
        wanted: list[ScoutedItem] = [model.about(event) for model in (EventInfo, EventTeams, Schedule)]
        if beside is not None:
            wanted.append(beside)
        found = queries.get_many(((type(item), item.raw_key()) for item in wanted), strong=strong)
        parts = {item.entity: item for item in cast(list[ScoutedItem], found)}
        if "Event" not in parts:
            raise NoSuchEvent
        return EventParts(
            info=cast(EventInfo, parts["Event"]),
            teams=cast(EventTeams, parts.get("EventTeams", EventTeams.about(event))),
            schedule=cast(Schedule, parts.get("Schedule", Schedule.about(event))),
            beside=parts.get(beside.entity) if beside is not None else None,
        )

    def read(self, event: str, *, strong: bool = False) -> ScoutedEvent:
        """An event with its teams and matches, in one request."""
        return self.parts(event, strong=strong).event


class EventTeamsRepository(ScoutingRepository[EventTeams]):
    model = EventTeams
    entity = "event-teams"
    label = "event"
    partition = "EVENT#"
    sort_key = "TEAMS"


class ScheduleRepository(ScoutingRepository[Schedule]):
    model = Schedule
    entity = "schedule"
    label = "event"
    partition = "EVENT#"
    sort_key = "SCHEDULE"

    def match(self, event: str, number: int) -> Match | None:
        """One match of an event, if it has a schedule."""
        key = self.key_of(Schedule.about(event))
        found = self.get_many([key]).get(key)
        matches = matches_from(found.matches) if found else ()
        return next((match for match in matches if match.number == number), None)


def of_its_event(event: Callable[[Any], str | None] = attrgetter("event")) -> Reference:
    """What belongs to an event is counted there by its own write, so no event is deleted beneath it."""

    def key_of_event(item: Any) -> list[str]:
        found = event(item)
        return [event_infos.key_of(EventInfo.about(found))] if found else []

    return Reference("event", to=event_infos.entity, value=key_of_event, cut=lambda _item, _gone: None)


event_infos = EventInfoRepository()
event_teams = EventTeamsRepository()
schedules = ScheduleRepository()
