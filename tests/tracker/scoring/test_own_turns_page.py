"""What a person may write down of the own turns only."""

import pytest

from core.dynamo.items import new_id
from tests.tracker.club import person, team_of
from tests.tracker.scorebook import started
from tests.tracker.scoring.scoring_page import address, signed_in, text, turn
from tracker import repository

pytestmark = pytest.mark.usefixtures("db")


def test_a_person_writes_down_the_own_turns_only(db):
    ada = person("Ada")
    team = team_of(ada, "Monday League", team_type="PERSONAL")
    (player,) = repository.teams.roster(team.id, strong=True).players
    game = started(ada, team, [])
    client = signed_in(ada)
    page = text(client.get(f"/tracker/games/{game.id}/score/"))
    assert "Your next turn" in page
    assert 'id="bases"' not in page
    sent = {"player": player.id, "rbis": "", "once": new_id()}
    for seen, fields in enumerate(
        [{"result": "2B", "scored": "on", "rbis": "2"}, {"result": "HR", "scored": "on"}]
    ):
        answer = client.post(
            f"/tracker/games/{game.id}/record/", sent | fields | {"seen": seen, "once": new_id()}
        )
        assert answer.status_code == 302
    box = repository.boxes.get(team.id, None, game.id, strong=True)
    assert box.lines == {player.id: {"doubles": 1, "home_runs": 1, "runs": 2, "runs_batted_in": 3}}
    refused = client.post(
        f"/tracker/games/{game.id}/record/", sent | {"player": "nobody", "result": "K", "seen": 2}
    )
    assert refused.status_code == 422


@pytest.fixture
def own_turn(db):
    """Sends the turn of somebody who writes down only the own; answers the status and the runs batted in."""
    ada = person("Ada")
    team = team_of(ada, "Monday League", team_type="PERSONAL")
    (player,) = repository.teams.roster(team.id, strong=True).players
    game = started(ada, team, [])
    client = signed_in(ada)

    def send(result, rbis):
        sent = {"player": player.id, "seen": 0, "once": new_id(), "result": result, "rbis": rbis}
        answer = client.post(f"/tracker/games/{game.id}/record/", sent)
        lines = repository.boxes.get(team.id, None, game.id, strong=True).lines
        return answer.status_code, (lines or {}).get(player.id, {}).get("runs_batted_in", 0)

    return send


@pytest.mark.parametrize(
    ("result", "rbis", "counted"),
    [
        ("HR", "", 1),
        ("HR", "4", 4),
        ("1B", "", 0),
        ("1B", "3", 3),
        ("SF", "", 1),
        ("SF", "2", 2),
        ("BB", "1", 1),
    ],
)
def test_what_can_be_batted_in_without_knowing_the_runners(own_turn, result, rbis, counted):
    assert own_turn(result, rbis) == (302, counted)


@pytest.mark.parametrize(
    ("result", "rbis"),
    [("HR", "0"), ("1B", "4"), ("3B", "4"), ("SH", "4"), ("SF", "0"), ("BB", "2"), ("CI", "2"), ("K", "1")],
)
def test_what_cannot_be_batted_in_is_refused_without_knowing_the_runners(own_turn, result, rbis):
    assert own_turn(result, rbis) == (422, 0)


@pytest.mark.parametrize(("before", "result"), [((), "HR"), (("3B",), "SF")])
def test_a_home_run_and_a_sacrifice_fly_bat_in_one_at_least(played, client, before, result):
    for each in before:
        played.record(each)
    answer = client.post(address(played, "record"), turn(played, result, rbis="0"))
    assert answer.status_code == 422
    assert "has at least one RBI." in text(answer)
