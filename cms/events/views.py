"""Events, as readers see them."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from cms.events.models import Event
from cms.events.queries import EventPage, public_event
from cms.site.responses import kept, page
from core.accounts.rights import public
from core.content import richtext
from core.crud.listing import Badge
from core.dynamo.attributes import now

UPCOMING, PAST = Badge("scheduled", _("Upcoming")), Badge("archived", _("Past"))
GOING_ON = Badge("published", _("Going on now"))


@public
@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    found = public_event(slug)
    if found.event.slug != slug:
        return kept(HttpResponsePermanentRedirect(reverse("public:event", args=[found.event.slug])))
    return page(
        request,
        "cms/events/page.html",
        event_context(found),
        title=found.event.title,
        description=found.event.place,
        picture=next(iter(found.pictures), None),
    )


def event_context(told: EventPage) -> dict[str, Any]:
    """What the event's template shows, for readers and in the preview."""
    event = told.event
    return {
        "event": event,
        "teams": told.teams,
        "pictures": told.pictures,
        "badge": when_badge(event),
        "text": richtext.render(event.description, told.in_text) if event.description else "",
    }


def when_badge(event: Event) -> Badge | None:
    """A draft may have no date yet."""
    if not event.start_date:
        return None
    if event.is_over():
        return PAST
    return UPCOMING if event.start_date > now() else GOING_ON
