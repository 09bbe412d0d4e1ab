"""People of the tracker by the API: oneself, and everybody for administrators."""

import pytest

from core.dynamo import metering
from tests.api.programs import Program, pointers
from tests.cast import CAST
from tests.tracker import club
from tracker import repository
from tracker.people import services as people

USERS = "/api/v1/tracker/users"
ME = CAST["other-member"]


def test_a_person_has_the_fields_of_the_document(player):
    told = player.get(f"{USERS}/me")
    assert told.json() == {
        "userId": ME.sub,
        "email": ME.email,
        "firstName": "Milan",
        "lastName": "Petrov",
        "phoneNumber": None,
        "deletedAt": None,
        "createdAt": told.json()["createdAt"],
        "updatedAt": told.json()["createdAt"],
        "version": told.json()["version"],
    }
    assert told["ETag"] == f'"{told.json()["version"]}"'
    assert player.get(f"{USERS}/{ME.sub}").json() == told.json()
    assert player.get(f"{USERS}/me?fields=firstName").json() == {"firstName": "Milan"}


def test_whoever_never_signed_in_by_a_page_has_a_profile_and_a_team_by_then(player):
    assert player.get(f"{USERS}/me").status_code == 200
    (own,) = player.get("/api/v1/tracker/teams").json()
    assert (own["name"], own["team_type"], own["role"]) == ("Default", "PERSONAL", "owner")


def test_other_people_are_not_found_except_for_administrators(team, player, program):
    address = f"{USERS}/{CAST['member'].sub}"
    assert player.get(address).status_code == 404
    assert player.put(address, {"firstName": "Eve"}, if_match='"1"').status_code == 404
    assert player.delete(address).status_code == 404
    assert player.post(f"{address}/keep").status_code == 404
    assert program("admin").get(address).json()["firstName"] == "Maya"
    assert Program().get(address).status_code == 401


def test_what_is_left_out_of_a_change_stays_and_null_removes(player):
    seen = player.get(f"{USERS}/me")
    changed = player.put(f"{USERS}/me", {"phoneNumber": "+49 7631 1"}, if_match=seen["ETag"])
    assert changed.json()["phoneNumber"] == "+49 7631 1"
    changed = player.put(f"{USERS}/me", {"firstName": "Milo", "phoneNumber": None}, if_match=changed["ETag"])
    told = changed.json()
    assert (told["firstName"], told["lastName"], told["phoneNumber"]) == ("Milo", "Petrov", None)
    assert player.put(f"{USERS}/me", {"firstName": "Late"}, if_match=seen["ETag"]).status_code == 412
    assert player.put(f"{USERS}/me", {"firstName": "Late"}).status_code == 428
    assert people.own_profile(ME).first_name == "Milo"


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"firstName": ""}, "/body/firstName"),
        ({"firstName": "4"}, "/body/firstName"),
        ({"lastName": "x" * 51}, "/body/lastName"),
        ({"phoneNumber": "call me"}, "/body/phoneNumber"),
        ({"email": "eve@example.com"}, "/body/email"),
        ({"userId": "eve"}, "/body/userId"),
    ],
)
def test_what_is_wrong_or_not_theirs_to_change_is_named(player, wrong, pointer):
    seen = player.get(f"{USERS}/me")
    answer = player.put(f"{USERS}/me", wrong, if_match=seen["ETag"])
    assert (answer.status_code, pointers(answer)) == (400, [pointer])
    assert player.get(f"{USERS}/me").json() == seen.json()


def test_a_deletion_is_asked_for_and_taken_back(player):
    player.get(f"{USERS}/me")
    assert player.delete(f"{USERS}/me", if_match='"1"').status_code == 412
    assert player.delete(f"{USERS}/me").status_code == 204
    assert player.get(f"{USERS}/me?strong=true").json()["deletedAt"] is not None
    assert player.post(f"{USERS}/me/keep").json()["deletedAt"] is None


def test_owners_of_teams_hand_them_over_first(team, owner):
    answer = owner.delete(f"{USERS}/me")
    assert (answer.status_code, team.name in answer.json()["detail"]) == (409, True)


def test_the_context_says_which_home_to_show(team, player, program):
    assert player.get(f"{USERS}/context").json() == {
        "has_personal_context": True,
        "has_managed_context": True,
    }
    assert program("guest").get(f"{USERS}/context").json() == {
        "has_personal_context": False,
        "has_managed_context": False,
    }


def test_everybody_is_listed_for_administrators_only(team, player, program):
    admin = program("admin")
    listed = admin.get(USERS).json()
    assert {each["userId"] for each in listed} == {
        CAST[role].sub for role in ("member", "moderator", "official", "other-member", "steward")
    }
    first = admin.get(f"{USERS}?limit=3").json()
    second = admin.get(f"{USERS}?limit=3&nextToken={first['nextToken']}").json()
    assert first["items"] + second["items"] == listed
    assert admin.get(f"{USERS}?fields=userId").json() == [{"userId": each["userId"]} for each in listed]
    assert player.get(USERS).status_code == 403


def test_a_hundred_people_cost_two_requests(db, program):
    actor = club.person("Olivia")
    for number in range(105):
        profile = repository.profiles.model.about(
            f"sub-{number}", email=f"{number}@club.example", first_name="Ada", last_name="Bell"
        )
        repository.profiles.create(profile, actor=actor.actor)
    admin = program("admin")
    with metering.metered() as meter:
        assert len(admin.get(f"{USERS}?limit=100").json()["items"]) == 100
    assert meter.requests == 2
