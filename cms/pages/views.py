"""The public view of static pages."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from cms.base.queries import public_at
from cms.pages.models import FRONT
from cms.pages.presenters import page_context, related
from cms.pages.repository import pages
from cms.site.responses import moved, render_page
from core.accounts.rights import public


@public
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    found, records = public_at(pages, slug, related)
    if found.slug == FRONT:
        return moved("public:home")
    if found.slug != slug:
        return moved("public:page", found.slug)
    return render_page(request, "cms/pages/page.html", page_context(found, records), title=found.title)
