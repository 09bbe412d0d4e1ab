"""A game is deleted with what was written down in it, and comes back whole."""

from datetime import timedelta

import pytest
from django.urls import reverse

from core.crud.toasts import undo_of
from core.dynamo import idempotency, queries, trash
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, DataError, NotFound
from tests.racing import at_once
from tests.tracker import club
from tests.tracker.scorebook import once
from tracker import keys, repository
from tracker.games.models import IN_PROGRESS
from tracker.games.services import availability, game_removal, games, seasons
from tracker.items import Row
from tracker.scoring import game_writing
from tracker.scoring.limits import RECORDING
from tracker.scoring.services import lineup, scoring

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def game(owner, team):
    return games.create(owner, team.id, {"opponent_name": "Rivals"})


def played(owner, team, game, count=5):
    """A live game with some plate appearances; the first batter hits a home run."""
    players = club.nine(team, actor=owner)
    lineup.save(owner, game.id, club.batting_order(players))
    games.move(owner, game.id, IN_PROGRESS)
    for number in range(count):
        bats(owner, game, players, number, "K" if number else "HR")
    return players


def bats(owner, game, players, number, result="1B"):
    told = {"player_id": players[number % len(players)].id, "result": result}
    return scoring.record(owner, game.id, told, seen=number)


def everything_of(game):
    story = repository.games.story(game.id, strong=True)
    return [*(each.stored for each in story.at_bats), *(each.stored for each in story.answers)]


def counts(team):
    return {
        player.first_name: int(player.at_bats or 0) for player in repository.teams.roster(team.id).players
    }


def test_what_was_taken_back_stays_so_in_a_game_that_was_deleted_and_brought_back(
    owner, team, game, monkeypatch
):
    players = played(owner, team, game, count=0)
    request, told = once(owner), {"result": "HR", "player_id": players[0].id}
    gone = scoring.record(owner, game.id, told, seen=0, once=request).at_bat
    scoring.undo(owner, game.id, gone.id)
    trash_id = game_removal.delete(owner, game.id)
    assert list(queries.query(Row, keys.of_game(game.id), strong=True).items) == []
    game_removal.restore(owner, game.id, trash_id)
    monkeypatch.setattr(idempotency, "now", lambda: now() + timedelta(days=3))
    scoring.record(owner, game.id, told, seen=0, once=request)
    assert repository.games.story(game.id, strong=True).at_bats == []


def test_a_game_in_which_something_was_written_down_is_deleted_after_a_confirmation(owner, team, game):
    played(owner, team, game)
    browser, address = club.browser_of(owner), reverse("tracker:game-delete", args=[game.id])
    page = browser.post(address, {})
    assert (page.status_code, list(page.context["form"].errors)) == (409, ["confirmed"])
    assert "5 plate appearances have been recorded" in page.content.decode()
    assert browser.post(address, {"confirmed": "on"}).status_code == 302
    with pytest.raises(NotFound):
        repository.games.of(game.id)
    assert repository.games.of_team(team.id).items == []
    assert repository.boxes.of_team(team.id) == []
    assert sum(counts(team).values()) == 0


def test_it_comes_back_whole(owner, team, game):
    players = played(owner, team, game)
    availability.answer(owner, game.id, players[0].id, "yes")
    before, told = everything_of(game), counts(team)
    box = repository.boxes.get(team.id, None, game.id)
    trash_id = game_removal.delete(owner, game.id, confirmed=True)
    assert list(repository.at_bats.of_player(players[0].id).items) == []
    back = game_removal.restore(owner, game.id, trash_id).game
    assert (back.status, back.team_score, len(back.lineup)) == (IN_PROGRESS, 1, 9)
    assert everything_of(game) == before
    assert counts(team) == told
    restored = repository.boxes.get(team.id, None, game.id)
    assert (restored.lines, restored.runs, restored.made_of) == (box.lines, box.runs, box.made_of)
    assert bats(owner, game, players, 5).opened.game.team_score == 1
    with pytest.raises(NotFound):
        game_removal.restore(owner, game.id, trash_id)


def test_a_game_whose_season_is_gone_comes_back_without_one_and_that_is_said(owner, team, game):
    season = seasons.create(owner, team.id, {"name": "Spring"})
    games.edit(owner, game.id, {"season_id": season.id})
    players = played(owner, team, game)
    trash_id = game_removal.delete(owner, game.id, confirmed=True)
    seasons.delete(owner, team.id, season.id)
    address = reverse("tracker:game-restore", args=[game.id])
    page = club.browser_of(owner).post(address, {"trash": trash_id}, follow=True)
    told = [str(message) for message in page.context["messages"]]
    assert told == ["Game restored without its season, which has been deleted."]
    assert repository.games.of(game.id, strong=True).season_id is None
    assert repository.boxes.get(team.id, None, game.id, strong=True).runs == 1
    assert bats(owner, game, players, 5).opened.game.team_score == 1


def test_the_toast_offers_to_undo_it(owner, team, game):
    browser = club.browser_of(owner)
    answer = browser.post(reverse("tracker:game-delete", args=[game.id]), {}, follow=True)
    (message,) = answer.context["messages"]
    undo = undo_of(message)
    assert browser.post(undo.address, undo.fields).status_code == 302
    assert repository.games.of(game.id).opponent_name == "Rivals"


def test_a_very_long_game_is_deleted_and_comes_back_too(owner, team, game, monkeypatch):
    monkeypatch.setattr(game_removal, "PARTS_PER_TRANSACTION", 4)
    played(owner, team, game, count=9)
    before = everything_of(game)
    trash_id = game_removal.delete(owner, game.id, confirmed=True)
    assert sum(counts(team).values()) == 0
    game_removal.restore(owner, game.id, trash_id)
    assert everything_of(game) == before
    assert sum(counts(team).values()) == 9


def test_the_largest_game_fits_into_its_transactions(owner, team, game, monkeypatch):
    """60 plate appearances of 20 batters and the game's own items are below a hundred operations."""
    monkeypatch.setattr(RECORDING, "ensure", lambda _sub: None)
    others = [club.ghost(team, f"Extra{number}", actor=owner) for number in range(11)]
    players = [*club.nine(team, actor=owner), *others]
    lineup.save(owner, game.id, club.batting_order(players))
    games.move(owner, game.id, IN_PROGRESS)
    for number in range(game_removal.PARTS_PER_TRANSACTION + 2):
        bats(owner, game, players, number)
    trash_id = game_removal.delete(owner, game.id, confirmed=True)
    game_removal.restore(owner, game.id, trash_id)
    assert sum(counts(team).values()) == game_removal.PARTS_PER_TRANSACTION + 2


def test_a_long_game_that_cannot_come_back_yet_is_counted_once_when_it_does(owner, team, game, monkeypatch):
    monkeypatch.setattr(game_removal, "PARTS_PER_TRANSACTION", 4)
    players = played(owner, team, game, count=12)
    before, told = everything_of(game), counts(team)
    trash_id = game_removal.delete(owner, game.id, confirmed=True)
    other = games.create(owner, team.id, {})
    lineup.save(owner, other.id, club.batting_order(players))
    games.move(owner, other.id, IN_PROGRESS)
    for _time in range(3):
        with pytest.raises(DataError):
            game_removal.restore(owner, game.id, trash_id)
        assert sum(counts(team).values()) == 0
    game_removal.delete(owner, other.id)
    game_removal.restore(owner, game.id, trash_id)
    assert (everything_of(game), counts(team)) == (before, told)


def test_undo_that_is_tapped_twice_changes_nothing_that_came_since(owner, team, game, monkeypatch):
    monkeypatch.setattr(game_removal, "PARTS_PER_TRANSACTION", 4)
    played(owner, team, game, count=9)
    trash_id = game_removal.delete(owner, game.id, confirmed=True)
    look = trash.find

    def overtaken(*arguments):
        monkeypatch.setattr(trash, "find", look)
        trashed = look(*arguments)
        game_removal.restore(owner, game.id, trash_id)
        last = repository.games.story(game.id, strong=True).at_bats[-1]
        scoring.undo(owner, game.id, last.id)
        return trashed

    monkeypatch.setattr(trash, "find", overtaken)
    with pytest.raises(DataError):
        game_removal.restore(owner, game.id, trash_id)
    assert len(everything_of(game)) == 8
    assert sum(counts(team).values()) == 8


def test_an_answer_that_nobody_saw_keeps_the_game_from_being_deleted(owner, team, game, monkeypatch):
    ada = club.ghost(team, "Ada", 7, actor=owner)
    look = game_writing.allowed

    def looked(*arguments):
        monkeypatch.undo()
        opened = look(*arguments)
        availability.answer(owner, game.id, ada.id, "no", note="knee")
        return opened

    monkeypatch.setattr(game_writing, "allowed", looked)
    with pytest.raises(Conflict):
        game_removal.delete(owner, game.id)
    assert [each.note for each in repository.games.story(game.id, strong=True).answers] == ["knee"]


def test_whoever_may_not_delete_games_brings_none_back(owner, team, game):
    cast = club.cast(owner, team)
    trash_id = game_removal.delete(owner, game.id)
    address = reverse("tracker:game-restore", args=[game.id])
    answers = {
        role: club.browser_of(cast[role]).post(address, {"trash": trash_id}).status_code
        for role in ("player", "stranger", "scorekeeper")
    }
    assert answers == {"player": 403, "stranger": 404, "scorekeeper": 302}
    other = games.create(owner, team.id, {})
    foreign = game_removal.delete(owner, other.id)
    assert club.browser_of(owner).post(address, {"trash": foreign}).status_code == 404


def test_a_plate_appearance_that_is_recorded_while_the_game_is_deleted_is_not_left_behind(owner, team, game):
    players = played(owner, team, game, count=2)

    def work(number):
        if number:
            return bats(owner, game, players, 2)
        return game_removal.delete(owner, game.id, confirmed=True)

    results = at_once(work, 4)
    if isinstance(results[0], DataError):
        game_removal.delete(owner, game.id, confirmed=True)
    with pytest.raises(NotFound):
        repository.games.story(game.id, strong=True)
    assert sum(counts(team).values()) == 0
    assert repository.boxes.of_team(team.id) == []
