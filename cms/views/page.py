"""Pages that are neither news nor lists, as readers see them."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.rights import public
from cms.models import Page
from cms.models.page import FRONT
from cms.services.page import public_page
from cms.views import public as shared
from crud import richtext


@public
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    found = public_page(slug)
    if found.slug == FRONT:
        return shared.kept(HttpResponsePermanentRedirect(reverse("public:home")))
    if found.slug != slug:
        return shared.kept(HttpResponsePermanentRedirect(reverse("public:page", args=[found.slug])))
    return shared.page(request, "cms/page.html", page_context(found), title=found.title)


def page_context(page: Page) -> dict[str, Any]:
    """What the page's template shows, for readers and in the preview."""
    return {"page": page, "text": richtext.render(page.content) if page.content else ""}
