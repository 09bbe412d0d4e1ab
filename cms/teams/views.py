"""The public page of a team."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from cms.base.queries import public_at
from cms.site.responses import cached_in_memory, moved, render_page
from cms.teams.presenters import related, team_context
from cms.teams.repository import teams
from core.accounts.rights import public


@public
@require_safe
@cached_in_memory()
def team(request: HttpRequest, slug: str) -> HttpResponse:
    found, records = public_at(teams, slug, related)
    if found.slug != slug:
        return moved("public:team", found.slug)
    context, description = team_context(found, records), found.description or found.league or ""
    return render_page(request, "cms/teams/page.html", context, title=found.name, description=description)
