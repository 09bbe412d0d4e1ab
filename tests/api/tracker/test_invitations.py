"""Invitations by the API: invite, take back, read, accept and decline."""

import pytest
from django.core import mail

from tests.api.programs import pointers
from tests.api.tracker.conftest import OUTSIDER, OWNER
from tests.cast import CAST
from tests.tracker.teams.invited import invite, membership_of, player_now, status_of
from tracker import repository

INVITATIONS = "/api/v1/tracker/invitations"


def address(team, invitation=None, more=""):
    of_team = f"/api/v1/tracker/teams/{team.id}/invitations"
    return f"{of_team}/{invitation}{more}" if invitation else of_team + more


def test_an_invitation_tells_its_token_once_and_is_made_once(team, players, manager):
    sent = {"playerId": players[0].id}
    first, again = (manager.post(address(team), sent, idempotency_key="ada") for _time in range(2))
    told = first.json()
    assert (first.status_code, again.status_code, again.json()) == (201, 201, told)
    assert told == {
        "inviteId": told["inviteId"],
        "teamId": team.id,
        "playerId": players[0].id,
        "email": None,
        "role": "player",
        "invitedBy": CAST["moderator"].sub,
        "status": "pending",
        "token": told["token"],
        "address": f"http://testserver/tracker/invitations/{told['token']}/",
        "problems": [],
        **{name: told[name] for name in ("expiresAt", "createdAt", "updatedAt", "version")},
    }
    (listed,) = manager.get(address(team)).json()
    assert listed == {name: told[name] for name in told.keys() - {"token", "address", "problems"}}
    assert manager.get(first["Location"]).json() == listed
    assert manager.post(address(team), {"role": "scorekeeper"}, idempotency_key="ada").status_code == 422


def test_an_invitation_to_an_address_is_mailed(team, manager):
    made = manager.post(address(team), {"role": "scorekeeper", "email": "Ada@Club.example"})
    assert (made.status_code, made.json()["email"]) == (201, "ada@club.example")
    (sent,) = mail.outbox
    assert sent.to == ["ada@club.example"]
    assert made.json()["address"] in sent.body


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({}, "/body/playerId"),
        ({"playerId": "nobody"}, "/body/playerId"),
        ({"role": "owner"}, "/body/role"),
        ({"role": "scorekeeper", "email": "ada"}, "/body/email"),
        ({"role": "scorekeeper", "token": "mine"}, "/body/token"),
    ],
)
def test_what_is_wrong_in_an_invitation_is_named(team, owner, wrong, pointer):
    answer = owner.post(address(team), wrong)
    assert (answer.status_code, pointers(answer)) == (400, [pointer])
    assert repository.invitations.of_team(team.id) == []


def test_managers_invite_no_managers_and_others_nobody(team, manager, scorekeeper, player):
    answer = manager.post(address(team), {"role": "manager"})
    assert (answer.status_code, pointers(answer)) == (400, ["/body/role"])
    for program in (scorekeeper, player):
        assert program.post(address(team), {"role": "scorekeeper"}).status_code == 403
        assert program.get(address(team)).status_code == 403


def test_an_invitation_is_taken_back(team, owner, outsider):
    invited = invite(OWNER, team, role="scorekeeper")
    made = address(team, invited.invitation.id)
    for _time in range(2):
        told = owner.post(f"{made}/revoke", idempotency_key="revoke")
        assert (told.status_code, told.json()["status"]) == (200, "revoked")
    assert owner.post(f"{made}/revoke").status_code == 409
    answer = outsider.post(f"{INVITATIONS}/accept", {"token": invited.token})
    assert (answer.status_code, "withdrawn" in answer.json()["detail"]) == (409, True)


def test_whoever_has_the_token_reads_and_accepts_it(team, players, outsider):
    invited = invite(OWNER, team, players[0])
    sent = {"token": invited.token}
    told = outsider.post(f"{INVITATIONS}/open", sent).json()
    assert (told["teamName"], told["playerName"], told["role"]) == (team.name, "Ada", "player")
    assert status_of(invited) == "pending"
    for _time in range(2):
        accepted = outsider.post(f"{INVITATIONS}/accept", sent, idempotency_key="accept")
        assert (accepted.status_code, accepted.json()["status"]) == (200, "accepted")
    assert membership_of(OUTSIDER, team).role == "player"
    assert player_now(players[0]).user_id == OUTSIDER.sub
    assert outsider.get(f"/api/v1/tracker/teams/{team.id}").status_code == 200
    assert outsider.post(f"{INVITATIONS}/accept", sent).status_code == 409


def test_whoever_was_invited_by_address_finds_it_in_their_list(team, outsider, player):
    invited = invite(OWNER, team, email=OUTSIDER.email, role="manager")
    (listed,) = outsider.get(INVITATIONS).json()
    assert (listed["inviteId"], listed["teamName"], listed["role"]) == (
        invited.invitation.id,
        team.name,
        "manager",
    )
    assert player.get(INVITATIONS).json() == []
    sent = {"teamId": team.id, "inviteId": listed["inviteId"]}
    assert player.post(f"{INVITATIONS}/accept", sent).status_code == 404
    assert player.post(f"{INVITATIONS}/open", {"token": invited.token}).status_code == 403
    declined = outsider.post(f"{INVITATIONS}/decline", sent)
    assert (declined.status_code, declined.json()["status"]) == (200, "declined")
    assert outsider.get(INVITATIONS).json() == []
    assert outsider.get(f"/api/v1/tracker/teams/{team.id}").status_code == 404


@pytest.mark.parametrize("sent", [{}, {"teamId": "a"}, {"token": None}])
def test_an_invitation_is_named_by_its_token_or_its_ids(db, outsider, sent):
    answer = outsider.post(f"{INVITATIONS}/open", sent)
    assert (answer.status_code, pointers(answer)) == (400, ["/body/token"])


def test_a_token_that_there_is_not_is_not_found(db, outsider):
    for verb in ("open", "accept", "decline"):
        assert outsider.post(f"{INVITATIONS}/{verb}", {"token": "f" * 40}).status_code == 404
