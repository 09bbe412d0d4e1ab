"""The page of an event: the records that it shows, and the values of its template."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from cms.events.models import Event
from cms.media.queries import media_refs, select_pictures, text_html, text_picture_ids
from cms.teams.models import Team
from core.content.status import PUBLISHED
from core.crud.fields.picker import is_possible
from core.crud.listing import Badge
from core.dynamo.attributes import now
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef

UPCOMING, PAST = Badge("scheduled", _("Upcoming")), Badge("archived", _("Past"))
GOING_ON = Badge("published", _("Going on now"))


def related(event: Event) -> list[RecordRef]:
    """References to its teams and pictures."""
    teams = [("team", key) for key in event.team_ids or () if is_possible("team", key)]
    return [*teams, *media_refs([*(event.image_ids or ()), *text_picture_ids(event)])]


def event_context(event: Event, records: Mapping[RecordRef, Item]) -> dict[str, Any]:
    """The context of the event's template, for the public page and the preview."""
    teams = [each for each in records.values() if isinstance(each, Team) and each.status == PUBLISHED]
    return {
        "event": event,
        "teams": sorted(teams, key=lambda team: str(team.sort_name)),
        "pictures": select_pictures(event.image_ids, records),
        "badge": when_badge(event),
        "text": text_html(event, records),
    }


def when_badge(event: Event) -> Badge | None:
    """Upcoming, going on or past; None for a draft without a date."""
    if not event.start_date:
        return None
    if event.is_over():
        return PAST
    return UPCOMING if event.start_date > now() else GOING_ON
