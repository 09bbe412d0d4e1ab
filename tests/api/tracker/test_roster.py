"""The roster by the API: add, list, change, remove, unlink."""

import pytest

from core.dynamo import metering
from core.dynamo.metering import metered
from tests.api.programs import pointers
from tests.api.tracker.conftest import OWNER
from tests.cast import CAST
from tests.racing import at_once
from tests.tracker import club
from tracker import repository
from tracker.people import services as people
from tracker.roster.models import Player


def address(team, player=None, more=""):
    of_team = f"/api/v1/tracker/teams/{team.id}/players"
    return (
        f"{of_team}/{player.id if isinstance(player, Player) else player}{more}" if player else of_team + more
    )


def own_player(team):
    return repository.teams.roster(team.id, strong=True).of_person(OWNER.sub)


def linked(team):
    """The player of somebody with the role player."""
    person = CAST["other-member"]
    ghost = club.ghost(team, "Milan", 21, actor=OWNER)
    fields = {"is_ghost": False, "user_id": person.sub}
    return repository.players.update(ghost, fields, actor=OWNER.actor)


def test_a_player_has_the_fields_of_the_document(team, players, player):
    told = player.get(address(team, players[6]))
    assert told.json() == {
        "playerId": players[6].id,
        "teamId": team.id,
        "firstName": "Gil",
        "lastName": None,
        "playerNumber": 7,
        "isDoubleZero": None,
        "positions": [],
        "status": "active",
        "isGhost": True,
        "userId": None,
        "linkedAt": None,
        "isPrivate": False,
        **{name: told.json()[name] for name in ("createdAt", "updatedAt")},
        "version": players[6].version,
    }
    assert told["ETag"] == f'"{players[6].version}"'
    assert player.get(address(team, players[6], "?fields=firstName,playerNumber")).json() == {
        "firstName": "Gil",
        "playerNumber": 7,
    }


def test_the_roster_is_by_number_those_without_one_last(team, players, player):
    listed = player.get(address(team)).json()
    assert [each["playerNumber"] for each in listed] == [*range(1, 10), None]
    assert (listed[-1]["firstName"], listed[-1]["userId"]) == ("Maya", OWNER.sub)
    first = player.get(address(team, more="?limit=6&fields=playerNumber")).json()
    second = player.get(
        address(team, more=f"?limit=6&fields=playerNumber&nextToken={first['nextToken']}")
    ).json()
    assert [each["playerNumber"] for each in first["items"]] == [1, 2, 3, 4, 5, 6]
    assert [each["playerNumber"] for each in second["items"]] == [7, 8, 9, None]
    assert second["nextToken"] is None


def test_the_next_page_goes_on_where_a_player_was_removed_meanwhile(team, players, owner):
    first = owner.get(address(team, more="?limit=3")).json()
    owner.delete(address(team, players[2]))
    second = owner.get(address(team, more=f"?limit=3&nextToken={first['nextToken']}")).json()
    assert [each["playerNumber"] for each in second["items"]] == [4, 5, 6]


def test_the_roster_is_filtered_and_has_roles(team, players, player):
    club.ghost(team, "Joe", actor=OWNER, status="sub")
    assert [each["firstName"] for each in player.get(address(team, more="?status=sub")).json()] == ["Joe"]
    (own,) = player.get(address(team, more="?isGhost=false&includeRoles=true")).json()
    assert (own["firstName"], own["role"]) == ("Maya", "owner")
    roles = {
        each["role"] for each in player.get(address(team, more="?isGhost=true&includeRoles=true")).json()
    }
    assert roles == {"player"}


def test_a_roster_costs_three_requests_however_long_it_is(team, owner):
    """The session, team and membership, the players."""
    for number in range(30):
        club.ghost(team, "Ada", number, actor=OWNER)
    with metered() as meter:
        assert len(owner.get(address(team, more="?limit=100")).json()["items"]) == 31
    assert meter.requests == 3
    with metering.metered() as meter:
        owner.get(address(team, more="?limit=10"))
    assert meter.requests == 3


def test_a_player_is_added_once_however_often_it_is_sent(team, manager):
    sent = {"firstName": "Ada", "lastName": "De la Cruz", "playerNumber": 0, "isDoubleZero": True}
    sent |= {"positions": ["SS", "2B"], "status": "sub", "isPrivate": True}
    first, again = (manager.post(address(team), sent, idempotency_key="ada") for _time in range(2))
    assert (first.status_code, again.status_code, again.json()) == (201, 200, first.json())
    assert {name: first.json()[name] for name in sent} == sent
    assert (first.json()["isGhost"], first.json()["userId"]) == (True, None)
    assert first["Location"] == again["Location"] == address(team, first.json()["playerId"])
    assert manager.get(first["Location"]).json() == first.json()
    assert len(manager.get(address(team)).json()) == 2


def test_a_number_is_for_one_player_of_the_team(team, players, owner):
    assert owner.post(address(team), {"firstName": "Zoe", "playerNumber": 7}).status_code == 409
    seen = owner.get(address(team, players[0]))
    taken = owner.put(address(team, players[0]), {"playerNumber": 2}, if_match=seen["ETag"])
    assert taken.status_code == 409
    zero = owner.post(address(team), {"firstName": "Zoe", "playerNumber": 0})
    double = owner.post(address(team), {"firstName": "Yui", "playerNumber": 0, "isDoubleZero": True})
    assert (zero.status_code, double.status_code) == (201, 201)


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"firstName": ""}, "/body/firstName"),
        ({"firstName": "R2D2"}, "/body/firstName"),
        ({"lastName": "x" * 51}, "/body/lastName"),
        ({"playerNumber": 100}, "/body/playerNumber"),
        ({"playerNumber": "7"}, "/body/playerNumber"),
        ({"playerNumber": 7, "isDoubleZero": True}, "/body/isDoubleZero"),
        ({"positions": ["SS", "SS"]}, "/body/positions/1"),
        ({"positions": ["GK"]}, "/body/positions/0"),
        ({"positions": ["SS", "2B", "P"]}, "/body/positions"),
        ({"status": "gone"}, "/body/status"),
        ({"isGhost": False}, "/body/isGhost"),
        ({"userId": "eve"}, "/body/userId"),
        ({"atBats": 0}, "/body/atBats"),
    ],
)
def test_what_is_wrong_in_a_player_is_named(team, owner, wrong, pointer):
    answer = owner.post(address(team), {"firstName": "Ada"} | wrong)
    assert (answer.status_code, pointers(answer)) == (400, [pointer])
    seen = owner.get(address(team, own_player(team)))
    answer = owner.put(address(team, own_player(team)), wrong, if_match=seen["ETag"])
    assert (answer.status_code, pointers(answer)) == (400, [pointer])


def test_what_is_left_out_of_a_change_stays_and_null_removes(team, players, owner):
    ada = address(team, players[0])
    changed = owner.put(ada, {"lastName": "Bell", "positions": ["P"]}, if_match=owner.get(ada)["ETag"])
    told = changed.json()
    assert (told["firstName"], told["lastName"], told["playerNumber"]) == ("Ada", "Bell", 1)
    assert told["positions"] == ["P"]
    emptied = owner.put(
        ada, {"lastName": None, "playerNumber": None, "positions": []}, if_match=changed["ETag"]
    ).json()
    assert (emptied["lastName"], emptied["playerNumber"], emptied["positions"]) == (None, None, [])
    assert owner.put(ada, {"firstName": "Late"}, if_match=changed["ETag"]).status_code == 412
    assert owner.put(ada, {"firstName": "Late"}).status_code == 428


def test_of_two_changes_of_a_player_at_the_same_moment_one_is_refused(team, players, owner, manager):
    programs, ada = [owner, manager], address(team, players[0])
    version = owner.get(ada)["ETag"]
    statuses = at_once(
        lambda number: (
            programs[number].put(ada, {"lastName": "AB"[number] * 3}, if_match=version).status_code
        ),
        2,
    )
    assert sorted(statuses) == [200, 412]


def test_players_change_themselves_but_not_their_status_and_nobody_else(team, players, player, scorekeeper):
    own = address(team, linked(team))
    seen = player.get(own)
    changed = player.put(own, {"playerNumber": 33, "status": "active"}, if_match=seen["ETag"])
    assert (changed.status_code, changed.json()["playerNumber"]) == (200, 33)
    refused = player.put(own, {"status": "inactive"}, if_match=changed["ETag"])
    assert (refused.status_code, pointers(refused)) == (400, ["/body/status"])
    for program in (player, scorekeeper):
        assert program.put(address(team, players[0]), {"lastName": "Bell"}, if_match='"1"').status_code == 403
        assert program.post(address(team), {"firstName": "Zoe"}).status_code == 403
        assert program.delete(address(team, players[0])).status_code == 403


def test_a_ghost_is_removed_and_restored(team, players, manager):
    ada = address(team, players[0])
    assert manager.delete(ada, if_match='"1"').status_code == 412
    assert manager.delete(ada, if_match=manager.get(ada)["ETag"]).status_code == 204
    assert manager.get(ada).status_code == 404
    back = manager.post(f"{ada}/restore")
    assert (back.status_code, back.json()["firstName"]) == (200, "Ada")
    assert manager.get(ada).json() == back.json()
    assert manager.post(f"{address(team, 'nobody')}/restore").status_code == 404


def test_a_player_whom_a_game_names_becomes_inactive_instead(team, players, owner):
    club.home_run(team, players[0], actor=OWNER)
    repository.players.recounted(players[0], 1)
    game = repository.games.of_team(team.id).items[0]
    repository.games.update(game, {"lineup": club.batting_order(players)}, actor=OWNER.actor)
    assert owner.delete(address(team, players[0])).status_code == 204
    assert owner.get(address(team, players[0])).json()["status"] == "inactive"


def test_a_linked_player_is_unlinked_first(team, manager, player):
    own = linked(team)
    assert manager.delete(address(team, own)).status_code == 409
    for _time in range(2):
        told = manager.post(address(team, own, "/unlink"), {"leaves": True}, idempotency_key="unlink")
        assert (told.status_code, told.json()["isGhost"], told.json()["userId"]) == (200, True, None)
    assert player.get(address(team)).status_code == 404
    assert manager.post(address(team, own, "/unlink")).status_code == 409


def test_the_roster_of_a_personal_team_is_its_owner(owner):
    people.open_profile(OWNER)
    (own,) = owner.get("/api/v1/tracker/teams?type=PERSONAL").json()
    place = f"/api/v1/tracker/teams/{own['teamId']}/players"
    (mine,) = owner.get(place).json()
    assert (mine["firstName"], mine["isGhost"]) == ("Maya", False)
    assert owner.post(place, {"firstName": "Zoe"}).status_code == 403
    assert owner.delete(f"{place}/{mine['playerId']}").status_code == 403
