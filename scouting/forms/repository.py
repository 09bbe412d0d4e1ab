"""What scouts have written."""

from typing import NamedTuple, TypeVar, Unpack

from django.utils.translation import gettext_lazy as _

from core.dynamo import queries
from core.dynamo.errors import NotFound
from core.dynamo.guards import Unique
from core.dynamo.items import RawItem
from core.dynamo.paging import DEFAULT_LIMIT, Page
from core.dynamo.queries import PageOptions, every
from scouting import keys
from scouting.events.repository import of_its_event
from scouting.forms.models import CommentForm, PitForm, StandForm
from scouting.repository import ScoutingRepository

F = TypeVar("F", StandForm, PitForm, CommentForm)


class SentForm(NamedTuple):
    """Of which robot in which match a stand form is, and whose."""

    team: str
    match: int
    scout_id: str | None


class FormRepository(ScoutingRepository[F]):
    """What all forms can be asked for."""

    references = (of_its_event(),)

    def across_events(self, team: str) -> list[F]:
        """What was written about a team anywhere: only where and when, the newest first."""
        return every(
            lambda **options: self.page(keys.of_team(team), index="GSI1", newest_first=True, **options)
        )

    def by_scout(self, scout_id: str, **options: Unpack[PageOptions]) -> Page[F]:
        """What somebody has sent, in the order of time."""
        return self.page(scout_id, index="ScoutIndex", **options)


class RobotFormRepository(FormRepository[F]):
    """The forms about robots: those of an event are one partition."""

    def at(self, event: str) -> list[F]:
        """All of an event, by team and match."""
        return every(lambda **options: self.page(keys.of_event(event), **options))

    def stored_at(self, event: str) -> list[RawItem]:
        """The same as stored: `scouting.analysis.queries` knows most of them already."""
        return every(lambda **options: queries.query_raw(self.model, keys.of_event(event), **options))


class StandFormRepository(RobotFormRepository[StandForm]):
    model = StandForm
    entity = "stand"
    label = "team"
    label_fields = ("team", "match")
    # Two reports are two people's, whichever of them came first: imported ones do not tell whose they are.
    unique = (
        Unique(
            "scout",
            lambda form: (
                f"{form.event}#{form.team}#{int(form.match)}#{form.scout_id}" if form.scout_id else None
            ),
            message=_("There is a report of this robot in this match by the same scout already."),
        ),
    )

    def label_of(self, item: StandForm) -> str:
        return f"{item.team}, {int(item.match)}"

    def of_team(self, event: str, team: str, *, strong: bool = False) -> list[StandForm]:
        """By match. The prefix ends with #: team 20 is not team 2053."""
        prefix = f"{keys.of_team(team)}#"
        return every(
            lambda **options: self.page(keys.of_event(event), prefix=prefix, strong=strong, **options)
        )

    def of_robot(self, event: str, team: str, match: int) -> list[StandForm]:
        """The form of a robot in a match, and further reports of it."""
        prefix = f"{keys.of_team(team)}#{keys.of_match(match)}"
        return list(self.page(keys.of_event(event), prefix=prefix, strong=True).items)

    def key_with_id(self, form_id: str) -> str:
        found = self.page(f"ID#{form_id}", index="GSI2", limit=1).items
        if not found:
            raise NotFound
        return self.key_of(found[0])

    def latest(self, event: str, *, newest_first: bool = False, limit: int = DEFAULT_LIMIT) -> Page[SentForm]:
        """Those of an event by the time they were sent: only what the index tells of them."""
        page = queries.query_raw(
            self.model, event, index="EventIndex", newest_first=newest_first, limit=limit
        )
        return Page([_sent(raw) for raw in page.items], page.next_key)


class PitFormRepository(RobotFormRepository[PitForm]):
    model = PitForm
    entity = "pit"
    label = "team"


class CommentFormRepository(FormRepository[CommentForm]):
    model = CommentForm
    entity = "comment"
    label = "team"
    # Its key begins with the time, so only this keeps one that is sent again days later from being another.
    unique = (Unique("id"),)

    def of_team(self, event: str, team: str) -> list[CommentForm]:
        """The newest first."""
        place = f"{keys.of_event(event)}#{keys.of_team(team)}"
        return every(lambda **options: self.page(place, newest_first=True, **options))

    def at(self, event: str) -> list[CommentForm]:
        """All of an event, the newest first."""
        return every(lambda **options: self.page(event, index="EventIndex", newest_first=True, **options))


def _sent(raw: RawItem) -> SentForm:
    scout = raw.get("scoutId", {})
    return SentForm(raw["teamNumber"]["S"], int(float(raw["matchNumber"]["N"])), scout.get("S"))


stand_forms = StandFormRepository()
pit_forms = PitFormRepository()
comment_forms = CommentFormRepository()
