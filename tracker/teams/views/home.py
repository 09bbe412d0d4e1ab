"""Home of the tracker: the user's managed teams or personal teams, invitations and deleted teams."""

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
from tracker.teams.forms import ROLES
from tracker.teams.models import OWNER, Membership, Team
from tracker.teams.services import invitations
from tracker.teams.views.team import glanced

PLAYER_VIEW, TEAM_VIEW = "player", "team"
# How many teams are shown with a summary of their games, each of which costs a request.
TOLD_TEAMS = 10
TITLES: dict[str, Text] = {TEAM_VIEW: _("My teams"), PLAYER_VIEW: _("My own games")}


@dataclass(frozen=True)
class Mine:
    """A team of the user with their membership and, for some, the summary of games and a question."""

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
    """Requests: session, memberships, teams, invitations and their teams; the games of up to ten teams; the
    user's players in the next games (of a single team its roster), and their answers."""
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
        # The personal team that everybody has from the first sign-in does not count.
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
    memberships = belonging.active
    mine = (
        Mine(team, memberships[team_id], Access(user, team, memberships[team_id]).may("manage_atbats"))
        for team_id, team in repository.teams.with_ids(memberships).items()
    )
    return sorted(mine, key=lambda each: (each.team.name.lower(), each.team.id))


def _told(user: User, teams: Sequence[Mine]) -> list[Mine]:
    """The teams with summaries, for the first `TOLD_TEAMS`; a single one as on its own page."""
    if len(teams) == 1:
        return [_told_alone(user, teams[0])]
    read = [replace(each, glance=glanced(each.team.id, [])) for each in teams[:TOLD_TEAMS]]
    players = repository.players.of_person(user.sub) if any(map(_coming, read)) else []
    return [*_asked(read, players), *teams[TOLD_TEAMS:]]


def _told_alone(user: User, mine: Mine) -> Mine:
    """A single team; its roster has both the seasons for the record and the user's player, in one request."""
    roster = repository.teams.roster(mine.team.id)
    player = roster.of_person(user.sub)
    read = replace(mine, glance=glanced(mine.team.id, roster.seasons))
    (told,) = _asked([read], [player] if player else [])
    return told


def _coming(mine: Mine) -> Card | None:
    """The next game that asks for an answer; None for personal teams and without a summary."""
    if mine.team.is_personal or mine.glance is None or mine.glance["next"] is None:
        return None
    card: Card = mine.glance["next"]
    return card


def _asked(teams: Sequence[Mine], players: Iterable[Player]) -> list[Mine]:
    """The teams with the question whether the user comes to the next game, where they can play."""
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
