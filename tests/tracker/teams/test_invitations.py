"""Invitations: made by a manager, looked at and answered by whoever is invited."""

import re
from datetime import timedelta

import pytest

from core.dynamo import maintenance, metering
from core.dynamo.attributes import now
from core.dynamo.items import new_id
from core.dynamo.support_table import SupportItem
from tests.racing import at_once
from tests.tracker.club import browser_of, ghost, join, person, team_of
from tracker import keys, repository
from tracker.games.models import Game
from tracker.roster import services as roster
from tracker.scoring.models import AtBat
from tracker.teams.limits import INVITING
from tracker.teams.models import DELETED, MANAGER, PERSONAL, PLAYER, SCOREKEEPER
from tracker.teams.services import invitations, members
from tracker.teams.services.invitations import Over

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def owner(db):
    return person("Olga")


@pytest.fixture
def lena(team, owner):
    return ghost(team, "Lena", 12, last_name="Sommer", actor=owner)


@pytest.fixture
def pia(db):
    return person("Pia")


def invite(owner, team, player=None, *, email="", role=PLAYER):
    return invitations.invite(owner, team.id, player_id=player.id if player else "", email=email, role=role)


def address_of(invited):
    return f"/tracker/invitations/{invited.token}/"


def answer(user, invited, text="accept", **more):
    return browser_of(user).post(address_of(invited), {"answer": text, **more})


def status_of(invited):
    made = invited.invitation
    return repository.invitations.of(made.team_id, made.id, strong=True).status


def membership_of(user, team):
    return repository.memberships.of(user.sub, team.id, strong=True)


def player_now(player):
    return repository.players.of(player.team_id, player.id, strong=True)


# --- Making one ---------------------------------------------------------------------------------------------


def test_the_link_is_shown_once_and_only_its_digest_is_stored(team, owner, lena):
    browser = browser_of(owner)
    form = f"/tracker/teams/{team.id}/invitations/new/"
    page = browser.post(form, {"player": lena.id, "role": "player"})

    (link,) = re.findall(r'value="(http://testserver/tracker/invitations/\w+/)"', page.text)
    token = link.split("/")[-2]
    assert len(token) == 40
    (stored,) = repository.invitations.of_team(team.id)
    assert (stored.token_hash, stored.player_id, stored.role) == (keys.hashed(token), lena.id, "player")
    assert stored.expires_at - stored.created_at == pytest.approx(timedelta(days=7), abs=timedelta(seconds=1))
    assert token not in str(stored.stored)
    assert token not in browser.get(f"/tracker/teams/{team.id}/invitations/").text
    assert ">Invited<" in browser.get(f"/tracker/teams/{team.id}/roster/").text


def test_a_form_that_is_sent_twice_makes_one_and_shows_the_same_link(team, owner, lena):
    browser = browser_of(owner)
    pages = [
        browser.post(
            f"/tracker/teams/{team.id}/invitations/new/",
            {"player": lena.id, "role": "player", "once": "key-1"},
        ).text
        for _time in range(2)
    ]

    links = [re.findall(r"/tracker/invitations/(\w+)/", page) for page in pages]
    assert links[0] == links[1] != []
    assert len(repository.invitations.of_team(team.id)) == 1
    kept = maintenance.request("Scan", TableName=SupportItem.Meta.table_name)["Items"]
    assert kept
    assert links[0][0] not in str(kept)


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"role": "player"}, "Choose the player on the roster, or another role."),
        ({"role": "owner"}, "Select a valid choice. owner is not one of the available choices."),
        ({"role": "scorekeeper", "email": "pia"}, "Enter a valid email address."),
        ({"role": "player", "player": "nobody"}, "Select a valid choice. nobody is not one of the available"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(team, owner, sent, field):
    response = browser_of(owner).post(f"/tracker/teams/{team.id}/invitations/new/", sent)

    assert (response.status_code, field in response.text) == (422, True)
    assert repository.invitations.of_team(team.id) == []


def test_a_new_one_for_the_same_player_takes_the_earlier_back(team, owner, lena, pia):
    first, second = invite(owner, team, lena), invite(owner, team, lena)
    other = invite(owner, team, role=SCOREKEEPER)

    assert (status_of(first), status_of(second), status_of(other)) == ("revoked", "pending", "pending")
    assert browser_of(pia).get(address_of(first)).status_code == 410


def test_after_so_many_in_an_hour_one_waits(team, owner, lena, monkeypatch):
    monkeypatch.setattr(INVITING, "_store", type(INVITING)("test-invitation", 2, 3600)._store)
    browser = browser_of(owner)
    answers = [
        browser.post(f"/tracker/teams/{team.id}/invitations/new/", {"player": lena.id, "role": "player"})
        for _time in range(3)
    ]

    assert [response.status_code for response in answers] == [200, 200, 429]
    assert int(answers[-1]["Retry-After"]) > 0
    assert "That was too often in a short time." in answers[-1].text
    assert len(repository.invitations.of_team(team.id)) == 2


# --- Looking at it ------------------------------------------------------------------------------------------


def test_the_page_says_team_inviter_and_player_before_anything_is_decided(team, owner, lena, pia):
    invited = invite(owner, team, lena)
    browser = browser_of(pia)
    with metering.metered() as cost:
        page = browser.get(address_of(invited))

    assert cost.operations == ["GetItem", "Query", "BatchGetItem"]
    for told in ("Feldkamp Falcons", "Olga Example", "number 12, Lena Sommer", "pia@club.example"):
        assert told in re.sub(r"\s+", " ", page.text)
    assert (status_of(invited), player_now(lena).is_ghost) == ("pending", True)


def test_who_is_not_signed_in_does_that_first_and_comes_back(client, team, owner, lena):
    address = address_of(invite(owner, team, lena))
    response = client.get(address)

    assert response.status_code == 302
    assert response["Location"] == f"/auth/login?next={address.replace('/', '%2F')}"


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("accepted", "This invitation was used already."),
        ("declined", "This invitation was declined."),
        ("revoked", "This invitation was taken back."),
    ],
)
def test_what_is_over_says_so_and_nothing_of_the_team(team, owner, lena, pia, status, told):
    invited = invite(owner, team, lena)
    repository.invitations.update(invited.invitation, {"status": status}, actor=owner.actor)
    for response in (browser_of(pia).get(address_of(invited)), answer(pia, invited)):
        assert (response.status_code, told in response.text) == (410, True)
        assert "Feldkamp" not in response.text
    assert player_now(lena).is_ghost


def test_after_seven_days_it_has_expired(team, owner, lena, pia):
    invited = invite(owner, team, lena)
    past = now() - timedelta(seconds=1)
    repository.invitations.update(invited.invitation, {"expires_at": past}, actor=owner.actor)
    for response in (browser_of(pia).get(address_of(invited)), answer(pia, invited)):
        assert (response.status_code, "has expired" in response.text) == (410, True)
    assert "Expired" in browser_of(owner).get(f"/tracker/teams/{team.id}/invitations/").text
    assert invitations.waiting_for(pia) == []


def test_a_link_that_nobody_made_leads_nowhere(pia):
    response = browser_of(pia).get("/tracker/invitations/0123456789abcdef/")

    assert response.status_code == 404
    assert "There is no such invitation." in response.text


@pytest.mark.parametrize("change", ["deleted", "linked", "team"])
def test_a_place_or_a_team_that_is_gone_cannot_be_taken(team, owner, lena, pia, change):
    invited = invite(owner, team, lena)
    if change == "deleted":
        repository.players.delete(lena, actor=owner.actor)
    elif change == "linked":
        taken = {"is_ghost": False, "user_id": "sub-else"}
        repository.players.update(lena, taken, actor=owner.actor)
    else:
        repository.teams.update(team, {"status": DELETED}, actor=owner.actor)

    assert answer(pia, invited).status_code == 410
    assert status_of(invited) == "pending"


# --- Answering it -------------------------------------------------------------------------------------------


def test_accepting_makes_the_player_somebodys_in_one_transaction(team, owner, lena, pia):
    invited = invite(owner, team, lena)
    browser = browser_of(pia)
    with metering.metered() as cost:
        response = browser.post(address_of(invited), {"answer": "accept"})

    assert cost.operations == ["GetItem", "Query", "BatchGetItem", "TransactWriteItems"]
    assert response["Location"] == f"/tracker/teams/{team.id}/"
    player, membership = player_now(lena), membership_of(pia, team)
    assert (player.is_ghost, player.user_id, player.name, player.number) == (
        False,
        pia.sub,
        "Lena Sommer",
        12,
    )
    assert player.linked_at is not None
    assert (membership.role, membership.status, membership.invited_by) == ("player", "active", owner.sub)
    assert status_of(invited) == "accepted"
    assert lena.id in [each.id for each in repository.players.of_person(pia.sub)]


def test_the_same_person_who_sends_it_twice_is_welcome_twice(team, owner, lena, pia):
    invited = invite(owner, team, lena)
    answers = {answer(pia, invited, once="key-1").status_code for _time in range(2)}

    assert answers == {302}
    assert answer(pia, invited, once="key-2").status_code == 410


def test_declining_ends_it(team, owner, lena, pia):
    invited = invite(owner, team, lena)
    assert answer(pia, invited, "decline").status_code == 302

    assert (status_of(invited), player_now(lena).is_ghost) == ("declined", True)
    assert answer(pia, invited).status_code == 410


def test_an_answer_that_is_neither_does_nothing(team, owner, lena, pia):
    invited = invite(owner, team, lena)

    assert answer(pia, invited, "perhaps").status_code == 404
    assert status_of(invited) == "pending"


def test_of_twenty_people_with_one_link_one_wins(team, owner, lena):
    invited = invite(owner, team, lena)
    people = [person(f"Person{letter}") for letter in "abcdefghijklmnopqrst"]
    answers = at_once(lambda number: invitations.accept(people[number], invited.invitation), 20)

    (winner,) = (people[number] for number, each in enumerate(answers) if not isinstance(each, Exception))
    assert sum(isinstance(each, Over) for each in answers) == 19
    assert player_now(lena).user_id == winner.sub
    assert {each.user_id for each in repository.memberships.of_team(team.id)} == {owner.sub, winner.sub}


def test_one_person_with_several_links_becomes_one_player(team, owner, pia):
    links = [invite(owner, team, ghost(team, f"Ghost {letter}", actor=owner)) for letter in "abcdefgh"]
    answers = at_once(lambda number: invitations.accept(pia, links[number].invitation), len(links))

    assert sum(not isinstance(each, Exception) for each in answers) == 1
    assert {each.field for each in answers if isinstance(each, Exception)} == {"user_id"}
    mine = [each for each in repository.teams.roster(team.id).players if each.user_id == pia.sub]
    assert len(mine) == 1


def test_who_is_on_the_roster_already_is_told_so_before_and_after_accepting(team, owner, lena):
    invited = invite(owner, team, lena)
    own = repository.teams.roster(team.id).of_person(owner.sub)
    page = browser_of(owner).get(address_of(invited))
    assert f"You are {own.name} on the roster of this team already." in page.text
    assert ('id="accept"' in page.text, 'id="decline"' in page.text) == (False, True)

    response = answer(owner, invited)

    assert response.status_code == 409
    assert f"You are {own.name} on the roster of this team already." in response.text
    assert 'id="decline"' in response.text
    assert player_now(lena).is_ghost
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
def test_a_member_may_do_more_after_it_but_never_less(team, owner, lena, pia, has, invited_as, becomes):
    join(pia, team, has, actor=owner)
    answer(pia, invite(owner, team, lena, role=invited_as))

    assert membership_of(pia, team).role == becomes
    assert player_now(lena).user_id == pia.sub


def test_who_has_left_comes_back_as_what_the_invitation_says(team, owner, lena, pia):
    join(pia, team, MANAGER, actor=owner)
    members.leave(pia, team.id)
    answer(pia, invite(owner, team, lena))

    assert (membership_of(pia, team).role, membership_of(pia, team).status) == ("player", "active")


# --- By mail: for one address only --------------------------------------------------------------------------


def test_what_was_sent_to_an_address_is_for_nobody_else(team, owner, lena, pia):
    invited = invite(owner, team, lena, email="pia@club.example")
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


def test_it_waits_for_its_person_who_answers_it_without_the_link(team, owner, lena, pia):
    invited = invite(owner, team, lena, email="pia@club.example")
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
    assert player_now(lena).user_id == pia.sub
    assert invitations.waiting_for(pia) == []


# --- Taking it back -----------------------------------------------------------------------------------------


def test_a_manager_takes_it_back_once(team, owner, lena, pia):
    invited = invite(owner, team, lena)
    address = f"/tracker/teams/{team.id}/invitations/{invited.invitation.id}/revoke/"
    browser = browser_of(owner)
    page = browser.post(address, follow=True)

    assert "Its link no longer works." in page.text
    assert status_of(invited) == "revoked"
    assert answer(pia, invited).status_code == 410
    assert browser.post(address).status_code == 410


def test_accepting_and_taking_back_at_once_only_one_of_both_is_done(team, owner, lena, pia):
    invited = invite(owner, team, lena)
    works = (
        lambda: invitations.accept(pia, invited.invitation),
        lambda: invitations.revoke(owner, team.id, invited.invitation.id),
    )
    answers = at_once(lambda number: works[number % 2](), 8)

    assert sum(not isinstance(each, Exception) for each in answers) == 1
    assert player_now(lena).is_ghost is (status_of(invited) == "revoked")


def test_a_team_that_is_deleted_at_that_moment_gets_no_new_member(team, owner, lena, pia, monkeypatch):
    invited = invite(owner, team, lena)
    update = repository.invitations.update

    def too_late(*arguments, **options):
        monkeypatch.undo()
        repository.teams.update(team, {"status": DELETED}, actor=owner.actor)
        return update(*arguments, **options)

    monkeypatch.setattr(repository.invitations, "update", too_late)

    assert answer(pia, invited).status_code == 410
    assert (status_of(invited), player_now(lena).is_ghost) == ("pending", True)


@pytest.mark.parametrize("loses_it", ["removed", "left", "demoted"])
def test_a_link_ends_with_the_right_of_whoever_made_it(team, owner, pia, loses_it):
    mia = person("Mia")
    seen = join(mia, team, MANAGER, actor=owner).seen_version
    invited = invite(mia, team, role=SCOREKEEPER)
    if loses_it == "removed":
        members.remove(owner, team.id, mia.sub)
    elif loses_it == "left":
        members.leave(mia, team.id)
    else:
        members.change_role(owner, team.id, mia.sub, SCOREKEEPER, seen_version=seen)
    for user in (pia, mia):
        page = browser_of(user).get(address_of(invited))
        assert (page.status_code, "may no longer invite" in page.text) == (410, True)
        assert answer(user, invited).status_code == 410
    assert status_of(invited) == "pending"
    assert pia.sub not in {each.user_id for each in repository.memberships.of_team(team.id)}
    back = membership_of(mia, team)
    assert (back.role, back.is_active) == ((SCOREKEEPER, True) if loses_it == "demoted" else (MANAGER, False))


def test_an_owner_who_becomes_a_manager_no_longer_makes_managers(team, owner, pia):
    invited = invite(owner, team, role=MANAGER)
    repository.memberships.update(membership_of(owner, team), {"role": MANAGER}, actor=owner.actor)
    with pytest.raises(Over):
        invitations.accept(pia, invited.invitation)


def test_whoever_is_removed_at_that_moment_lets_nobody_in(team, owner, pia, monkeypatch):
    mia = person("Mia")
    join(mia, team, MANAGER, actor=owner)
    invited = invite(mia, team, role=SCOREKEEPER)
    look = invitations.opened

    def looked(*arguments, **options):
        monkeypatch.undo()
        offer = look(*arguments, **options)
        members.remove(owner, team.id, mia.sub)
        return offer

    monkeypatch.setattr(invitations, "opened", looked)
    with pytest.raises(Over):
        invitations.accept(pia, invited.invitation)
    assert pia.sub not in {each.user_id for each in repository.memberships.of_team(team.id)}


@pytest.mark.parametrize("was_member", [False, True])
def test_what_an_administrator_offers_who_is_no_member_stands(team, owner, pia, was_member):
    admin = person("Ada", groups=["admin"])
    if was_member:
        join(admin, team, PLAYER, actor=owner)
        members.remove(owner, team.id, admin.sub)
    invited = invite(admin, team, role=MANAGER)
    assert answer(pia, invited).status_code == 302
    assert membership_of(pia, team).role == MANAGER


def test_a_manager_takes_a_place_with_a_link_of_their_own_and_stays_a_manager(team, owner, lena):
    mia = person("Mia")
    join(mia, team, MANAGER, actor=owner)
    assert answer(mia, invite(mia, team, lena)).status_code == 302
    assert (player_now(lena).user_id, membership_of(mia, team).role) == (mia.sub, MANAGER)


def test_inviting_is_six_requests_and_two_that_keep_the_answer(team, owner, lena):
    browser = browser_of(owner)
    sent = {"player": lena.id, "role": "player"}
    with metering.metered() as cost:
        browser.post(f"/tracker/teams/{team.id}/invitations/new/", sent)
    assert cost.requests == 6
    assert cost.operations[-2:] == ["Query", "TransactWriteItems"]
    with metering.metered() as cost:
        browser.post(f"/tracker/teams/{team.id}/invitations/new/", sent | {"once": "key-1"})
    assert cost.requests == 8


def test_a_personal_team_invites_nobody(owner):
    mine = team_of(owner, "Monday League", team_type=PERSONAL)
    response = browser_of(owner).post(f"/tracker/teams/{mine.id}/invitations/new/", {"role": "manager"})

    assert response.status_code == 403
    assert repository.invitations.of_team(mine.id) == []


def test_the_list_tells_what_waits_and_what_became_of_the_others(team, owner, lena, pia):
    invite(owner, team, lena, email="lena@club.example")
    answer(pia, invite(owner, team, role=MANAGER))
    browser = browser_of(owner)
    with metering.metered() as cost:
        text = browser.get(f"/tracker/teams/{team.id}/invitations/").text
    waits, over = text.split('id="ended-heading"')

    assert cost.operations == ["GetItem", "BatchGetItem", "Query", "Query"]
    assert "lena@club.example" in waits
    assert "Manager" in over
    assert ">Accepted<" in over


def test_linking_keeps_the_plate_appearances_and_unlinking_leaves_them(team, owner, lena, pia):
    game = repository.games.create(Game.about(new_id(), team_id=team.id), actor=owner.actor)
    told = AtBat.in_game(game, player_id=lena.id, number=1, result="HR")
    repository.at_bats.create(told, actor=owner.actor)

    def results_of(user):
        """Of a person, across all teams: GSI4, then GSI5."""
        players = repository.players.of_person(user.sub)
        return [each.result for player in players for each in repository.at_bats.of_player(player.id).items]

    assert results_of(pia) == []
    answer(pia, invite(owner, team, lena))
    assert results_of(pia) == ["HR"]
    roster.unlink(owner, team.id, lena.id, leaves=False)
    assert results_of(pia) == []
    assert [each.result for each in repository.at_bats.of_player(lena.id).items] == ["HR"]
