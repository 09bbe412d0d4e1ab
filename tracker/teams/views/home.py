"""Home of the tracker: the user's managed teams or personal teams, invitations and deleted teams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
from tracker.teams.forms import ROLES
from tracker.teams.models import OWNER, Membership, Team
from tracker.teams.queries import questions_of, summary_of
from tracker.teams.services import invitations

PLAYER_VIEW, TEAM_VIEW = "player", "team"
# How many teams are shown with a summary of their games, each of which costs a request.
MOST_SUMMARIES = 10
TITLES: dict[str, Text] = {TEAM_VIEW: _("My teams"), PLAYER_VIEW: _("My own games")}


@dataclass
class Mine:
    """A team of the user with their membership and, for some, the summary of games and a question."""

    team: Team
    membership: Membership
    may_score: bool
    glance: Mapping[str, Any] = field(default_factory=dict)
    question: AnswerCard | None = None

    @property
    def next_game(self) -> Card | None:
        """The next game that asks for an answer."""
        return None if self.team.is_personal else self.glance.get("next")

    @property
    def can_come_back(self) -> bool:
        return self.membership.role == OWNER and self.team.is_deleted and self.team.is_recoverable()

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
    wanted = request.GET.get("view", "")
    view = wanted if wanted in views else next(iter(views), "")
    listed = managed if view == TEAM_VIEW else personal
    _summarise(request.user, listed)
    context: dict[str, Any] = {
        "view": view,
        "views": [(name, TITLES[name]) for name in views] if len(views) > 1 else [],
        "teams": listed,
        # The personal team that everybody has from the first sign-in does not count.
        "is_new": not managed and not any(each.team.has_games for each in personal),
        "first_personal": personal[0].team if personal else None,
        "only": listed[0] if len(listed) == 1 else None,
        "invitations": invitations.waiting_for(request.user),
        "deleted": [each.team for each in mine if each.can_come_back],
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


def _summarise(user: User, teams: Sequence[Mine]) -> None:
    """Add the summaries of the first teams, with the questions whether the person comes to the next games."""
    # The roster of a single team has both the seasons for the record and the person's player.
    roster = repository.teams.roster(teams[0].team.id) if len(teams) == 1 else None
    for each in teams[:MOST_SUMMARIES]:
        each.glance = summary_of(each.team.id, roster.seasons if roster else ())
    next_games = [each.next_game.game for each in teams if each.next_game]
    if roster is not None:
        own = roster.of_person(user.sub)
        players = [own] if own else []
    else:
        players = repository.players.of_person(user.sub) if next_games else []
    questions = questions_of(next_games, players)
    for each in teams:
        each.question = questions.get(each.team.id)
