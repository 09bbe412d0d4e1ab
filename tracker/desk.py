"""What the tracker contributes to the pages across domains: tasks, search, a quick action, a profile."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial

from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import may
from core.accounts.user import User
from core.crud import palette
from core.crud.cached_urls import address_of
from core.crud.listing import Badge
from core.crud.palette import Hit, Source, has_words
from core.crud.times import formatted
from core.crud.todo import Task, task_source
from core.dynamo.attributes import now
from core.dynamo.paging import MOST
from core.people.profile import ProfileLink, profile_link
from tracker import repository
from tracker.games.models import IN_PROGRESS, POSTPONED, SCHEDULED, Game
from tracker.games.presenters import Card
from tracker.policy import Access
from tracker.teams.models import Team
from tracker.teams.queries import questions_of
from tracker.teams.services import invitations
from tracker.teams.summary import glance

# The games of each team cost a request, and its search up to two.
MOST_TEAMS = 10
GAME = gettext_lazy("game")
TO_ACCEPT = Badge("waiting", gettext_lazy("Waiting for you"))
UNFINISHED = {
    IN_PROGRESS: Badge("active", gettext_lazy("Finish the game")),
    POSTPONED: Badge("waiting", gettext_lazy("Set a new date")),
}
WITHOUT_RESULT = Badge("waiting", gettext_lazy("Enter the result"))
TO_ANSWER = Badge("waiting", gettext_lazy("Say whether you are coming"))


@task_source(requests=2, right="tracker.team.view")
def invitations_to_answer(user: User) -> Iterator[Task]:
    """Open invitations to the user's address, as tasks."""
    for each in invitations.waiting_for(user):
        yield Task(
            title=_("Join “%(team)s”, or say no") % {"team": each.team.name},
            address=reverse("tracker:invitation-waiting", args=[each.team.id, each.invitation.id]),
            kind=gettext_lazy("invitation"),
            at=each.invitation.created_at,
            badge=TO_ACCEPT,
        )


@task_source(requests=4 + MOST_TEAMS, right="tracker.team.view")
def games(user: User) -> Iterator[Task]:
    """Games to finish, to enter or to reschedule, for those who may; then the next games to answer for.

    Requests: memberships, teams, the games of each team that has games, the person's players, their answers.
    """
    active = repository.profiles.belonging(user.sub).active
    teams = repository.teams.with_ids(active)
    playing = [team for team in teams.values() if team.has_games and not team.is_deleted]
    coming: dict[str, tuple[Team, Game]] = {}
    for team in sorted(playing, key=lambda team: (team.name.lower(), team.id))[:MOST_TEAMS]:
        listed = repository.games.listed(team.id, newest_first=True, limit=MOST).items
        if Access(user, team, active[team.id]).may("manage_games"):
            for game in listed:
                badge, start = UNFINISHED.get(game.status), game.scheduled_start
                if game.status == SCHEDULED and start and localdate(start) < localdate():
                    badge = WITHOUT_RESULT
                if badge is not None:
                    yield _task(team, game, badge)
        next_game = glance(listed, [], now()).next
        if next_game is not None and not team.is_personal:
            coming[team.id] = (team, next_game)
    yield from _to_answer(user, coming)


def _to_answer(user: User, coming: dict[str, tuple[Team, Game]]) -> Iterator[Task]:
    """The next game of each team that the person plays for, if they have not answered yet."""
    players = repository.players.of_person(user.sub) if coming else []
    questions = questions_of((game for _team, game in coming.values()), players)
    for team_id, (team, game) in coming.items():
        if team_id in questions and not questions[team_id].said:
            yield _task(team, game, TO_ANSWER)


def _task(team: Team, game: Game, badge: Badge) -> Task:
    card = Card(game)
    title = _("%(team)s: %(opponent)s") % {"team": team.name, "opponent": card.opponent}
    if game.scheduled_start:
        title = _("%(game)s, %(day)s") % {"game": title, "day": card.day}
    has_begun = game.scheduled_start and game.scheduled_start < now()
    return Task(title, card.address, GAME, game.scheduled_start if has_begun else game.created_at, badge)


# --- Profile ------------------------------------------------------------------------------------------------


@profile_link
def softball_profile(_user: User) -> ProfileLink:
    return ProfileLink(
        "softball",
        gettext_lazy("Softball profile"),
        gettext_lazy("The name and the phone number that your teammates see."),
        "ball",
        address_of("tracker:profile"),
        has_name=True,
    )


# --- Search -------------------------------------------------------------------------------------------------


palette.ACTIONS.append(("tracker:team-new", gettext_lazy("New softball team"), "ball"))


@palette.register_finder("tracker")
def find_in_teams(user: User) -> Source | None:
    """The search source for teams, players and games.

    Two requests, one per roster of a team that is not personal, and one per word and team with games.
    Administrators also find every team by its name and the games of the newest other teams, because they may
    open them; that costs one request more.
    """
    if not may(user, "tracker.team.view"):
        return None
    memberships = repository.profiles.belonging(user.sub).active
    found = repository.teams.with_ids(memberships)
    # The newest first: beyond `MOST_TEAMS` the oldest teams are not searched.
    teams = sorted(
        (team for team in found.values() if not team.is_deleted),
        # Teams that another program wrote may have no `created_at`.
        key=lambda team: (str(team.created_at or ""), team.id),
        reverse=True,
    )
    others = _newest_of_others(memberships) if may(user, "tracker.all.view") else []
    played = {team.id: team for team in [team for team in (*teams, *others) if team.has_games][:MOST_TEAMS]}
    scopes = [repository.teams.scope_of(team) for team in played.values()]
    if may(user, "tracker.all.view"):
        scopes.append(repository.teams.scope)
    return Source(
        partial(_teams_and_players, teams),
        scopes,
        {repository.games.entity: partial(_game, played), repository.teams.entity: partial(_team, user)},
    )


def _newest_of_others(own: Collection[str]) -> list[Team]:
    """The newest teams with games that the person is no member of; personal teams are private."""
    return list(
        repository.teams.all(
            newest_first=True,
            limit=MOST_TEAMS,
            keep=lambda team: (
                team.has_games and not team.is_personal and not team.is_deleted and team.id not in own
            ),
        ).items
    )


def _teams_and_players(teams: Sequence[Team], wanted: Sequence[str]) -> Iterator[Hit]:
    for team in teams:
        if has_words(team.name, wanted):
            yield _team_hit(team)
    for team in [each for each in teams[:MOST_TEAMS] if not each.is_personal]:
        for player in repository.teams.roster(team.id).players:
            if has_words(player.name, wanted):
                address = address_of("tracker:player", team.id, player.id)
                players = repository.players
                yield Hit(
                    player.name,
                    "person",
                    address,
                    kind=team.name,
                    entity=players.entity,
                    key=players.key_of(player),
                )


def _game(teams: dict[str, Team], game: Game) -> Hit | None:
    team = teams.get(game.team_id)
    if team is None:
        return None
    card = Card(game)
    day = formatted(game.scheduled_start, _("j M Y")) if game.scheduled_start else ""
    kind = " · ".join(filter(None, (team.name, day, game.location, card.score)))
    return Hit(card.opponent, "ball", card.address, kind=kind)


def _team(user: User, team: Team) -> Hit | None:
    return _team_hit(team) if not team.is_deleted and Access(user, team, None).role else None


def _team_hit(team: Team) -> Hit:
    teams, address = repository.teams, address_of("tracker:team", team.id)
    return Hit(
        team.name, "ball", address, kind=_("Softball team"), entity=teams.entity, key=teams.key_of(team)
    )
