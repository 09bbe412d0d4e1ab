"""Pages that are neither news nor lists, as readers see them."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from cms.pages.models import FRONT
from cms.pages.queries import PageShown, public_page
from cms.site import responses as shared
from core.accounts.rights import public
from core.content import richtext


@public
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    told = public_page(slug)
    found = told.page
    if found.slug == FRONT:
        return shared.kept(HttpResponsePermanentRedirect(reverse("public:home")))
    if found.slug != slug:
        return shared.kept(HttpResponsePermanentRedirect(reverse("public:page", args=[found.slug])))
    return shared.page(request, "cms/pages/page.html", page_context(told), title=found.title)


def page_context(told: PageShown) -> dict[str, Any]:
    """What the page's template shows, for readers and in the preview."""
    content = told.page.content
    return {"page": told.page, "text": richtext.render(content, told.in_text) if content else ""}
