"""The public page of a team."""

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from cms.site.responses import cacheable, cached_in_memory, render_page
from cms.teams.presenters import team_context
from cms.teams.queries import public_team
from core.accounts.rights import public


@public
@require_safe
@cached_in_memory()
def team(request: HttpRequest, slug: str) -> HttpResponse:
    page = public_team(slug)
    if page.team.slug != slug:
        return cacheable(HttpResponsePermanentRedirect(reverse("public:team", args=[page.team.slug])))
    return render_page(
        request,
        "cms/teams/page.html",
        team_context(page),
        title=page.team.name,
        description=page.team.description or page.team.league or "",
        picture=next(iter(page.pictures), None),
    )
