"""The public page of an event."""

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from cms.events.presenters import event_context
from cms.events.queries import public_event
from cms.site.responses import cacheable, render_page
from core.accounts.rights import public


@public
@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    found = public_event(slug)
    if found.event.slug != slug:
        return cacheable(HttpResponsePermanentRedirect(reverse("public:event", args=[found.event.slug])))
    return render_page(
        request,
        "cms/events/page.html",
        event_context(found),
        title=found.event.title,
        description=found.event.place,
        picture=next(iter(found.pictures), None),
    )
