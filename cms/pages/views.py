"""The public view of static pages."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from cms.base.queries import public_at
from cms.pages.models import FRONT, IMPRINT
from cms.pages.presenters import imprint_facts, page_context, related
from cms.pages.repository import pages
from cms.site.responses import moved, render_page
from core.accounts.rights import public
from core.dynamo.errors import NotFound


@public
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    facts = imprint_facts() if slug == IMPRINT else []
    try:
        found, records = public_at(pages, slug, related)
    except NotFound:
        if not facts:
            raise
        # What the settings of the club say is an imprint of its own.
        title = _("Imprint")
        context = {"page": {"title": title}, "facts": facts}
        return render_page(request, "cms/pages/page.html", context, title=title)
    if found.slug == FRONT:
        return moved("public:home")
    if found.slug != slug:
        return moved("public:page", found.slug)
    context = page_context(found, records) | {"facts": facts}
    return render_page(request, "cms/pages/page.html", context, title=found.title)
