"""What each role of a team may do with its games, tried through requests that no page offers them."""

import pytest
from django.urls import reverse

from tests.tracker import club
from tracker import repository
from tracker.games.models import FINAL, IN_PROGRESS
from tracker.games.services import games, seasons
from tracker.rules import lineups
from tracker.scoring import game_writing
from tracker.scoring.services import lineup

pytestmark = pytest.mark.usefixtures("db")

# What each role is answered: owner, manager, scorekeeper, player, stranger.
ROLES = ("owner", "manager", "scorekeeper", "player", "stranger")
SEEN = (200, 200, 200, 200, 404)
SCORING = (302, 302, 302, 403, 404)
MANAGING = (302, 302, 403, 403, 404)
TABLE = [
    ("get", "games", "team", {}, SEEN),
    ("get", "games-calendar", "team", {}, SEEN),
    ("get", "seasons", "team", {}, SEEN),
    ("get", "game", "game", {}, SEEN),
    ("get", "game-history", "game", {}, SEEN),
    ("get", "game-new", "team", {}, (200, 200, 200, 403, 404)),
    ("get", "game-edit", "game", {}, (200, 200, 200, 403, 404)),
    ("get", "game-delete", "game", {}, (200, 200, 200, 403, 404)),
    ("get", "lineup", "game", {}, (200, 200, 200, 403, 404)),
    ("get", "season-new", "team", {}, (200, 200, 403, 403, 404)),
    ("post", "game-new", "team", {"opponent_name": "X"}, SCORING),
    ("post", "game-edit", "game", {"opponent_name": "X", "seen": "<seen>"}, SCORING),
    ("post", "game-status", "game", {"status": "POSTPONED"}, SCORING),
    ("post", "game-status", "final", {"status": "IN_PROGRESS"}, MANAGING),
    ("post", "game-delete", "game", {}, SCORING),
    ("post", "game-share", "game", {"shared": "on"}, SCORING),
    ("post", "lineup", "game", {"order": "<nine>", "seen": "<lineup>"}, SCORING),
    ("post", "lineup-substitute", "live", {"slot": "1", "player": "<tenth>"}, SCORING),
    ("post", "season-new", "team", {"name": "S", "innings": "7", "home_run_above_limit": "OUT"}, MANAGING),
    ("post", "season-delete", "season", {}, MANAGING),
    ("post", "season-restore", "gone-season", {}, MANAGING),
]


@pytest.mark.parametrize(("method", "name", "about", "sent", "answers"), TABLE)
def test_forged_requests_are_answered_by_the_role(owner, team, method, name, about, sent, answers):
    cast = club.cast(owner, team)
    players = club.nine(team, actor=owner)
    tenth = club.ghost(team, "Jan", actor=owner)
    ids = [player.id for player in players]
    for role, expected in zip(ROLES, answers, strict=True):
        args, data = _place(owner, team, about, ids), dict(sent)
        if "seen" in data:
            shown = lineup.FIELDS if name == "lineup" else games.FIELDS
            data["seen"] = game_writing.fingerprint(repository.games.of(args[0]), shown)
        if "order" in data:
            data["order"] = ids
        if "player" in data:
            data["player"] = tenth.id
        answer = getattr(club.browser_of(cast[role]), method)(reverse(f"tracker:{name}", args=args), data)
        assert (role, answer.status_code) == (role, expected)
        _end(owner, args[0])


def _place(owner, team, about, ids):
    """A fresh one for each role, so that nobody meets what another one did."""
    if about == "team":
        return (team.id,)
    if about == "season":
        return (team.id, seasons.create(owner, team.id, {"name": "Spring"}).id)
    if about == "gone-season":
        season = seasons.create(owner, team.id, {"name": "Spring"})
        seasons.delete(owner, team.id, season.id)
        return (team.id, season.id)
    game = games.create(owner, team.id, {"opponent_name": "Rivals"})
    if about == "game":
        return (game.id,)
    repository.games.update(game, {"lineup": lineups.entries(ids, {})}, actor=owner.actor)
    games.move(owner, game.id, IN_PROGRESS if about == "live" else FINAL)
    return (game.id,)


def _end(owner, game_id):
    """One live game for each team."""
    found = repository.games.get_many([repository.games.key(game_id)], strong=True)
    for game in found.values():
        if game.status == IN_PROGRESS:
            games.move(owner, game.id, FINAL)
