"""Repositories of stand, pit and comment forms."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar, Unpack

from django.utils.translation import gettext_lazy as _

from core.dynamo import queries
from core.dynamo.actors import Actor
from core.dynamo.changeset import Changed
from core.dynamo.errors import NotFound
from core.dynamo.guards import Unique
from core.dynamo.items import RawItem
from core.dynamo.paging import DEFAULT_LIMIT, Page
from core.dynamo.queries import PageOptions, every
from scouting import keys
from scouting.events.repository import AtEventRepository, of_its_event
from scouting.forms import flat_answers
from scouting.forms.models import CommentForm, PitForm, StandForm

F = TypeVar("F", StandForm, PitForm, CommentForm)
R = TypeVar("R", StandForm, PitForm)


class SentForm(NamedTuple):
    """The attributes of a stand form that the time index projects: its robot, match and scout."""

    team: str
    match: int
    scout_id: str | None

    @classmethod
    def of(cls, raw: RawItem) -> "SentForm":
        scout = raw.get("scoutId", {})
        return cls(flat_answers.team_of(raw), flat_answers.match_of(raw), scout.get("S"))


class FormRepository(AtEventRepository[F]):
    """Queries that all kinds of forms have."""

    # Their keys name the event, so they are found without a row.
    references = (of_its_event(has_row=False),)

    def across_events(self, team: str) -> list[F]:
        """The forms about a team at all events, newest first; only what the GSI projects."""
        return every(
            lambda **options: self.page(keys.of_team(team), index="GSI1", newest_first=True, **options)
        )

    def by_scout(self, scout_id: str, **options: Unpack[PageOptions]) -> Page[F]:
        """A page of the forms of a scout, by time; only what the GSI projects."""
        return self.page(scout_id, index="ScoutIndex", **options)


class RobotFormRepository(FormRepository[R]):
    """Base for forms about robots: the forms of an event are one partition."""

    def differences(self, item: Any, fields: Mapping[str, Any]) -> Changed:
        """Answers of a form of another program are written where they are stored."""
        if item.flat is None:
            return super().differences(item, fields)
        computed: dict[str, str] = dict(zip(item.computed, item.stored_names(item.computed), strict=True))
        left_out = {item.answers_in, *(name for name in computed if computed[name] not in item.flat)}
        others = {name: value for name, value in fields.items() if name not in left_out}
        before = getattr(item, item.answers_in)
        after = fields.get(item.answers_in, before)
        return super().differences(item, others) | flat_answers.changes(item.flat, before, after)

    def at(self, event: str) -> list[R]:
        """All forms of an event, by team and match."""
        return every(lambda **options: self.page(keys.of_event(event), **options))

    def stored_at(self, event: str) -> list[RawItem]:
        """All forms of an event as raw items, for `analysis.queries`, which caches the parsed ones."""
        return every(lambda **options: queries.query_raw(self.model, keys.of_event(event), **options))


class StandFormRepository(RobotFormRepository[StandForm]):
    model = StandForm
    entity = "stand"
    label = "team"
    label_fields = ("team", "match")
    # One report per scout, robot and match. Imported forms have no scout id, so they are not checked.
    unique = (
        Unique(
            "scout",
            lambda form: (
                f"{form.event}#{form.team}#{int(form.match)}#{form.scout_id}" if form.scout_id else None
            ),
            message=_("This scout has already reported this robot in this match."),
            is_receipt=True,
        ),
    )

    def tells_creation(self, item: StandForm, actor: Actor) -> bool:
        return item.scout_id == actor.sub

    def label_of(self, item: StandForm) -> str:
        return f"{item.team}, {int(item.match)}"

    def of_team(self, event: str, team: str, *, strong: bool = False) -> list[StandForm]:
        """The forms about a team, by match. The prefix ends with #, so that team 20 does not match 2053."""
        prefix = f"{keys.of_team(team)}#"
        return every(
            lambda **options: self.page(keys.of_event(event), prefix=prefix, strong=strong, **options)
        )

    def of_robot(self, event: str, team: str, match: int) -> list[StandForm]:
        """The form about a robot in a match, and additional reports of it.

        Other programs do not pad the number of the match, so all forms of the team are looked through.
        """
        return [form for form in self.of_team(event, team, strong=True) if form.match == match]

    def key_with_id(self, form_id: str) -> str:
        found = self.page(f"ID#{form_id}", index="GSI2", limit=1).items
        if not found:
            raise NotFound
        return self.key_of(found[0])

    def latest(self, event: str, *, newest_first: bool = False, limit: int = DEFAULT_LIMIT) -> Page[SentForm]:
        """A page of the forms of an event by time, from the GSI: only what it projects."""
        page = queries.query_raw(
            self.model, event, index="EventIndex", newest_first=newest_first, limit=limit
        )
        return Page(list(map(SentForm.of, page.items)), page.next_key)


class PitFormRepository(RobotFormRepository[PitForm]):
    model = PitForm
    entity = "pit"
    label = "team"


class CommentFormRepository(FormRepository[CommentForm]):
    model = CommentForm
    entity = "comment"
    label = "team"
    # The sort key begins with the time, so only this unique id keeps a resend of days later from being stored
    # twice.
    unique = (Unique("id", is_receipt=True),)

    def of_team(self, event: str, team: str) -> list[CommentForm]:
        """The comments about a team, newest first."""
        place = f"{keys.of_event(event)}#{keys.of_team(team)}"
        return every(lambda **options: self.page(place, newest_first=True, **options))

    def at(self, event: str) -> list[CommentForm]:
        """All comments of an event, newest first."""
        return every(lambda **options: self.page(event, index="EventIndex", newest_first=True, **options))


stand_forms = StandFormRepository()
pit_forms = PitFormRepository()
comment_forms = CommentFormRepository()
