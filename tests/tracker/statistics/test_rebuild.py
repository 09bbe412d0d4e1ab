"""`manage.py tracker rebuild`: every box score is what was written down."""

import pytest
from django.core.management import CommandError, call_command

from core.dynamo import transactions
from core.dynamo.items import new_id
from core.dynamo.metering import metered
from tests.racing import at_once
from tests.tracker import club, season
from tests.tracker.scorebook import Played
from tracker import repository
from tracker.rules import box_scores
from tracker.statistics import rebuild

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def game(owner, team):
    return season.played(team, club.nine(team, actor=owner), ["1B", "HR", "K", "K", "K"], actor=owner)


def spoil(game, **fields):
    box = repository.boxes.get(game.team_id, game.season_id, game.id, strong=True)
    for name, value in fields.items():
        setattr(box, name, value)
    transactions.commit(transactions.put(box))


def stored(game):
    return repository.boxes.get(game.team_id, game.season_id, game.id, strong=True)


def test_where_everything_is_right_it_says_so(game, capsys):
    call_command("tracker", "rebuild", "--dry-run")
    call_command("tracker", "rebuild")
    assert (
        capsys.readouterr().out.splitlines()
        == ["Every box score and every count is what was written down."] * 2
    )


def test_a_dry_run_names_what_differs_fails_and_changes_nothing(game, capsys):
    spoil(game, runs=9, left_on_base=4)
    with pytest.raises(CommandError, match="1 of them are not what was written down") as failure:
        call_command("tracker", "rebuild", "--dry-run")
    assert failure.value.returncode == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("2026-05-02 Rivertown Rockets")
    assert line.endswith(": leftOnBase, runs.")
    assert stored(game).runs == 9


def test_it_stores_what_is_right_with_the_next_revision(game, capsys):
    spoil(game, runs=9, lines={}, revision=5)
    call_command("tracker", "rebuild", "--team", game.team_id)
    assert "1 of 1 mended." in capsys.readouterr().out
    story = repository.games.story(game.id, strong=True)
    assert (
        stored(game).serialize() == box_scores.stored_box(story.game, story.at_bats, revision=6).serialize()
    )
    call_command("tracker", "rebuild", "--dry-run")


def test_a_team_that_does_not_exist_is_no_success():
    with pytest.raises(CommandError, match="does not exist"):
        call_command("tracker", "rebuild", "--team", "no-such-team")


def test_a_score_that_does_not_follow_is_mended_with_it(game):
    transactions.commit(transactions.update(type(game), game.raw_key(), [type(game).team_score.set(77)]))
    with pytest.raises(CommandError):
        call_command("tracker", "rebuild", "--dry-run")
    call_command("tracker", "rebuild")
    assert repository.games.of(game.id, strong=True).team_score == 2


def test_a_missing_one_is_made_and_one_without_a_game_is_removed(game, capsys):
    box = stored(game)
    lost = box_scores.stored_box(game, (), revision=1)
    lost.game_id = new_id()
    lost.sk = f"BOX#-#{lost.game_id}"
    transactions.commit(repository.boxes.remove(box), transactions.put(lost))
    call_command("tracker", "rebuild")
    out = capsys.readouterr().out
    assert "no box score." in out
    assert "a box score of a game that does not exist." in out
    assert [each.game_id for each in repository.boxes.of_team(game.team_id)] == [game.id]


def miscount(player, at_bats):
    change = type(player).at_bats.set(at_bats)
    transactions.commit(transactions.update(type(player), player.raw_key(), [change]))


def counted(player):
    return repository.players.of(player.team_id, player.id, strong=True).at_bats


def test_how_often_each_player_came_to_bat_is_proved_and_mended_too(owner, team, capsys):
    ada, bea, cem = (club.ghost(team, name, actor=owner) for name in ("Ada", "Bea", "Cem"))
    ran = {"runners": [{"from": 1, "to": 4, "playerId": cem.id}, {"from": 0, "to": 2}]}
    season.played(team, [ada, bea], ["1B", ("2B", ran), "K"], actor=owner)
    call_command("tracker", "rebuild", "--dry-run")
    for player, wrong in ((ada, 7), (cem, 0)):
        miscount(player, wrong)
    with pytest.raises(CommandError, match="2 of them are not what was written down"):
        call_command("tracker", "rebuild", "--dry-run")
    lines = capsys.readouterr().out.splitlines()[1:]
    assert lines == [f"Ada ({team.id}): atBats is 7, not 2.", f"Cem ({team.id}): atBats is 0, not 1."]
    assert (counted(ada), counted(cem)) == (7, 0)
    call_command("tracker", "rebuild")
    assert "2 of 2 mended." in capsys.readouterr().out
    assert [counted(player) for player in (ada, bea, cem)] == [2, 1, 1]
    call_command("tracker", "rebuild", "--dry-run")


def test_a_count_that_changed_meanwhile_is_left_to_who_changed_it():
    played = Played()
    played.record("1B")
    miscount(played.batter(1), 5)
    (found,) = filter(None, rebuild.checks(played.team.id))
    for _turn in range(9):
        played.record("K")
    assert rebuild.repair(found) is False
    assert counted(played.batter(1)) == 6


def test_games_are_read_page_by_page_and_each_is_checked_before_the_next_page(owner, team, monkeypatch):
    monkeypatch.setattr(rebuild, "PER_PAGE", 2)
    ada = club.ghost(team, "Ada", actor=owner)
    for _game in range(5):
        season.played(team, [ada], ["1B"], actor=owner)
    with metered() as spent:
        first = next(iter(rebuild.checks(team.id)))
        assert first is None
    assert [call.index for call in spent.calls if call.operation == "Query"] == ["GSI3", None]
    assert sum(1 for _found in rebuild.checks(team.id)) == 5 + 5 + 2


def test_a_team_whose_games_alone_are_left_is_found_too(game, team):
    spoil(game, runs=9)
    transactions.commit(transactions.delete(type(team), team.raw_key()))
    assert team.id in list(rebuild.team_ids())
    with pytest.raises(CommandError, match="1 of them"):
        call_command("tracker", "rebuild", "--dry-run")


def test_what_somebody_writes_meanwhile_is_not_lost():
    played = Played()
    played.record("1B")
    spoil(played.game, runs=9)
    (difference,) = filter(None, rebuild.checks(played.team.id))
    # Changes the box score, but neither the score nor anything else of the game.
    played.record("K")
    assert rebuild.repair(difference) is False
    assert (played.box().runs, played.box().pa_count) == (0, 2)


def test_it_finds_nothing_wrong_while_a_game_is_scored():
    played = Played()

    def work(number):
        if number:
            return [found for found in rebuild.checks(played.team.id) if found]
        for _turn in range(12):
            played.record("1B")
        return []

    assert at_once(work, 3) == [[], [], []]
    assert len(played.results()) == 12
