"""Services for the line-up of a game and its substitutions."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.errors import NotFound
from core.dynamo.idempotency import IdempotencyKey, refuse
from tracker import repository
from tracker.games.models import FINAL, IN_PROGRESS, Game
from tracker.games.services.games import Impossible
from tracker.rules import lineups, season_rules
from tracker.rules.lineups import Entry
from tracker.scoring import game_writing
from tracker.scoring.game_writing import OpenGame, Seen

# The fields of the game in the form's fingerprint.
FIELDS = ("lineup", "substitutions")


def save(
    user: User,
    game_id: str,
    lineup: Sequence[Entry],
    *,
    seen: Seen = None,
    once: IdempotencyKey | None = None,
) -> Game:
    """Save the line-up of a game that is not final; during play only places in which nobody has batted."""
    opened = game_writing.allowed(user, game_id, "manage_games")
    game, at_bats = opened.game, opened.story.at_bats
    if opened.access.team.is_personal:
        raise NotFound
    if game.status == FINAL:
        refuse(Impossible(_("The game is over. Reopen it to change its line-up.")), once)
    game_writing.refuse_unseen(game, FIELDS, seen, once)
    lineups.check_change(game, at_bats, lineup)
    is_cleared = not lineup and game.status != IN_PROGRESS
    if not is_cleared:
        roster = repository.teams.roster(game.team_id, strong=True)
        league = season_rules.of_game(game, roster.season(game.season_id))
        lineups.check(lineup, roster.players, fewest=league.fewest_batters)
    return game_writing.write(opened, {"lineup": list(lineup)}, verb="line_up", once=once)


def substitute(
    user: User, game_id: str, place: int, player_id: str, *, once: IdempotencyKey | None = None
) -> Game:
    """Substitute the batter of a place, from the next plate appearance on."""
    opened = _live(user, game_id, once)
    try:
        player = repository.players.of(opened.game.team_id, player_id, strong=True)
    except NotFound:
        raise lineups.BadLineup(_("Choose players of this team."), field="player") from None
    try:
        came = lineups.with_substitution(opened.game, opened.story.at_bats, place, player)
    except lineups.BadLineup as error:
        # A replay finds its own substitution.
        refuse(error, once)
    return game_writing.write(opened, {"substitutions": came}, verb="substitute", once=once)


def leave(user: User, game_id: str, place: int, *, once: IdempotencyKey | None = None) -> Game:
    """Leave a place of the batting order empty, for example after an injury without a substitute."""
    opened = _live(user, game_id, once)
    try:
        came = lineups.with_leaving(opened.game, opened.story.at_bats, place)
    except lineups.BadLineup as error:
        refuse(error, once)
    return game_writing.write(opened, {"substitutions": came}, verb="leave", once=once)


def take_back(user: User, game_id: str, *, once: IdempotencyKey | None = None) -> Game:
    """Undo the last substitution, unless its place has batted since."""
    opened = game_writing.allowed(user, game_id, "manage_games")
    game = opened.game
    if not lineups.can_take_back(game, opened.story.at_bats):
        refuse(Impossible(_("There is no substitution to undo.")), once)
    before = list(game.substitutions)[:-1]
    return game_writing.write(opened, {"substitutions": before}, verb="take_back", once=once)


def _live(user: User, game_id: str, once: IdempotencyKey | None) -> OpenGame:
    opened = game_writing.allowed(user, game_id, "manage_games")
    if opened.game.status != IN_PROGRESS:
        refuse(Impossible(_("You can only substitute while a game is in progress.")), once)
    return opened
