"""Figures of a game that is being scored."""

from tracker import repository
from tracker.rules.box_scores import lines_in
from tracker.scoring import game_writing


def line(played, number):
    return lines_in(played.box())[played.batter(number).id]


def at_bats_of(played, number):
    return repository.players.of(played.team.id, played.batter(number).id, strong=True).at_bats or 0


def substitute(played, number, player, after):
    opened = game_writing.allowed(played.owner, played.id, "manage_games")
    substitutions = [
        *(opened.game.substitutions or ()),
        {"battingOrder": number, "playerId": player.id, "after": after},
    ]
    game_writing.write(opened, {"substitutions": substitutions}, verb="substitute")
