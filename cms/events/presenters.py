"""The template values of an event."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from cms.events.models import Event
from cms.events.queries import EventPage
from core.content import richtext
from core.crud.listing import Badge
from core.dynamo.attributes import now

UPCOMING, PAST = Badge("scheduled", _("Upcoming")), Badge("archived", _("Past"))
GOING_ON = Badge("published", _("Going on now"))


def event_context(page: EventPage) -> dict[str, Any]:
    """The context of the event's template, for the public page and the preview."""
    event = page.event
    return {
        "event": event,
        "teams": page.teams,
        "pictures": page.pictures,
        "badge": when_badge(event),
        "text": richtext.render(event.description, page.text_pictures) if event.description else "",
    }


def when_badge(event: Event) -> Badge | None:
    """Upcoming, going on or past; None for a draft without a date."""
    if not event.start_date:
        return None
    if event.is_over():
        return PAST
    return UPCOMING if event.start_date > now() else GOING_ON
