"""What the search finds of the tracker: somebody's own teams, who plays for them, and their games."""

from collections.abc import Iterator, Sequence
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import may
from core.accounts.user import User
from core.crud import palette
from core.crud.addresses import address_of
from core.crud.palette import Hit, Source, has_words
from core.crud.times import formatted
from tracker import repository
from tracker.models import Game, Team
from tracker.policy import Access
from tracker.views.showing import Card

# Each costs up to two requests, and hardly anybody plays for more.
MOST_TEAMS = 10

palette.ACTIONS.append(("tracker:team-new", gettext_lazy("New softball team"), "ball"))


@palette.finds
def find_in_teams(user: User) -> Source | None:
    """Two requests, one for the roster of each team that has others in it, and one for each word and team
    that has games. Administrators find every team by its name, as they may open it."""
    if not may(user, "tracker.team.view"):
        return None
    memberships = {
        each.team_id: each for each in repository.profiles.belonging(user.sub).memberships if each.is_active
    }
    found = repository.teams.with_ids(list(memberships)) if memberships else {}
    # The newest first: of more teams than are looked through, these are the ones that play.
    teams = sorted(
        (team for team in found.values() if not team.is_deleted),
        # Those of another program may not tell when they were made.
        key=lambda team: (str(team.created_at or ""), team.id),
        reverse=True,
    )
    played = {team.id: team for team in teams[:MOST_TEAMS] if team.has_games}
    scopes = [repository.teams.scope_of(team) for team in played.values()]
    if may(user, "tracker.all.view"):
        scopes.append(repository.teams.scope)
    return Source(
        partial(_teams_and_players, teams),
        scopes,
        {repository.games.entity: partial(_game, played), repository.teams.entity: partial(_team, user)},
    )


def _teams_and_players(teams: Sequence[Team], wanted: Sequence[str]) -> Iterator[Hit]:
    for team in teams:
        if has_words(team.name, wanted):
            yield _team_hit(team)
    for team in [each for each in teams[:MOST_TEAMS] if not each.is_personal]:
        for player in repository.teams.roster(team.id).players:
            if has_words(player.name, wanted):
                address = address_of("tracker:player", team.id, player.id)
                yield Hit(player.name, "person", address, kind=team.name)


def _game(teams: dict[str, Team], game: Game) -> Hit | None:
    team = teams.get(game.team_id)
    if team is None:
        return None
    card = Card(game)
    day = formatted(game.scheduled_start, "j M Y") if game.scheduled_start else ""
    kind = " · ".join(filter(None, (team.name, day, game.location, card.score)))
    return Hit(card.opponent, "ball", card.address, kind=kind)


def _team(user: User, team: Team) -> Hit | None:
    return _team_hit(team) if not team.is_deleted and Access(user, team, None).role else None


def _team_hit(team: Team) -> Hit:
    return Hit(team.name, "ball", address_of("tracker:team", team.id), kind=_("Softball team"))
