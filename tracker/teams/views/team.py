"""The overview page of a team."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.dynamo.attributes import now
from core.dynamo.paging import MOST
from tracker import repository
from tracker.games.models import Season
from tracker.games.presenters import Card
from tracker.navigation import frame
from tracker.policy import access
from tracker.teams.forms import ROLES
from tracker.teams.summary import Glance, glance


@requires("tracker.team.view")
@require_safe
def overview(request: SignedInRequest, team: str) -> HttpResponse:
    """Four requests: session, team and membership, roster, latest games."""
    found = access(request.user, team)
    roster = repository.teams.roster(team)
    context = frame(found, "overview") | {
        "glance": glanced(team, roster.seasons),
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


def glanced(team_id: str, seasons: list[Season]) -> dict[str, Any]:
    """The context of the summary. One page of games is enough, because a season has fewer."""
    games = repository.games.listed(team_id, newest_first=True, limit=MOST).items
    found: Glance = glance(games, seasons, now())
    return {
        "live": Card(found.live) if found.live else None,
        "next": Card(found.next) if found.next else None,
        "results": [Card(game) for game in found.results],
        "record": found.record,
        "season": found.season,
        "is_empty": not games,
    }
