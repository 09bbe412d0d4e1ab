"""Reads of a team's games for its page and for Home."""

from collections.abc import Iterable, Sequence
from typing import Any

from core.dynamo.attributes import now
from core.dynamo.paging import MOST
from tracker import repository
from tracker.games.models import Game, Season
from tracker.games.presenters import AnswerCard, Card
from tracker.roster.models import Player
from tracker.teams.summary import glance


def summary_of(team_id: str, seasons: Sequence[Season] = ()) -> dict[str, Any]:
    """The context of the summary. One page of games is enough, because a season has fewer."""
    games = repository.games.listed(team_id, newest_first=True, limit=MOST).items
    found = glance(games, seasons, now())
    return {
        "live": Card(found.live) if found.live else None,
        "next": Card(found.next) if found.next else None,
        "results": [Card(game) for game in found.results],
        "record": found.record,
        "season": found.season,
        "is_empty": not games,
    }


def questions_of(games: Iterable[Game], players: Iterable[Player]) -> dict[str, AnswerCard]:
    """By team, whether its player comes to its game, where they can play: the question with their answer."""
    of_teams = {game.team_id: game for game in games}
    playing = [player for player in players if player.plays and player.team_id in of_teams]
    answers = repository.answers.of_players({of_teams[each.team_id].id: each.id for each in playing})
    return {
        player.team_id: AnswerCard(Card(game), player.id, answers.get(game.id, ""))
        for player in playing
        for game in [of_teams[player.team_id]]
    }
