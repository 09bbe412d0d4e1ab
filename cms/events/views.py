"""The public page of an event."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from cms.base.queries import public_at
from cms.events.presenters import event_context, related
from cms.events.repository import events
from cms.site.responses import moved, render_page
from core.accounts.rights import public


@public
@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    found, records = public_at(events, slug, related)
    if found.slug != slug:
        return moved("public:event", found.slug)
    context = event_context(found, records)
    return render_page(request, "cms/events/page.html", context, title=found.title, description=found.place)
