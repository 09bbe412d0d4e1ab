"""The overview page of a team."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from tracker import repository
from tracker.navigation import team_context
from tracker.policy import access
from tracker.teams.forms import ROLES
from tracker.teams.queries import summary_of


@requires("tracker.team.view")
@require_safe
def overview(request: SignedInRequest, team: str) -> HttpResponse:
    """Four requests: session, team and membership, roster, latest games."""
    found = access(request.user, team)
    roster = repository.teams.roster(team)
    context = team_context(found, "overview") | {
        "glance": summary_of(team, roster.seasons),
        "role": ROLES.get(found.role or ""),
        "is_member": found.membership is not None and found.membership.is_active,
        "player": roster.of_person(request.user.sub),
        "plays": sum(player.plays for player in roster.players),
        "may_edit": found.may("manage_team") and not (found.team.is_personal and found.team.has_games),
        "may_delete": found.may("delete_team") and not (found.team.is_personal and found.team.has_games),
        "may_plan": found.may("manage_games"),
        "may_score": found.may("manage_atbats"),
        "may_roster": found.manages_roster,
    }
    return render(request, "tracker/teams/team.html", context)
