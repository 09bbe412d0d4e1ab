"""The public view of static pages."""

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from cms.pages.models import FRONT
from cms.pages.presenters import page_context
from cms.pages.queries import public_page
from cms.site.responses import cacheable, render_page
from core.accounts.rights import public


@public
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    content = public_page(slug)
    found = content.page
    if found.slug == FRONT:
        return cacheable(HttpResponsePermanentRedirect(reverse("public:home")))
    if found.slug != slug:
        return cacheable(HttpResponsePermanentRedirect(reverse("public:page", args=[found.slug])))
    return render_page(request, "cms/pages/page.html", page_context(content), title=found.title)
