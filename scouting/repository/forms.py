"""What scouts have written."""

from typing import Unpack

from dynamo.errors import NotFound
from dynamo.paging import Page
from dynamo.queries import PageOptions, every
from dynamo.references import Reference
from scouting import keys
from scouting.models import CommentForm, PitForm, StandForm
from scouting.repository.base import ScoutingRepository


class StandFormRepository(ScoutingRepository[StandForm]):
    model = StandForm
    entity = "stand"
    label = "team"
    searched = ("team", "scout_name")
    label_fields = ("team", "match")

    def label_of(self, item: StandForm) -> str:
        return f"{item.team}, {int(item.match)}"

    def at(self, event: str) -> list[StandForm]:
        """All of an event, by team and match."""
        return every(lambda **options: self.page(keys.of_event(event), **options))

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

    def across_events(self, team: str, **options: Unpack[PageOptions]) -> Page[StandForm]:
        return self.page(keys.of_team(team), index="GSI1", **options)

    def with_id(self, form_id: str) -> StandForm:
        found = self.page(f"ID#{form_id}", index="GSI2", limit=1).items
        if not found:
            raise NotFound
        return found[0]

    def by_scout(self, scout_id: str, **options: Unpack[PageOptions]) -> Page[StandForm]:
        return self.page(scout_id, index="ScoutIndex", **options)

    def latest(self, event: str, **options: Unpack[PageOptions]) -> Page[StandForm]:
        """Those of an event by the time they were sent."""
        return self.page(event, index="EventIndex", **options)


class PitFormRepository(ScoutingRepository[PitForm]):
    model = PitForm
    entity = "pit"
    label = "team"
    searched = ("team", "scout_name")
    references = (Reference("photo_ids", "media"),)

    def at(self, event: str) -> list[PitForm]:
        """All of an event, by team."""
        return every(lambda **options: self.page(keys.of_event(event), **options))

    def across_events(self, team: str, **options: Unpack[PageOptions]) -> Page[PitForm]:
        return self.page(keys.of_team(team), index="GSI1", **options)

    def by_scout(self, scout_id: str, **options: Unpack[PageOptions]) -> Page[PitForm]:
        return self.page(scout_id, index="ScoutIndex", **options)


class CommentFormRepository(ScoutingRepository[CommentForm]):
    model = CommentForm
    entity = "comment"
    label = "team"
    searched = ("team", "comments", "scout_name")

    def of_team(self, event: str, team: str, **options: Unpack[PageOptions]) -> Page[CommentForm]:
        """The newest first."""
        options.setdefault("newest_first", True)
        return self.page(f"{keys.of_event(event)}#{keys.of_team(team)}", **options)

    def across_events(self, team: str, **options: Unpack[PageOptions]) -> Page[CommentForm]:
        return self.page(keys.of_team(team), index="GSI1", **options)

    def by_scout(self, scout_id: str, **options: Unpack[PageOptions]) -> Page[CommentForm]:
        return self.page(scout_id, index="ScoutIndex", **options)

    def latest(self, event: str, **options: Unpack[PageOptions]) -> Page[CommentForm]:
        """Those of an event by the time they were sent."""
        return self.page(event, index="EventIndex", **options)


stand_forms = StandFormRepository()
pit_forms = PitFormRepository()
comment_forms = CommentFormRepository()
