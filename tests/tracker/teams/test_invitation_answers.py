"""Invitations are accepted or declined by whoever is invited, once."""

import pytest

from core.dynamo import metering
from tests.racing import at_once
from tests.tracker.club import browser_of, ghost, join, person
from tests.tracker.teams.invited import address_of, answer, invite, membership_of, player_now, status_of
from tracker import repository
from tracker.teams.models import MANAGER, PLAYER, SCOREKEEPER
from tracker.teams.services import invitations, members
from tracker.teams.services.invitations import Over

pytestmark = pytest.mark.usefixtures("db")


# --- Answering it -------------------------------------------------------------------------------------------


def test_accepting_makes_the_player_somebodys_in_one_transaction(team, owner, ghost_lena, pia):
    invited = invite(owner, team, ghost_lena)
    browser = browser_of(pia)
    with metering.metered() as cost:
        response = browser.post(address_of(invited), {"answer": "accept"})

    assert cost.operations == ["GetItem", "Query", "BatchGetItem", "TransactWriteItems"]
    assert response["Location"] == f"/tracker/teams/{team.id}/"
    player, membership = player_now(ghost_lena), membership_of(pia, team)
    assert (player.is_ghost, player.user_id, player.name, player.number) == (
        False,
        pia.sub,
        "Lena Sommer",
        12,
    )
    assert player.linked_at is not None
    assert (membership.role, membership.status, membership.invited_by) == ("player", "active", owner.sub)
    assert status_of(invited) == "accepted"
    assert ghost_lena.id in [each.id for each in repository.players.of_person(pia.sub)]


def test_the_same_person_who_sends_it_twice_is_welcome_twice(team, owner, ghost_lena, pia):
    invited = invite(owner, team, ghost_lena)
    answers = {answer(pia, invited, once="key-1").status_code for _time in range(2)}

    assert answers == {302}
    assert answer(pia, invited, once="key-2").status_code == 410


def test_declining_ends_it(team, owner, ghost_lena, pia):
    invited = invite(owner, team, ghost_lena)
    assert answer(pia, invited, "decline").status_code == 302

    assert (status_of(invited), player_now(ghost_lena).is_ghost) == ("declined", True)
    assert answer(pia, invited).status_code == 410


def test_an_answer_that_is_neither_does_nothing(team, owner, ghost_lena, pia):
    invited = invite(owner, team, ghost_lena)

    assert answer(pia, invited, "perhaps").status_code == 404
    assert status_of(invited) == "pending"


def test_of_twenty_people_with_one_link_one_wins(team, owner, ghost_lena):
    invited = invite(owner, team, ghost_lena)
    people = [person(f"Person{letter}") for letter in "abcdefghijklmnopqrst"]
    answers = at_once(lambda number: invitations.accept(people[number], invited.invitation), 20)

    (winner,) = (people[number] for number, each in enumerate(answers) if not isinstance(each, Exception))
    assert sum(isinstance(each, Over) for each in answers) == 19
    assert player_now(ghost_lena).user_id == winner.sub
    assert {each.user_id for each in repository.memberships.of_team(team.id)} == {owner.sub, winner.sub}


def test_one_person_with_several_links_becomes_one_player(team, owner, pia):
    links = [invite(owner, team, ghost(team, f"Ghost {letter}", actor=owner)) for letter in "abcdefgh"]
    answers = at_once(lambda number: invitations.accept(pia, links[number].invitation), len(links))

    assert sum(not isinstance(each, Exception) for each in answers) == 1
    assert {each.field for each in answers if isinstance(each, Exception)} == {"user_id"}
    mine = [each for each in repository.teams.roster(team.id).players if each.user_id == pia.sub]
    assert len(mine) == 1


def test_who_is_on_the_roster_already_is_told_so_before_and_after_accepting(team, owner, ghost_lena):
    invited = invite(owner, team, ghost_lena)
    own = repository.teams.roster(team.id).of_person(owner.sub)
    page = browser_of(owner).get(address_of(invited))
    assert f"You are already on this team's roster as {own.name}." in page.text
    assert ('id="accept"' in page.text, 'id="decline"' in page.text) == (False, True)

    response = answer(owner, invited)

    assert response.status_code == 409
    assert f"You are already on this team's roster as {own.name}." in response.text
    assert 'id="decline"' in response.text
    assert player_now(ghost_lena).is_ghost
    assert answer(owner, invited, "decline").status_code == 302
    assert status_of(invited) == "declined"


def test_a_role_alone_makes_a_member_without_a_place(team, owner, pia):
    invited = invite(owner, team, role=SCOREKEEPER)
    answer(pia, invited)

    assert membership_of(pia, team).role == "scorekeeper"
    assert repository.teams.roster(team.id).of_person(pia.sub) is None


@pytest.mark.parametrize(
    ("has", "invited_as", "becomes"),
    [
        (PLAYER, MANAGER, MANAGER),
        (MANAGER, SCOREKEEPER, MANAGER),
        (SCOREKEEPER, PLAYER, SCOREKEEPER),
    ],
)
def test_a_member_may_do_more_after_it_but_never_less(team, owner, ghost_lena, pia, has, invited_as, becomes):
    join(pia, team, has, actor=owner)
    answer(pia, invite(owner, team, ghost_lena, role=invited_as))

    assert membership_of(pia, team).role == becomes
    assert player_now(ghost_lena).user_id == pia.sub


def test_who_has_left_comes_back_as_what_the_invitation_says(team, owner, ghost_lena, pia):
    join(pia, team, MANAGER, actor=owner)
    members.leave(pia, team.id)
    answer(pia, invite(owner, team, ghost_lena))

    assert (membership_of(pia, team).role, membership_of(pia, team).status) == ("player", "active")


# --- By mail: for one address only --------------------------------------------------------------------------


def test_what_was_sent_to_an_address_is_for_nobody_else(team, owner, ghost_lena, pia):
    invited = invite(owner, team, ghost_lena, email="pia@club.example")
    thief = person("Theo")
    for response in (
        browser_of(thief).get(address_of(invited)),
        answer(thief, invited),
        answer(thief, invited, "decline"),
    ):
        assert response.status_code == 403
        assert "was sent to another e-mail address" in response.text
        assert "pia@club.example" not in response.text
    assert status_of(invited) == "pending"
    assert answer(pia, invited).status_code == 302


def test_it_waits_for_its_person_who_answers_it_without_the_link(team, owner, ghost_lena, pia):
    invited = invite(owner, team, ghost_lena, email="pia@club.example")
    invite(owner, team, role=MANAGER)
    with metering.metered() as cost:
        (waiting,) = invitations.waiting_for(pia)
    assert cost.operations == ["Query", "BatchGetItem"]
    assert (waiting.invitation.id, waiting.team.name) == (invited.invitation.id, "Feldkamp Falcons")
    with metering.metered() as cost:
        assert invitations.waiting_for(owner) == []
    assert cost.requests == 1

    address = f"/tracker/teams/{team.id}/invitations/{invited.invitation.id}/"
    assert browser_of(person("Theo")).get(address).status_code == 404
    assert browser_of(owner).get(address).status_code == 404
    assert "Lena Sommer" in browser_of(pia).get(address).text
    assert browser_of(pia).post(address, {"answer": "accept"}).status_code == 302
    assert player_now(ghost_lena).user_id == pia.sub
    assert invitations.waiting_for(pia) == []
