"""`manage.py tracker rebuild`: every box score is what was written down."""

import pytest
from django.core.management import CommandError, call_command

from dynamo import transactions
from dynamo.items import new_id
from tests.racing import at_once
from tests.tracker import club, season
from tests.tracker.scorebook import Played
from tracker import boxes, repository
from tracker.services import rebuilding

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def owner():
    return club.person("Olivia")


@pytest.fixture
def team(owner):
    return club.team_of(owner)


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
    assert capsys.readouterr().out.splitlines() == ["Every box score is what was written down."] * 2


def test_a_dry_run_names_what_differs_fails_and_changes_nothing(game, capsys):
    spoil(game, runs=9, left_on_base=4)
    with pytest.raises(CommandError, match="1 box scores are not what was written down") as failure:
        call_command("tracker", "rebuild", "--dry-run")
    assert failure.value.returncode == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("2026-05-02 Rivertown Rockets")
    assert line.endswith(": leftOnBase, runs.")
    assert stored(game).runs == 9


def test_it_stores_what_is_right_with_the_next_revision(game, capsys):
    spoil(game, runs=9, lines={}, revision=5)
    call_command("tracker", "rebuild", "--team", game.team_id)
    assert "1 of 1 box scores mended." in capsys.readouterr().out
    story = repository.games.story(game.id, strong=True)
    assert stored(game).serialize() == boxes.stored_box(story.game, story.at_bats, revision=6).serialize()
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
    lost = boxes.stored_box(game, (), revision=1)
    lost.game_id = new_id()
    lost.sk = f"BOX#-#{lost.game_id}"
    transactions.commit(repository.boxes.remove(box), transactions.put(lost))
    call_command("tracker", "rebuild")
    out = capsys.readouterr().out
    assert "no box score." in out
    assert "a box score of a game that does not exist." in out
    assert [each.game_id for each in repository.boxes.of_team(game.team_id)] == [game.id]


def test_what_somebody_writes_meanwhile_is_not_lost():
    played = Played()
    played.record("1B")
    spoil(played.game, runs=9)
    (difference,) = filter(None, rebuilding.checks(played.team.id))
    # Changes the box score, but neither the score nor anything else of the game.
    played.record("K")
    assert rebuilding.repair(difference) is False
    assert (played.box().runs, played.box().pa_count) == (0, 2)


def test_it_finds_nothing_wrong_while_a_game_is_scored():
    played = Played()

    def work(number):
        if number:
            return [found for found in rebuilding.checks(played.team.id) if found]
        for _turn in range(12):
            played.record("1B")
        return []

    assert at_once(work, 3) == [[], [], []]
    assert len(played.results()) == 12
