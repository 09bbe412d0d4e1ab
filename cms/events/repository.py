"""Repository of events."""

from datetime import datetime, timedelta
from typing import Unpack

from django.utils.translation import gettext_lazy as _

from cms.base.repository import AgedRepository, SluggedRepository, pictures_in, unique_address
from cms.events.models import LONGEST_EVENT, Event
from core.content.status import PUBLISHED
from core.dynamo.attributes import now, to_iso
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, both
from core.dynamo.references import Reference

# The limit of `between`, by one query; more than a club has in a few months.
MOST_AT_ONCE = 1000


class EventRepository(SluggedRepository[Event], AgedRepository[Event]):
    model = Event
    entity = "event"
    adopts = True
    label = "title"
    searched = ("title", "variant")
    list_index = "GSI-List"
    unique = (unique_address(_("Another event already uses this address. Choose another one.")),)
    references = (
        Reference("image_ids", to="media"),
        pictures_in("description"),
        Reference("team_ids", to="team"),
    )
    redirect_fields = ("id", "slug", "status", "start_date", "team_ids", "image_ids")

    def with_status(self, status: str, **options: Unpack[PageOptions]) -> Page[Event]:
        """By creation time, because a draft may have no date."""
        return self.page(status, index="GSI-Status", **options)

    def public(self, **options: Unpack[PageOptions]) -> Page[Event]:
        """Published events, by start time."""
        return self.page(PUBLISHED, index="GSI-StartDate", **options)

    def upcoming(self, **options: Unpack[PageOptions]) -> Page[Event]:
        """Published events that are not over, by start time."""
        options["keep"] = both(lambda event: not event.is_over(), options.get("keep"))
        earliest = to_iso(now() - LONGEST_EVENT)
        return self.page(PUBLISHED, index="GSI-StartDate", at_least=earliest, **options)

    def past(self, **options: Unpack[PageOptions]) -> Page[Event]:
        """Published events that are over, by start time."""
        options["keep"] = both(Event.is_over, options.get("keep"))
        return self.page(PUBLISHED, index="GSI-StartDate", at_most=to_iso(now()), **options)

    def overlapping(
        self, first: datetime, last: datetime | None = None, **options: Unpack[PageOptions]
    ) -> Page[Event]:
        """Published events that overlap this time, by start time."""
        options["keep"] = both(lambda event: event.ends > first, options.get("keep"))
        return self._starting(first - LONGEST_EVENT, last, **options)

    def between(self, first: datetime, last: datetime | None = None) -> list[Event]:
        """All of these by one query."""
        found = self._starting(first - LONGEST_EVENT, last, limit=MOST_AT_ONCE)
        return [event for event in found.items if event.ends > first]

    def _starting(
        self, first: datetime, last: datetime | None, **options: Unpack[PageOptions]
    ) -> Page[Event]:
        at_most = to_iso(last - timedelta(milliseconds=1)) if last else None
        return self.page(PUBLISHED, index="GSI-StartDate", at_least=to_iso(first), at_most=at_most, **options)


events = EventRepository()
