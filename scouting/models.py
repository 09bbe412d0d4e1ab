"""The items of scouting: what scouts write, what an event is made of, and what leads decide."""

from datetime import date, datetime, time, timedelta, timezone, tzinfo
from typing import Any, ClassVar, Self
from zoneinfo import ZoneInfo

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute, now, to_iso
from core.dynamo.items import Item, new_id, table_name
from scouting import keys
from scouting.indexes import by_event_and_time, by_id, by_scout, by_team

UNSORTED, FIRST, SECOND, THIRD, DO_NOT_PICK = "unsorted", "r1", "r2", "r3", "dnp"
COLUMNS = (UNSORTED, FIRST, SECOND, THIRD, DO_NOT_PICK)
NO_LOCK = "none"
# Here a day ends last: an event whose zone nobody told is not over before it is over everywhere.
LAST_ZONE = timezone(timedelta(hours=-12))


class ScoutedItem(Item):
    """What every item of these tables has."""

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    entity = UnicodeAttribute()


class StandForm(ScoutedItem):
    """What one scout saw of one robot in one match."""

    entity = UnicodeAttribute(default="StandForm")
    id = UnicodeAttribute(default_for_new=new_id)
    gsi1_pk = UnicodeAttribute(attr_name="GSI1PK", null=True)
    gsi1_sk = UnicodeAttribute(attr_name="GSI1SK", null=True)
    gsi2_pk = UnicodeAttribute(attr_name="GSI2PK", null=True)
    event = UnicodeAttribute()
    team = UnicodeAttribute(attr_name="teamNumber")
    match = NumberAttribute(attr_name="matchNumber")
    scout_id = UnicodeAttribute(attr_name="scoutId", null=True)
    scout_name = UnicodeAttribute(attr_name="usersName", default="")
    # Whose game definition it was filled in with; without one, that of the event's year.
    game_year = NumberAttribute(attr_name="gameYear", null=True)
    # The values of the year's game, by the keys of its definition.
    scores = JSONMapAttribute(default_for_new=dict)
    auto_score = NumberAttribute(attr_name="autoScore", default=0)
    tele_score = NumberAttribute(attr_name="teleScore", default=0)
    total_score = NumberAttribute(attr_name="totalScore", default=0)
    criticals = JSONListAttribute(default_for_new=list)
    strategy = UnicodeAttribute(default="")
    comments = UnicodeAttribute(default="")
    rp_earned = NumberAttribute(attr_name="rpEarned", default=0)
    defended_against = BooleanAttribute(attr_name="defendedAgainst", default=False)
    defense = BooleanAttribute(default=False)
    win = BooleanAttribute(default=False)
    no_show = BooleanAttribute(attr_name="noShow", default=False)
    # Where it was before leads moved it, oldest first: see `services.forms.past`.
    moved_from = JSONListAttribute(attr_name="movedFrom", null=True)
    by_team = by_team("matchNumber")
    by_id = by_id()
    by_scout = by_scout("event", "teamNumber", "matchNumber", "totalScore")
    by_event = by_event_and_time("scoutId", "teamNumber", "matchNumber")

    class Meta:
        table_name = table_name("superalliance-stand-forms", variable="DDB_STAND_FORMS_TABLE")

    @classmethod
    def about(cls, event: str, team: str, match: int, *, further: str = "", **fields: Any) -> "StandForm":
        """The form of a robot in a match; `further` is the id of a report beside the first one."""
        place = f"{keys.of_team(team)}#{keys.of_match(match)}"
        return cls(
            pk=keys.of_event(event),
            sk=f"{place}#R#{further}" if further else place,
            event=event,
            team=team,
            match=match,
            **fields,
        )

    @property
    def is_further(self) -> bool:
        return "#R#" in self.sk

    def derived(self) -> dict[str, Any]:
        further = f"#R#{self.sk.partition('#R#')[2]}" if self.is_further else ""
        return {
            "gsi1_pk": keys.of_team(self.team),
            "gsi1_sk": f"{keys.of_event(self.event)}#{keys.of_match(int(self.match))}{further}",
            "gsi2_pk": f"ID#{self.id}",
        }


class PitForm(ScoutedItem):
    """What a team told in the pit about its robot."""

    entity = UnicodeAttribute(default="PitForm")
    id = UnicodeAttribute(default_for_new=new_id)
    gsi1_pk = UnicodeAttribute(attr_name="GSI1PK", null=True)
    gsi1_sk = UnicodeAttribute(attr_name="GSI1SK", null=True)
    event = UnicodeAttribute()
    team = UnicodeAttribute(attr_name="teamNumber")
    scout_id = UnicodeAttribute(attr_name="scoutId", null=True)
    scout_name = UnicodeAttribute(attr_name="usersName", default="")
    # Whose game definition it was filled in with; without one, that of the event's year.
    game_year = NumberAttribute(attr_name="gameYear", null=True)
    answers = JSONMapAttribute(default_for_new=dict)
    # See `scouting.photos`.
    photos = JSONListAttribute(default_for_new=list)
    # The address of a picture that an import brought.
    robot_image = UnicodeAttribute(attr_name="robotImage", null=True)
    # Where it was before leads moved it, oldest first: see `services.forms.past`.
    moved_from = JSONListAttribute(attr_name="movedFrom", null=True)
    by_team = by_team("usersName")
    by_scout = by_scout("event", "teamNumber")

    class Meta:
        table_name = table_name("superalliance-pit-forms", variable="DDB_PIT_FORMS_TABLE")

    @classmethod
    def about(cls, event: str, team: str, **fields: Any) -> "PitForm":
        return cls(pk=keys.of_event(event), sk=keys.of_team(team), event=event, team=team, **fields)

    def derived(self) -> dict[str, Any]:
        return {"gsi1_pk": keys.of_team(self.team), "gsi1_sk": keys.of_event(self.event)}


class CommentForm(ScoutedItem):
    """What somebody noticed about a team, at any time."""

    entity = UnicodeAttribute(default="CommentForm")
    id = UnicodeAttribute(default_for_new=new_id)
    gsi1_pk = UnicodeAttribute(attr_name="GSI1PK", null=True)
    gsi1_sk = UnicodeAttribute(attr_name="GSI1SK", null=True)
    event = UnicodeAttribute()
    team = UnicodeAttribute(attr_name="teamNumber")
    scout_id = UnicodeAttribute(attr_name="scoutId", null=True)
    scout_name = UnicodeAttribute(attr_name="usersName", default="")
    comments = UnicodeAttribute()
    by_team = by_team("usersName")
    by_scout = by_scout("event", "teamNumber", "comments")
    by_event = by_event_and_time("scoutId", "usersName", "teamNumber", "comments")

    class Meta:
        table_name = table_name("superalliance-comment-forms", variable="DDB_COMMENT_FORMS_TABLE")

    @classmethod
    def about(cls, event: str, team: str, **fields: Any) -> "CommentForm":
        """Two comments of one millisecond stay two: the id follows the time."""
        form = cls(event=event, team=team, **fields)
        form.created_at = form.created_at or now()
        form.pk = f"{keys.of_event(event)}#{keys.of_team(team)}"
        form.sk = f"CREATED#{to_iso(form.created_at)}#{form.id[-8:]}"
        return form

    def derived(self) -> dict[str, Any]:
        return {"gsi1_pk": keys.of_team(self.team), "gsi1_sk": self.sk}


class TeamSelection(ScoutedItem):
    """The pick list of an event. Each team: teamNumber, teamName, rank, columnId; in their order."""

    entity = UnicodeAttribute(default="TeamSelection")
    event = UnicodeAttribute()
    teams = JSONListAttribute(default_for_new=list)
    # Who saved the order, and when; who is taken is written on its own.
    saved_by = UnicodeAttribute(attr_name="savedBy", null=True)
    saved_at = TimestampAttribute(attr_name="savedAt", null=True)
    # The numbers of the teams that an alliance has; a list from before has `taken` in each team.
    taken = JSONListAttribute(null=True)

    class Meta:
        table_name = table_name("superalliance-team-selection", variable="DDB_TEAM_SELECTION_TABLE")

    @classmethod
    def about(cls, event: str, **fields: Any) -> "TeamSelection":
        return cls(pk="SELECTION", sk=keys.of_event(event), event=event, **fields)


class ConfigItem(ScoutedItem):
    """The items that share the table of settings."""

    class Meta:
        table_name = table_name("superalliance-config", variable="DDB_CONFIG_TABLE")


class Settings(ConfigItem):
    """What holds for a year; DEFAULT says which year it is."""

    entity = UnicodeAttribute(default="Config")
    year = NumberAttribute()
    # The event at which we are; "none" for no event.
    event = UnicodeAttribute(default=NO_LOCK)
    # Whether forms can be sent for that event only.
    locked = BooleanAttribute(default=False)
    # Whose game definition the forms follow.
    game_year = NumberAttribute(attr_name="gameYear", null=True)

    @classmethod
    def of_year(cls, year: int, **fields: Any) -> "Settings":
        return cls(pk="CONFIG", sk=f"YEAR#{year}", year=year, **fields)

    @classmethod
    def default(cls, year: int) -> "Settings":
        return cls(pk="CONFIG", sk="DEFAULT", year=year)

    @property
    def active_event(self) -> str | None:
        return None if self.event in (None, "", NO_LOCK) else str(self.event)


class StoredGame(ConfigItem):
    """A game definition that leads have changed; the others are the files in `scouting/games/`."""

    entity = UnicodeAttribute(default="Game")
    year = NumberAttribute()
    name = UnicodeAttribute()
    definition = JSONMapAttribute()

    @classmethod
    def of_year(cls, year: int, **fields: Any) -> "StoredGame":
        return cls(pk="GAME", sk=f"YEAR#{year}", year=year, **fields)


class EventInfo(ConfigItem):
    """An event: one of The Blue Alliance, or one of our own."""

    entity = UnicodeAttribute(default="Event")
    event = UnicodeAttribute()
    name = UnicodeAttribute()
    place = UnicodeAttribute(default="")
    starts_on = UnicodeAttribute(attr_name="startsOn", null=True)
    ends_on = UnicodeAttribute(attr_name="endsOn", null=True)
    # Of the place, such as America/New_York.
    time_zone = UnicodeAttribute(attr_name="timeZone", null=True)
    # Not at The Blue Alliance: week 0, practice, our own scrimmage.
    is_own = BooleanAttribute(attr_name="isOwn", default=False)

    @classmethod
    def about(cls, event: str, **fields: Any) -> "EventInfo":
        return cls(pk="EVENTS", sk=keys.of_event(event), event=event, **fields)

    @property
    def code(self) -> str:
        """How people call it within a year."""
        return keys.short_code(self.event)

    @property
    def first_day(self) -> date | None:
        return date.fromisoformat(self.starts_on) if self.starts_on else None

    @property
    def last_day(self) -> date | None:
        return date.fromisoformat(self.ends_on) if self.ends_on else None

    @property
    def ends_at(self) -> datetime | None:
        """The last moment of its last day where it takes place; None while nobody told its days."""
        last_day = self.last_day or self.first_day
        zone: tzinfo = ZoneInfo(self.time_zone) if self.time_zone else LAST_ZONE
        return datetime.combine(last_day, time.max, zone) if last_day else None


class EventList(ConfigItem):
    """A list of an event that The Blue Alliance tells and leads type."""

    event = UnicodeAttribute()
    # The numbers of those that leads typed: a refresh does not replace them unless it is told to.
    by_hand = JSONListAttribute(attr_name="byHand", default_for_new=list)
    fetched_at = TimestampAttribute(attr_name="fetchedAt", null=True)

    sort_key: ClassVar[str]

    @classmethod
    def about(cls, event: str, **fields: Any) -> Self:
        return cls(pk=keys.of_event(event), sk=cls.sort_key, event=event, **fields)


class EventTeams(EventList):
    """The teams of an event, each a map: see `scouting.event.Team`."""

    entity = UnicodeAttribute(default="EventTeams")
    teams = JSONListAttribute(default_for_new=list)

    sort_key = "TEAMS"


class Schedule(EventList):
    """The matches of an event, each a map: see `scouting.event.Match` and `Playoff`."""

    entity = UnicodeAttribute(default="Schedule")
    # Those of the qualification, which the ranking, ratings and forms are about.
    matches = JSONListAttribute(default_for_new=list)
    playoffs = JSONListAttribute(null=True)

    sort_key = "SCHEDULE"
