"""Home of the softball pages, by what somebody is part of: nothing yet, own figures, teams, or both."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, may, requires
from core.accounts.user import User
from core.dynamo.errors import Text
from tracker import repository
from tracker.games.presenters import AnswerCard, Card
from tracker.people.repository import Belonging
from tracker.policy import Access
from tracker.roster.models import Player
from tracker.teams.forms.teams import ROLES
from tracker.teams.models import OWNER, Membership, Team
from tracker.teams.services import invitations
from tracker.teams.views.team import glanced

PLAYER_VIEW, TEAM_VIEW = "player", "team"
# Each of them costs a request; whoever has more teams opens the others.
TOLD_TEAMS = 10
TITLES: dict[str, Text] = {TEAM_VIEW: _("My teams"), PLAYER_VIEW: _("My own games")}


@dataclass(frozen=True)
class Mine:
    """A team of somebody, what they are in it, and what is on there now."""

    team: Team
    membership: Membership
    may_score: bool
    glance: dict[str, Any] | None = None
    asked: AnswerCard | None = None

    @property
    def role(self) -> Text:
        return ROLES.get(self.membership.role, self.membership.role)


@requires("tracker.team.view")
@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    """Session, memberships, teams, invitations and their teams; the games of each team, up to ten of them;
    who the person is in the next games (of one team alone: its roster), and what they said to them."""
    belonging = repository.profiles.belonging(request.user.sub)
    mine = _teams(request.user, belonging)
    alive = [each for each in mine if not each.team.is_deleted]
    managed = [each for each in alive if not each.team.is_personal]
    personal = [each for each in alive if each.team.is_personal]
    views = [name for name, teams in ((TEAM_VIEW, managed), (PLAYER_VIEW, personal)) if teams]
    asked = request.GET.get("view", "")
    view = asked if asked in views else next(iter(views), "")
    shown = _told(request.user, managed if view == TEAM_VIEW else personal)
    context: dict[str, Any] = {
        "view": view,
        "views": [(name, TITLES[name]) for name in views] if len(views) > 1 else [],
        "teams": shown,
        # The team that everybody has from the beginning says nothing yet.
        "is_new": not managed and not any(each.team.has_games for each in personal),
        "first_personal": personal[0].team if personal else None,
        "only": shown[0] if len(shown) == 1 else None,
        "invitations": invitations.waiting_for(request.user),
        "deleted": [each.team for each in mine if _can_come_back(each)],
        "profile": belonging.profile,
        "may_create": may(request.user, "tracker.team.create"),
    }
    return render(request, "tracker/teams/home.html", context)


def _teams(user: User, belonging: Belonging) -> list[Mine]:
    memberships = {each.team_id: each for each in belonging.memberships if each.is_active}
    found = repository.teams.with_ids(list(memberships)) if memberships else {}
    mine = (
        Mine(team, memberships[team_id], Access(user, team, memberships[team_id]).may("manage_atbats"))
        for team_id, team in found.items()
    )
    return sorted(mine, key=lambda each: (each.team.name.lower(), each.team.id))


def _told(user: User, teams: Sequence[Mine]) -> list[Mine]:
    """With what is on in them, for as many as are read; one alone is told as on its own page."""
    if len(teams) == 1:
        return [_told_alone(user, teams[0])]
    read = [replace(each, glance=glanced(each.team.id, [])) for each in teams[:TOLD_TEAMS]]
    players = repository.players.of_person(user.sub) if any(map(_coming, read)) else []
    return [*_asked(read, players), *teams[TOLD_TEAMS:]]


def _told_alone(user: User, mine: Mine) -> Mine:
    """The seasons, of which its record is one, and who the person is there come in one request."""
    roster = repository.teams.roster(mine.team.id)
    player = roster.of_person(user.sub)
    read = replace(mine, glance=glanced(mine.team.id, roster.seasons))
    (told,) = _asked([read], [player] if player else [])
    return told


def _coming(mine: Mine) -> Card | None:
    """The next game of a team that asks who comes."""
    if mine.team.is_personal or mine.glance is None or mine.glance["next"] is None:
        return None
    card: Card = mine.glance["next"]
    return card


def _asked(teams: Sequence[Mine], players: Iterable[Player]) -> list[Mine]:
    """Whoever plays says here whether they come to the next game."""
    coming = {each.team.id: card for each in teams if (card := _coming(each)) is not None}
    own = _playing(players, coming)
    wanted = {coming[team].game.id: player.id for team, player in own.items()}
    said = repository.answers.of_players(wanted) if own else {}
    asked = {
        team: AnswerCard(coming[team], player.id, said.get(coming[team].game.id, ""))
        for team, player in own.items()
    }
    return [replace(each, asked=asked.get(each.team.id)) for each in teams]


def _playing(players: Iterable[Player], teams: Iterable[str]) -> dict[str, Player]:
    wanted = set(teams)
    return {player.team_id: player for player in players if player.plays and player.team_id in wanted}


def _can_come_back(mine: Mine) -> bool:
    return mine.membership.role == OWNER and mine.team.is_deleted and mine.team.is_recoverable()
