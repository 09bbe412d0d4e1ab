"""A game goes from state to state only as the table of FIELDS.md 5.6 says, and a team has one live game."""

import hashlib
import json
from datetime import UTC, datetime

import pytest
from django.core.exceptions import PermissionDenied

from core.dynamo import history, maintenance, tables
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, Invalid, NotFound
from tests.racing import at_once
from tests.tracker import club
from tracker import repository
from tracker.games.models import FINAL, IN_PROGRESS, POSTPONED, SCHEDULED
from tracker.games.services import games, seasons
from tracker.games.services.games import Impossible, NeedsLineup, NotByHand
from tracker.rules import game_states, season_rules
from tracker.scoring.models import AtBat
from tracker.scoring.services import scoring
from tracker.teams.models import PERSONAL

pytestmark = pytest.mark.usefixtures("db")

LATER = datetime(2026, 6, 1, 18, 0, tzinfo=UTC)
# From FIELDS.md 5.6, written down once more.
ALLOWED = {
    (SCHEDULED, IN_PROGRESS),
    (SCHEDULED, POSTPONED),
    (SCHEDULED, FINAL),
    (POSTPONED, SCHEDULED),
    (IN_PROGRESS, FINAL),
    (IN_PROGRESS, POSTPONED),
    (FINAL, IN_PROGRESS),
}


def planned(owner, team, **fields):
    """A game with a line-up of nine."""
    players = repository.teams.roster(team.id).players[-9:]
    if len(players) < 9:
        players = club.nine(team, actor=owner)
    game = games.create(owner, team.id, {"opponent_name": "Rivals", **fields})
    lineup = club.batting_order(players)
    return repository.games.update(game, {"lineup": lineup}, actor=owner.actor)


def in_state(owner, team, status):
    game = planned(owner, team)
    steps = {
        SCHEDULED: (),
        IN_PROGRESS: (IN_PROGRESS,),
        POSTPONED: (POSTPONED,),
        FINAL: (FINAL,),
    }
    for step in steps[status]:
        games.move(owner, game.id, step)
    return game


@pytest.mark.parametrize("start", game_states.TITLES)
@pytest.mark.parametrize("end", game_states.TITLES)
def test_only_the_steps_of_the_table_can_be_taken(owner, team, start, end):
    game = in_state(owner, team, start)
    if (start, end) in ALLOWED:
        moved = games.move(owner, game.id, end, fields={"scheduled_start": LATER})
        assert moved.status == end
        assert repository.boxes.get(team.id, None, game.id).status == end
    else:
        with pytest.raises(Impossible):
            games.move(owner, game.id, end, fields={"scheduled_start": LATER})


@pytest.mark.parametrize("unknown", ["in_progress", "LIVE", "", "FORFEIT"])
def test_other_states_do_not_exist(owner, team, unknown):
    game = planned(owner, team)
    with pytest.raises(Invalid):
        games.move(owner, game.id, unknown)


def test_a_game_without_a_date_is_played_when_it_starts_and_one_with_a_date_keeps_it(owner, team):
    undated = planned(owner, team)
    before = now()
    begun = games.move(owner, undated.id, IN_PROGRESS)
    assert before <= begun.scheduled_start <= now()
    ended = games.move(owner, undated.id, FINAL)
    assert ended.scheduled_start == begun.scheduled_start
    entered = planned(owner, team)
    games.move(owner, entered.id, FINAL)
    assert games.move(owner, entered.id, IN_PROGRESS).scheduled_start is None
    games.move(owner, entered.id, FINAL)
    dated = planned(owner, team, scheduled_start=LATER)
    assert games.move(owner, dated.id, IN_PROGRESS).scheduled_start == LATER


def test_nothing_that_is_sent_makes_a_game_begin_as_a_live_one(owner, team):
    game = games.create(owner, team.id, {"opponent_name": "Rivals", "status": IN_PROGRESS, "team_score": 9})
    assert (game.status, game.team_score) == (SCHEDULED, 0)
    with pytest.raises(NeedsLineup):
        games.move(owner, game.id, IN_PROGRESS)


def test_a_personal_team_needs_no_line_up(owner):
    team = club.team_of(owner, "Monday league", team_type=PERSONAL)
    game = games.create(owner, team.id, {})
    assert games.move(owner, game.id, IN_PROGRESS).status == IN_PROGRESS


def test_40_threads_start_games_of_one_team_and_one_is_live(owner, team):
    planned_games = [planned(owner, team) for _number in range(8)]

    def start(number):
        return games.move(owner, planned_games[number % 8].id, IN_PROGRESS)

    results = at_once(start, 40)

    assert sum(not isinstance(result, Exception) for result in results) == 1
    assert all(isinstance(result, Conflict) for result in results if isinstance(result, Exception))
    found = repository.games.of_team(team.id, limit=100).items
    assert sorted(game.status for game in found) == [IN_PROGRESS, *[SCHEDULED] * 7]


def test_the_next_game_can_begin_when_the_first_is_over(owner, team):
    first, second = planned(owner, team), planned(owner, team)
    games.move(owner, first.id, IN_PROGRESS)
    with pytest.raises(Impossible, match="Another game of this team is in progress"):
        games.move(owner, second.id, IN_PROGRESS)
    games.move(owner, first.id, FINAL)
    games.move(owner, second.id, IN_PROGRESS)
    with pytest.raises(Impossible):
        games.move(owner, first.id, IN_PROGRESS)


def test_a_postponed_game_needs_a_new_date(owner, team):
    game = in_state(owner, team, POSTPONED)
    with pytest.raises(Invalid) as refused:
        games.move(owner, game.id, SCHEDULED)
    assert refused.value.field == "scheduled_start"
    assert games.move(owner, game.id, SCHEDULED, fields={"scheduled_start": LATER}).scheduled_start == LATER


def test_a_result_is_entered_without_scoring(owner, team):
    game = games.create(owner, team.id, {"opponent_name": "Rivals"})
    moved = games.move(owner, game.id, FINAL, fields={"team_score": 7, "opponent_score": 3})
    assert (moved.team_score, moved.opponent_score, game_states.outcome(moved)) == (7, 3, game_states.WON)
    box = repository.boxes.get(team.id, None, game.id)
    assert (box.status, box.runs, box.opponent_score) == (FINAL, 7, 3)


def test_the_score_is_not_typed_when_it_follows_from_plate_appearances(owner, team):
    game = in_state(owner, team, IN_PROGRESS)
    out = AtBat.in_game(game, player_id=game.lineup[0]["playerId"], number=1, result="K", batting_order=1)
    repository.at_bats.create(out, actor=owner.actor)
    with pytest.raises(NotByHand) as refused:
        games.move(owner, game.id, FINAL, fields={"team_score": 5})
    assert refused.value.field == "team_score"
    with pytest.raises(NotByHand):
        games.edit(owner, game.id, {"team_score": 5})
    assert (
        games.move(owner, game.id, FINAL, fields={"team_score": 0, "opponent_score": 2}).opponent_score == 2
    )


def test_owner_and_manager_reopen_a_game_and_the_history_says_who(owner, team):
    game = in_state(owner, team, FINAL)
    cast = club.cast(owner, team)
    for role in ("scorekeeper", "player"):
        with pytest.raises(PermissionDenied):
            games.move(cast[role], game.id, IN_PROGRESS)
    with pytest.raises(NotFound):
        games.move(cast["stranger"], game.id, IN_PROGRESS)
    games.move(cast["manager"], game.id, IN_PROGRESS)
    told = history.entries("tracker-game", repository.games.key_of(game), limit=1, strong=True).items[0]
    assert (told.verb, told.actor_name) == ("reopen", "Manager Example")


def test_a_game_keeps_the_rules_with_which_it_began(owner, team):
    six, seven = season_rules.Rules(innings=6), season_rules.Rules(innings=7)
    season = seasons.create(owner, team.id, {"name": "Spring", "rules": season_rules.stored(six)})
    game = planned(owner, team, season_id=season.id)
    assert games.move(owner, game.id, IN_PROGRESS).rules["innings"] == 6
    seasons.edit(
        owner, team.id, season.id, {"rules": season_rules.stored(seven)}, seen_version=season.seen_version
    )
    games.move(owner, game.id, FINAL)
    assert games.move(owner, game.id, IN_PROGRESS).rules["innings"] == 6


def test_a_game_that_was_played_without_a_season_keeps_no_rules_of_a_later_one(owner, team):
    game = planned(owner, team)
    games.move(owner, game.id, IN_PROGRESS)
    batters = [entry["playerId"] for entry in repository.games.of(game.id, strong=True).lineup]
    for seen, batter in enumerate(batters[:2]):
        scoring.record(owner, game.id, {"result": "HR", "player_id": batter}, seen=seen)
    games.move(owner, game.id, FINAL, fields={"opponent_score": 1})
    no_home_runs = season_rules.stored(season_rules.Rules(home_run_limit=0))
    season = seasons.create(owner, team.id, {"name": "Spring", "rules": no_home_runs})
    games.edit(owner, game.id, {"season_id": season.id})
    reopened = games.move(owner, game.id, IN_PROGRESS)
    assert (reopened.team_score, reopened.rules) == (2, None)


def test_a_shared_game_has_another_link_each_time(owner, team):
    game = planned(owner, team)
    first = games.live_token(games.share(owner, game.id, shared=True))
    assert len(first) == 40
    assert repository.games.shared_as(first).id == game.id
    assert games.live_token(games.share(owner, game.id, shared=True)) == first
    assert games.live_token(games.share(owner, game.id, shared=False)) == ""
    with pytest.raises(NotFound):
        repository.games.shared_as(first)
    assert games.live_token(games.share(owner, game.id, shared=True)) != first


def test_the_token_of_a_shared_game_is_in_no_item_and_no_history(owner, team):
    game = planned(owner, team)
    first = games.live_token(games.share(owner, game.id, shared=True))
    games.share(owner, game.id, shared=False)
    second = games.live_token(games.share(owner, game.id, shared=True))
    names = [spec.name for spec in tables.specs()]
    dump = json.dumps([maintenance.request("Scan", TableName=name)["Items"] for name in names], default=str)
    assert hashlib.sha256(second.encode()).hexdigest() in dump
    assert first not in dump
    assert second not in dump


def test_with_a_new_secret_key_a_link_stays_as_long_as_the_old_key_is_known(owner, team, settings):
    game = planned(owner, team)
    first = games.live_token(games.share(owner, game.id, shared=True))
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another-key-" + "x" * 50
    settings.SECRET_KEY_FALLBACKS = [old]
    assert games.live_token(games.share(owner, game.id, shared=True)) == first
    settings.SECRET_KEY_FALLBACKS = []
    assert games.live_token(repository.games.of(game.id, strong=True)) == ""
    assert repository.games.shared_as(first).id == game.id
    second = games.live_token(games.share(owner, game.id, shared=True))
    assert repository.games.shared_as(second).id == game.id
    with pytest.raises(NotFound):
        repository.games.shared_as(first)
