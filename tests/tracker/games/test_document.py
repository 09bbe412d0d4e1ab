"""Items as JSON: the fields in the documented order, and no secrets."""

import json

import pytest

from tests.tracker import club, season
from tests.tracker.scorebook import Played
from tracker import repository
from tracker.games.document import document, fields_of
from tracker.games.models import Answer, Game, Season
from tracker.games.services import games
from tracker.people.models import Profile
from tracker.roster.models import Player
from tracker.rules import season_rules
from tracker.rules.replay import Rules
from tracker.scoring.models import AtBat, TakenOut
from tracker.scoring.services import scoring
from tracker.statistics.models import StoredBox
from tracker.teams.models import Invitation, Membership, Team

# Examples of stored items, field by field.
DOCUMENTED = {
    Profile: "PK SK userId email firstName lastName phoneNumber createdAt updatedAt "
    "GSI1PK GSI1SK GSI2PK GSI2SK",
    Team: "PK SK teamId name description ownerId team_type createdAt updatedAt GSI2PK GSI2SK",
    Membership: "PK SK userId teamId role status joinedAt invitedBy",
    Player: "PK SK playerId teamId firstName lastName playerNumber positions status isGhost userId linkedAt "
    "createdAt updatedAt",
    Game: "PK SK gameId teamId status scheduledStart opponentName location teamScore opponentScore lineup "
    "createdAt updatedAt GSI2PK GSI2SK GSI3PK GSI3SK",
}
OURS = (Season, AtBat, Answer, Invitation, StoredBox, TakenOut)


@pytest.mark.parametrize("model", DOCUMENTED)
def test_documented_fields_are_in_the_documented_order(model):
    wanted = DOCUMENTED[model].split()
    assert [name for name in fields_of(model) if name in wanted] == wanted


@pytest.mark.parametrize("model", [*DOCUMENTED, *OURS])
def test_keys_come_first_and_index_keys_last_and_nothing_is_forgotten(model):
    names = fields_of(model)
    is_index = [name.startswith("GSI") for name in names]
    assert names[:2] == ["PK", "SK"]
    assert is_index == sorted(is_index)
    stored = {attribute.attr_name for attribute in model.get_attributes().values()}
    assert set(names) == stored - {"refs"}


@pytest.mark.usefixtures("db")
def test_a_field_without_a_value_is_null_and_one_of_another_program_is_kept():
    owner = club.person("Olivia")
    membership = repository.memberships.of(owner.sub, club.team_of(owner).id)
    assert document(membership)["invitedBy"] is None
    membership.stored["shirtSize"] = {"S": "M"}
    assert document(membership)["shirtSize"] == "M"


@pytest.mark.usefixtures("db")
def test_the_files_of_a_team_and_a_game_tell_no_secrets():
    owner = club.person("Olivia")
    team = club.team_of(owner)
    ada = club.ghost(team, "Ada", 7, actor=owner)
    played = season.played(team, [ada], ["HR", "K"], actor=owner)
    shared = games.share(owner, played.id, shared=True)
    assert games.live_token(shared)
    browser = club.browser_of(owner)
    of_team = browser.get(f"/tracker/teams/{team.id}/document.json")
    of_game = browser.get(f"/tracker/games/{played.id}/document.json")
    assert shared.share_key not in of_team.text + of_game.text
    told = json.loads(of_team.text)
    assert list(told) == ["team", "seasons", "players", "games", "boxes"]
    assert told["players"][0]["firstName"] in ("Ada", "Olivia")
    assert told["boxes"][0]["lines"][ada.id]["home_runs"] == 1
    at_bats = json.loads(of_game.text)["atBats"]
    assert [each["result"] for each in at_bats] == ["HR", "K"]
    assert list(at_bats[0])[:6] == ["PK", "SK", "atBatId", "gameId", "teamId", "playerId"]


def names(entries):
    return [list(entry) for entry in entries]


def test_what_is_within_a_field_has_one_order_however_it_was_stored():
    lineup = [
        {"playerId": "ada", "battingOrder": 1, "position": "SS"},
        {"position": "P", "battingOrder": 2, "playerId": "bea"},
    ]
    came = [{"after": 2, "playerId": "zoe", "battingOrder": 1}]
    league = dict(reversed(season_rules.stored(Rules(run_ahead=((5, 10),))).items()))
    game = Game.about("g-1", team_id="t-1", lineup=lineup, substitutions=came, rules=league)
    told = document(game)
    assert names(told["lineup"]) == [["playerId", "battingOrder", "position"]] * 2
    assert names(told["substitutions"]) == [["playerId", "battingOrder", "after"]]
    assert list(told["rules"]) == list(season_rules.stored(Rules()))
    assert names(told["rules"]["runAhead"]) == [["inning", "lead"]]
    moves = [{"to": 2, "from": 1, "playerId": "zoe", "shoes": "red"}, {"out": True, "from": 0}]
    told = document(AtBat.in_game(game, player_id="ada", number=1, result="1B", runners=moves))
    assert names(told["runners"]) == [["playerId", "from", "to", "shoes"], ["from", "out"]]
    lines = {"zoe": {"runs": 1, "singles": 2}, "ada": {"runs_batted_in": 1, "home_runs": 1}}
    told = document(
        StoredBox(pk="TEAM#t-1", sk="BOX#1", game_id="g-1", team_id="t-1", status="FINAL", lines=lines)
    )
    assert list(told["lines"]) == ["ada", "zoe"]
    assert names(told["lines"].values()) == [["home_runs", "runs_batted_in"], ["singles", "runs"]]


@pytest.mark.usefixtures("db")
def test_innings_and_outs_in_a_file_are_those_that_follow_from_what_was_corrected():
    played = Played()
    first, *_others = [played.record(result) for result in ("1B", "K", "K", "2B")]
    assert [(each.inning, each.outs) for each in played.story().at_bats] == [(1, 0), (1, 0), (1, 1), (1, 2)]
    fields = {"result": "K", "player_id": first.player_id}
    scoring.correct(played.owner, played.id, first.id, fields, seen_version=first.seen_version)
    answer = club.browser_of(played.owner).get(f"/tracker/games/{played.id}/document.json")
    at_bats = json.loads(answer.text)["atBats"]
    assert [(each["inning"], each["outs"]) for each in at_bats] == [(1, 0), (1, 1), (1, 2), (2, 0)]
    assert [name for name in at_bats[0] if name in fields_of(AtBat)] == [
        name for name in fields_of(AtBat) if name in at_bats[0]
    ]
