"""Teams, as readers see them."""

from collections.abc import Collection
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from cms.site.responses import kept, page, remembered
from cms.teams.queries import TeamPage, public_team
from cms.teams.rules import GENDERS
from core.accounts.rights import public


@public
@require_safe
@remembered()
def team(request: HttpRequest, slug: str) -> HttpResponse:
    told = public_team(slug)
    if told.team.slug != slug:
        return kept(HttpResponsePermanentRedirect(reverse("public:team", args=[told.team.slug])))
    return page(
        request,
        "cms/teams/page.html",
        team_context(told),
        title=told.team.name,
        description=told.team.description or told.team.league or "",
        picture=next(iter(told.pictures), None),
    )


def team_context(told: TeamPage, *, without_email: Collection[str] = ()) -> dict[str, Any]:
    """What the team's template shows, for readers and in the preview."""
    return {
        "without_email": without_email,
        "told": told,
        "team": told.team,
        "gender": dict(GENDERS).get(told.team.gender, ""),
        "results": told.results,
    }
