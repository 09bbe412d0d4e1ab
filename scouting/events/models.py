"""The three items of an event: its info, its teams, its matches."""

from datetime import date, datetime, time, timedelta, timezone, tzinfo
from typing import Any, ClassVar, Self
from zoneinfo import ZoneInfo

from pynamodb.attributes import BooleanAttribute, UnicodeAttribute

from core.dynamo.attributes import JSONListAttribute, TimestampAttribute
from scouting import keys
from scouting.models import ConfigItem

# The zone in which a day ends last: an event without a known zone is over when its last day has ended
# everywhere.
LAST_ZONE = timezone(timedelta(hours=-12))


class EventInfo(ConfigItem):
    """An event: one of The Blue Alliance, or one of our own."""

    entity = UnicodeAttribute(default="Event")
    event = UnicodeAttribute()
    name = UnicodeAttribute()
    place = UnicodeAttribute(default="")
    starts_on = UnicodeAttribute(attr_name="startsOn", null=True)
    ends_on = UnicodeAttribute(attr_name="endsOn", null=True)
    # The IANA zone of the venue, such as America/New_York.
    time_zone = UnicodeAttribute(attr_name="timeZone", null=True)
    # Not at The Blue Alliance: week 0, practice, our own scrimmage.
    is_own = BooleanAttribute(attr_name="isOwn", default=False)

    @classmethod
    def about(cls, event: str, **fields: Any) -> "EventInfo":
        return cls(pk="EVENTS", sk=keys.of_event(event), event=event, **fields)

    @property
    def code(self) -> str:
        """The event code without its year."""
        return keys.short_code(self.event)

    @property
    def first_day(self) -> date | None:
        return date.fromisoformat(self.starts_on) if self.starts_on else None

    @property
    def last_day(self) -> date | None:
        return date.fromisoformat(self.ends_on) if self.ends_on else None

    @property
    def ends_at(self) -> datetime | None:
        """The end of the last day in the zone of the event; None if it has no dates."""
        last_day = self.last_day or self.first_day
        zone: tzinfo = ZoneInfo(self.time_zone) if self.time_zone else LAST_ZONE
        return datetime.combine(last_day, time.max, zone) if last_day else None


class EventList(ConfigItem):
    """A list of an event that is fetched from The Blue Alliance and can be edited by leads."""

    event = UnicodeAttribute()
    # The numbers of entries that leads edited: a refresh replaces them only with `replaces_typed`.
    by_hand = JSONListAttribute(attr_name="byHand", default_for_new=list)
    fetched_at = TimestampAttribute(attr_name="fetchedAt", null=True)

    sort_key: ClassVar[str]

    @classmethod
    def about(cls, event: str, **fields: Any) -> Self:
        return cls(pk=keys.of_event(event), sk=cls.sort_key, event=event, **fields)


class EventTeams(EventList):
    """The teams of an event, each a map: see `scouting.events.event.Team`."""

    entity = UnicodeAttribute(default="EventTeams")
    teams = JSONListAttribute(default_for_new=list)

    sort_key = "TEAMS"


class Schedule(EventList):
    """The matches of an event, each a map: see `scouting.events.event.Match` and `Playoff`."""

    entity = UnicodeAttribute(default="Schedule")
    # Qualification matches only: these are what the ranking, ratings and forms are about.
    matches = JSONListAttribute(default_for_new=list)
    playoffs = JSONListAttribute(null=True)

    sort_key = "SCHEDULE"
