"""Teams by the API: make, list, change, delete and restore, hand over, leave."""

import pytest

from core.dynamo import metering
from tests.api.programs import Program, pointers
from tests.api.tracker.conftest import OUTSIDER, OWNER, ROLES
from tests.cast import CAST
from tests.racing import at_once
from tests.tracker import club, season
from tracker import repository
from tracker.games.services import games
from tracker.people import services as people

TEAMS = "/api/v1/tracker/teams"


def address(team, more=""):
    return f"{TEAMS}/{team.id}{more}"


def test_a_team_has_the_fields_of_the_document_and_ones_role(team, owner, player):
    told = owner.get(address(team))
    assert told.json() == {
        "teamId": team.id,
        "name": "Feldkamp Falcons",
        "description": None,
        "ownerId": OWNER.sub,
        "team_type": "MANAGED",
        "status": "active",
        "deletedAt": None,
        "purgedAt": None,
        "role": "owner",
        "createdAt": told.json()["createdAt"],
        "updatedAt": told.json()["updatedAt"],
        "version": team.version,
    }
    assert told["ETag"] == f'"{team.version}"'
    assert player.get(address(team)).json() == told.json() | {"role": "player"}
    assert player.get(address(team, "?fields=name,role")).json() == {
        "name": "Feldkamp Falcons",
        "role": "player",
    }


def test_a_team_is_made_once_however_often_it_is_sent(owner):
    sent = {"name": "  Rivertown   Rockets ", "teamType": "MANAGED", "description": "Tuesdays."}
    first, again = (owner.post(TEAMS, sent, idempotency_key="team") for _time in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert (first.json()["name"], first.json()["description"]) == ("Rivertown Rockets", "Tuesdays.")
    assert first["Location"] == again["Location"] == f"{TEAMS}/{first.json()['teamId']}"
    assert owner.get(first["Location"]).json() == first.json()
    (own,) = owner.get(first["Location"] + "/players").json()
    assert (own["firstName"], own["userId"], own["isGhost"]) == ("Maya", OWNER.sub, False)
    assert owner.post(TEAMS, sent | {"name": "Others"}, idempotency_key="team").status_code == 422


@pytest.mark.parametrize(
    ("wrong", "pointers_of"),
    [
        ({"name": "ab"}, ["/body/name"]),
        ({"name": "<b>Falcons</b>"}, ["/body/name"]),
        ({"description": "x" * 501}, ["/body/description"]),
        ({"teamType": "OTHER"}, ["/body/teamType"]),
        ({"ownerId": "eve"}, ["/body/ownerId"]),
        ({"status": "deleted"}, ["/body/status"]),
    ],
)
def test_what_is_wrong_in_a_team_is_named(owner, wrong, pointers_of):
    answer = owner.post(TEAMS, {"name": "Falcons", "teamType": "MANAGED"} | wrong)
    assert (answer.status_code, pointers(answer)) == (400, pointers_of)


def test_guests_make_no_teams(program):
    sent = {"name": "Falcons", "teamType": "MANAGED"}
    assert program("guest").post(TEAMS, sent).status_code == 403
    assert Program().post(TEAMS, sent).status_code == 401


def test_the_list_has_ones_own_teams_by_name(team, owner, player):
    other = club.team_of(OWNER, "Aces")
    names = [each["name"] for each in owner.get(TEAMS).json()]
    assert names == ["Aces", "Default", "Feldkamp Falcons"]
    assert [(each["name"], each["role"]) for each in player.get(TEAMS).json()] == [
        ("Default", "owner"),
        ("Feldkamp Falcons", "player"),
    ]
    assert [each["name"] for each in player.get(f"{TEAMS}?owned=true").json()] == ["Default"]
    assert [each["name"] for each in player.get(f"{TEAMS}?type=MANAGED").json()] == ["Feldkamp Falcons"]
    first = owner.get(f"{TEAMS}?limit=2&fields=teamId").json()
    second = owner.get(f"{TEAMS}?limit=2&fields=teamId&nextToken={first['nextToken']}").json()
    assert first["items"][0] == {"teamId": other.id}
    assert (second["items"], second["nextToken"]) == ([{"teamId": team.id}], None)


def test_all_teams_are_for_administrators_and_personal_ones_for_nobody_else(team, owner, program):
    club.team_of(OWNER, "Monday League", team_type="PERSONAL")
    listed = program("admin").get(f"{TEAMS}?all=true").json()
    assert [(each["name"], each["role"]) for each in listed] == [("Feldkamp Falcons", None)]
    assert owner.get(f"{TEAMS}?all=true").status_code == 403


def test_a_list_of_a_hundred_teams_costs_three_requests(db, owner):
    """The session, the memberships, the teams."""
    people.open_profile(OWNER)
    for number in range(99):
        club.team_of(OWNER, f"Team {number}")
    with metering.metered() as meter:
        assert len(owner.get(f"{TEAMS}?limit=100").json()["items"]) == 100
    assert meter.requests == 3


def test_owners_and_managers_change_name_and_description(team, owner, manager, scorekeeper, player):
    changed = manager.put(address(team), {"description": "Since 1998."}, if_match=f'"{team.version}"')
    assert changed.json() | {"role": ""} == owner.get(address(team)).json() | {"role": ""}
    assert (changed.json()["name"], changed.json()["description"]) == ("Feldkamp Falcons", "Since 1998.")
    emptied = owner.put(address(team), {"name": "Falcons", "description": None}, if_match=changed["ETag"])
    assert (emptied.json()["name"], emptied.json()["description"]) == ("Falcons", None)
    for other in (scorekeeper, player):
        assert other.put(address(team), {"name": "Eves"}, if_match=emptied["ETag"]).status_code == 403
    assert owner.put(address(team), {"name": "Late"}, if_match=f'"{team.version}"').status_code == 412
    assert owner.put(address(team), {"name": "Late"}).status_code == 428


def test_a_change_that_is_sent_again_is_answered_and_not_done_again(team, owner):
    sent = {"name": "Falcons"}, {"if_match": f'"{team.version}"', "idempotency_key": "change"}
    first, again = (owner.put(address(team), sent[0], **sent[1]) for _time in range(2))
    assert (first.status_code, again.status_code, again.json()) == (200, 200, first.json())
    assert first.json()["version"] == team.version + 1


def test_of_two_changes_at_the_same_moment_one_is_refused(team, owner, manager):
    programs = [owner, manager]
    statuses = at_once(
        lambda number: (
            programs[number]
            .put(address(team), {"name": f"Team {number}"}, if_match=f'"{team.version}"')
            .status_code
        ),
        2,
    )
    assert sorted(statuses) == [200, 412]


def test_a_team_is_deleted_and_restored_by_its_owner(team, owner, manager, player):
    assert manager.delete(address(team)).status_code == 403
    assert owner.delete(address(team), if_match='"1"').status_code == 412
    assert owner.delete(address(team), if_match=f'"{team.version}"').status_code == 204
    for program in (owner, player):
        assert program.get(address(team)).status_code == 404
        assert team.id not in [each["teamId"] for each in program.get(TEAMS).json()]
    assert [each["teamId"] for each in owner.get(f"{TEAMS}?deleted=true").json()] == [team.id]
    assert player.get(f"{TEAMS}?deleted=true").json() == []
    assert manager.post(address(team, "/restore")).status_code == 403
    back = [owner.post(address(team, "/restore"), idempotency_key="back") for _time in range(2)]
    assert [(each.status_code, each.json()["status"]) for each in back] == [(200, "active")] * 2
    assert player.get(address(team)).status_code == 200


def test_a_personal_team_with_games_stays_as_it_is(owner):
    own = owner.post(TEAMS, {"name": "Monday League", "teamType": "PERSONAL"})
    assert owner.put(own["Location"], {"name": "Mondays"}, if_match=own["ETag"]).status_code == 200
    games.create(OWNER, own.json()["teamId"], {"opponent_name": "Rivals"})
    assert owner.put(own["Location"], {"name": "Tuesdays"}, if_match='"2"').status_code == 403
    assert owner.delete(own["Location"]).status_code == 403
    assert owner.get(own["Location"] + "/members").status_code == 404


def test_a_team_is_handed_over_to_another_member(team, owner, manager):
    to = CAST["official"].sub
    sent = {"ownerId": to}, {"if_match": f'"{team.version}"', "idempotency_key": "hand"}
    assert manager.post(address(team, "/transfer"), *sent[:1], **sent[1]).status_code == 403
    for _time in range(2):
        handed = owner.post(address(team, "/transfer"), sent[0], **sent[1])
        assert (handed.status_code, handed.json()["ownerId"], handed.json()["role"]) == (200, to, "manager")
    assert repository.memberships.of(to, team.id, strong=True).role == "owner"


@pytest.mark.parametrize("wrong", [OUTSIDER.sub, OWNER.sub, "nobody"])
def test_a_team_is_handed_over_to_nobody_else(team, owner, wrong):
    answer = owner.post(address(team, "/transfer"), {"ownerId": wrong}, if_match=f'"{team.version}"')
    assert (answer.status_code, pointers(answer)) == (400, ["/body/ownerId"])
    assert repository.teams.of(team.id, strong=True).owner_id == OWNER.sub


def test_members_leave_and_owners_do_not(team, owner, player):
    assert owner.post(address(team, "/leave")).status_code == 403
    for _time in range(2):
        assert player.post(address(team, "/leave"), idempotency_key="leave").status_code == 204
    assert player.get(address(team)).status_code == 404


# --- Members ------------------------------------------------------------------------------------------------


def test_members_have_the_fields_of_the_document_and_names(team, owner, player):
    listed = owner.get(address(team, "/members")).json()
    assert {each["userId"]: each["role"] for each in listed} == {
        CAST[role].sub: own for role, own in ROLES.items()
    }
    (mine,) = (each for each in listed if each["userId"] == CAST["other-member"].sub)
    assert mine == {
        "userId": CAST["other-member"].sub,
        "teamId": team.id,
        "role": "player",
        "status": "active",
        "joinedAt": None,
        "invitedBy": None,
        "firstName": "Milan",
        "lastName": "Petrov",
        "email": CAST["other-member"].email,
        "phoneNumber": None,
        **{name: mine[name] for name in ("createdAt", "updatedAt", "version")},
    }
    assert owner.get(address(team, f"/members/{mine['userId']}")).json() == mine
    assert player.get(address(team, f"/members/{mine['userId']}")).json() == mine | {"email": None}
    assert {each["email"] for each in player.get(address(team, "/members")).json()} == {None}
    assert owner.get(address(team, "/members?strong=true")).json() == listed


def test_owners_give_every_role_but_their_own_and_managers_the_lower_ones(team, owner, manager, player):
    of_player = address(team, f"/members/{CAST['other-member'].sub}")
    changed = owner.put(of_player, {"role": "manager"}, if_match=owner.get(of_player)["ETag"])
    assert (changed.status_code, changed.json()["role"]) == (200, "manager")
    assert manager.put(of_player, {"role": "player"}, if_match=changed["ETag"]).status_code == 403
    back = owner.put(of_player, {"role": "scorekeeper"}, if_match=changed["ETag"])
    assert manager.put(of_player, {"role": "manager"}, if_match=back["ETag"]).status_code == 403
    assert manager.put(of_player, {"role": "player"}, if_match=back["ETag"]).json()["role"] == "player"
    assert owner.put(of_player, {"role": "manager"}, if_match=changed["ETag"]).status_code == 412
    answer = owner.put(of_player, {"role": "owner"}, if_match=changed["ETag"])
    assert (answer.status_code, pointers(answer)) == (400, ["/body/role"])
    of_owner = address(team, f"/members/{OWNER.sub}")
    assert manager.put(of_owner, {"role": "player"}, if_match=owner.get(of_owner)["ETag"]).status_code == 403
    assert player.put(of_owner, {"role": "player"}, if_match='"1"').status_code == 403


def test_a_member_is_removed_and_sees_nothing_of_the_team_any_more(team, manager, player):
    of_player = address(team, f"/members/{CAST['other-member'].sub}")
    assert player.delete(address(team, f"/members/{OWNER.sub}")).status_code == 403
    assert manager.delete(of_player, if_match='"1"').status_code == 412
    assert manager.delete(of_player, if_match=manager.get(of_player)["ETag"]).status_code == 204
    assert manager.get(of_player).status_code == 404
    assert player.get(address(team)).status_code == 404
    assert manager.delete(of_player).status_code == 404


def test_members_cost_four_requests_however_many_there_are(team, owner):
    """The session, team and membership, the members, their names."""
    season.season_of(team, actor=OWNER)
    with metering.metered() as meter:
        assert len(owner.get(address(team, "/members?limit=100")).json()["items"]) == 4
    assert meter.requests == 4
