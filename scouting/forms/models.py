"""The items of stand, pit and comment forms."""

from collections.abc import Iterable
from functools import cache
from typing import Any, ClassVar, Self

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, now, to_iso
from core.dynamo.indexes import index
from core.dynamo.items import RawItem, new_id, table_name
from scouting import keys
from scouting.forms import flat_answers
from scouting.models import ScoutedItem

# GSI1 and GSI2 are those of the existing tables, the others are named by what they list. None has the time of
# the change and the version: no list shows them, and each correction would write all indexes.


def by_team(*columns: str) -> Any:
    """The forms about a team across events; projects where and when, and `columns`."""
    return index("GSI1", "GSI1PK", "GSI1SK", columns=["event", "createdAt", *columns])


def by_scout(*columns: str) -> Any:
    """The forms of a scout, by time."""
    return index("ScoutIndex", "scoutId", "createdAt", columns=columns)


def by_event_and_time(*columns: str) -> Any:
    """The forms of an event, by time."""
    return index("EventIndex", "event", "createdAt", columns=columns)


class ScoutForm(ScoutedItem):
    """What a scout sent about a team at an event."""

    id = UnicodeAttribute(default_for_new=new_id)
    gsi1_pk = UnicodeAttribute(attr_name="GSI1PK", null=True)
    gsi1_sk = UnicodeAttribute(attr_name="GSI1SK", null=True)
    event = UnicodeAttribute()
    team = UnicodeAttribute(attr_name="teamNumber")
    scout_id = UnicodeAttribute(attr_name="scoutId", null=True)
    scout_name = UnicodeAttribute(attr_name="usersName", default="")

    documented = ("gsi1_pk", "gsi1_sk", "gsi2_pk")

    @classmethod
    def from_raw_data(cls, data: RawItem) -> Self:
        """Other programs store the number of a team as a number; `stored` stays as it is."""
        if "N" not in data.get("teamNumber", {}):
            return super().from_raw_data(data)
        form = super().from_raw_data(data | {"teamNumber": {"S": flat_answers.team_of(data)}})
        form.stored = data
        return form


class RobotForm(ScoutForm):
    """A form that asks what the game of a year asks, and that leads can move to another robot.

    A form that another program stored has its answers flat, as attributes of their own: they are read from
    there, and written there. What is computed from them is computed again with each reading, unless it is
    stored.
    """

    # The year of the game definition it was filled in with; None means that of the event.
    game_year = NumberAttribute(attr_name="gameYear", null=True)
    # Its earlier places, oldest first: see `services.past`.
    moved_from = JSONListAttribute(attr_name="movedFrom", null=True)

    # The attribute that holds the answers, and those that follow from it.
    answers_in: ClassVar[str]
    computed: ClassVar[tuple[str, ...]] = ()
    # Of a form of another program: the attributes that the model does not declare, and what is computed.
    flat: RawItem | None = None

    @classmethod
    def from_raw_data(cls, data: RawItem) -> Self:
        form = super().from_raw_data(data)
        if cls.answers_in not in data:
            own = _own_names(cls)
            form.flat = {name: value for name, value in data.items() if name not in own}
            form._read_flat(form.flat)
        return form

    def serialize(self, null_check: bool = True) -> RawItem:
        raw = super().serialize(null_check)
        if self.flat is None:
            return raw
        left_out = self.stored_names((self.answers_in, *self.computed))
        return {name: value for name, value in raw.items() if name not in left_out} | self.flat

    @classmethod
    def stored_names(cls, names: Iterable[str]) -> list[str]:
        """What is no attribute of ours is an answer that other programs store by this name."""
        known = cls.get_attributes()
        return [known[name].attr_name if name in known else name for name in names]

    def _read_flat(self, flat: RawItem) -> None:
        raise NotImplementedError


@cache
def _own_names(model: type[RobotForm]) -> frozenset[str]:
    """The stored names of what is neither an answer nor computed from answers."""
    names = model.get_attributes().keys() - model.computed
    return frozenset(model.stored_names(names))


class StandForm(RobotForm):
    """The report of one scout about one robot in one match."""

    entity = UnicodeAttribute(default="StandForm")
    gsi2_pk = UnicodeAttribute(attr_name="GSI2PK", null=True)
    match = NumberAttribute(attr_name="matchNumber")
    # The answers by question key of the game definition.
    scores = JSONMapAttribute(default_for_new=dict)
    auto_score = NumberAttribute(attr_name="autoScore", default=0)
    tele_score = NumberAttribute(attr_name="teleScore", default=0)
    total_score = NumberAttribute(attr_name="totalScore", default=0)
    criticals = JSONListAttribute(default=list)
    strategy = UnicodeAttribute(default="")
    comments = UnicodeAttribute(default="")
    rp_earned = NumberAttribute(attr_name="rpEarned", default=0)
    defended_against = BooleanAttribute(attr_name="defendedAgainst", default=False)
    defense = BooleanAttribute(default=False)
    win = BooleanAttribute(default=False)
    no_show = BooleanAttribute(attr_name="noShow", default=False)
    answers_in = "scores"
    computed = ("auto_score", "tele_score", "total_score")
    by_team = by_team("matchNumber")
    # Keys only, so that a correction does not write to this index.
    by_id = index("GSI2", "GSI2PK", columns=[])
    by_scout = by_scout("event", "teamNumber", "matchNumber", "totalScore")
    by_event = by_event_and_time("scoutId", "teamNumber", "matchNumber")

    class Meta:
        table_name = table_name("superalliance-stand-forms", variable="DDB_STAND_FORMS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    @classmethod
    def about(cls, event: str, team: str, match: int, *, further: str = "", **fields: Any) -> "StandForm":
        """A form about a robot in a match; `further` is the scout or form id of an additional report."""
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

    def _read_flat(self, flat: RawItem) -> None:
        game = flat_answers.game_of(self.stored)
        self.scores = flat_answers.answers_in(flat, game.questions if game else ())
        if game and self.scores:
            points = game.score(self.scores)
            for name, value in zip(self.computed, (points.auto, points.tele, points.total), strict=True):
                if self.get_attributes()[name].attr_name not in flat:
                    setattr(self, name, value)

    def derived(self) -> dict[str, Any]:
        # The match as the sort key has it: other programs do not pad its number.
        in_match = self.sk.removeprefix(f"{keys.of_team(self.team)}#")
        return {
            "gsi1_pk": keys.of_team(self.team),
            "gsi1_sk": f"{keys.of_event(self.event)}#{in_match}",
            "gsi2_pk": f"ID#{self.id}",
        }


class PitForm(RobotForm):
    """The answers of a team about its robot."""

    entity = UnicodeAttribute(default="PitForm")
    answers = JSONMapAttribute(default_for_new=dict)
    # See `scouting.forms.photos`.
    photos = JSONListAttribute(default_for_new=list)
    # The URL of a picture from an import.
    robot_image = UnicodeAttribute(attr_name="robotImage", null=True)
    answers_in = "answers"
    by_team = by_team("usersName")
    by_scout = by_scout("event", "teamNumber")

    class Meta:
        table_name = table_name("superalliance-pit-forms", variable="DDB_PIT_FORMS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    @classmethod
    def about(cls, event: str, team: str, **fields: Any) -> "PitForm":
        return cls(pk=keys.of_event(event), sk=keys.of_team(team), event=event, team=team, **fields)

    def _read_flat(self, flat: RawItem) -> None:
        game = flat_answers.game_of(self.stored)
        self.answers = flat_answers.answers_in(flat, game.pit if game else ())

    def derived(self) -> dict[str, Any]:
        return {"gsi1_pk": keys.of_team(self.team), "gsi1_sk": keys.of_event(self.event)}


class CommentForm(ScoutForm):
    """A note about a team at an event."""

    entity = UnicodeAttribute(default="CommentForm")
    comments = UnicodeAttribute()
    by_team = by_team("usersName")
    by_scout = by_scout("event", "teamNumber", "comments")
    by_event = by_event_and_time("scoutId", "usersName", "teamNumber", "comments")

    class Meta:
        table_name = table_name("superalliance-comment-forms", variable="DDB_COMMENT_FORMS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    @classmethod
    def about(cls, event: str, team: str, **fields: Any) -> "CommentForm":
        """The sort key has the id after the time, so two comments of the same millisecond do not collide."""
        form = cls(event=event, team=team, **fields)
        form.created_at = form.created_at or now()
        form.pk = f"{keys.of_event(event)}#{keys.of_team(team)}"
        form.sk = f"CREATED#{to_iso(form.created_at)}#{form.id[-8:]}"
        return form

    def derived(self) -> dict[str, Any]:
        return {"gsi1_pk": keys.of_team(self.team), "gsi1_sk": self.sk}
