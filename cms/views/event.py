"""Events, as readers see them."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.rights import public
from cms.models import Event, Team
from cms.services.event import public_event
from cms.views.public import kept, page
from crud import richtext
from crud.listing import Badge
from dynamo.attributes import now

UPCOMING, PAST = Badge("scheduled", _("Upcoming")), Badge("archived", _("Past"))
GOING_ON = Badge("published", _("Going on now"))


@public
@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    found, teams = public_event(slug)
    if found.slug != slug:
        return kept(HttpResponsePermanentRedirect(reverse("public:event", args=[found.slug])))
    return page("cms/event.html", event_context(found, teams))


def event_context(event: Event, teams: list[Team]) -> dict[str, Any]:
    """What the event's template shows, for readers and in the preview."""
    return {
        "event": event,
        "teams": teams,
        "badge": when_badge(event),
        "text": richtext.render(event.description) if event.description else "",
    }


def when_badge(event: Event) -> Badge | None:
    """A draft may have no date yet."""
    if not event.start_date:
        return None
    if event.is_over():
        return PAST
    return UPCOMING if event.start_date > now() else GOING_ON
