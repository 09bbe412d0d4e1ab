"""Invitations: made, looked at and taken back."""

import re
from datetime import timedelta

import pytest

from core.dynamo import maintenance, metering
from core.dynamo.attributes import now
from core.dynamo.items import new_id
from core.dynamo.support_table import SupportItem
from tests.racing import at_once
from tests.tracker.club import browser_of, join, person, team_of
from tests.tracker.teams.invited import address_of, answer, invite, membership_of, player_now, status_of
from tracker import keys, repository
from tracker.games.models import Game
from tracker.roster import services as roster
from tracker.scoring.models import AtBat
from tracker.teams.limits import INVITING
from tracker.teams.models import DELETED, MANAGER, PERSONAL, PLAYER, SCOREKEEPER
from tracker.teams.services import invitations, members
from tracker.teams.services.invitations import Over

pytestmark = pytest.mark.usefixtures("db")


# --- Making one ---------------------------------------------------------------------------------------------


def test_the_link_is_shown_once_and_only_its_digest_is_stored(team, owner, ghost_lena):
    browser = browser_of(owner)
    form = f"/tracker/teams/{team.id}/invitations/new/"
    page = browser.post(form, {"player": ghost_lena.id, "role": "player"})

    (link,) = re.findall(r'value="(http://testserver/tracker/invitations/\w+/)"', page.text)
    token = link.split("/")[-2]
    assert len(token) == 40
    (stored,) = repository.invitations.of_team(team.id)
    assert (stored.token_hash, stored.player_id, stored.role) == (keys.hashed(token), ghost_lena.id, "player")
    assert stored.expires_at - stored.created_at == pytest.approx(timedelta(days=7), abs=timedelta(seconds=1))
    assert token not in str(stored.stored)
    assert token not in browser.get(f"/tracker/teams/{team.id}/invitations/").text
    assert ">Invited<" in browser.get(f"/tracker/teams/{team.id}/roster/").text


def test_a_form_that_is_sent_twice_makes_one_and_shows_the_same_link(team, owner, ghost_lena):
    browser = browser_of(owner)
    pages = [
        browser.post(
            f"/tracker/teams/{team.id}/invitations/new/",
            {"player": ghost_lena.id, "role": "player", "once": "key-1"},
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


def test_a_new_one_for_the_same_player_takes_the_earlier_back(team, owner, ghost_lena, pia):
    first, second = invite(owner, team, ghost_lena), invite(owner, team, ghost_lena)
    other = invite(owner, team, role=SCOREKEEPER)

    assert (status_of(first), status_of(second), status_of(other)) == ("revoked", "pending", "pending")
    assert browser_of(pia).get(address_of(first)).status_code == 410


def test_after_so_many_in_an_hour_one_waits(team, owner, ghost_lena, monkeypatch):
    monkeypatch.setattr(INVITING, "_store", type(INVITING)("test-invitation", limit=2, seconds=3600)._store)
    browser = browser_of(owner)
    answers = [
        browser.post(
            f"/tracker/teams/{team.id}/invitations/new/", {"player": ghost_lena.id, "role": "player"}
        )
        for _time in range(3)
    ]

    assert [response.status_code for response in answers] == [200, 200, 429]
    assert int(answers[-1]["Retry-After"]) > 0
    assert "Too many attempts." in answers[-1].text
    assert len(repository.invitations.of_team(team.id)) == 2


# --- Looking at it ------------------------------------------------------------------------------------------


def test_the_page_says_team_inviter_and_player_before_anything_is_decided(team, owner, ghost_lena, pia):
    invited = invite(owner, team, ghost_lena)
    browser = browser_of(pia)
    with metering.metered() as cost:
        page = browser.get(address_of(invited))

    assert cost.operations == ["GetItem", "Query", "BatchGetItem"]
    for told in ("Feldkamp Falcons", "Olga Example", "number 12, Lena Sommer", "pia@club.example"):
        assert told in re.sub(r"\s+", " ", page.text)
    assert (status_of(invited), player_now(ghost_lena).is_ghost) == ("pending", True)


def test_who_is_not_signed_in_does_that_first_and_comes_back(client, team, owner, ghost_lena):
    address = address_of(invite(owner, team, ghost_lena))
    response = client.get(address)

    assert response.status_code == 302
    assert response["Location"] == f"/auth/login?next={address.replace('/', '%2F')}"


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("accepted", "This invitation has already been used."),
        ("declined", "This invitation was declined."),
        ("revoked", "This invitation was withdrawn."),
    ],
)
def test_what_is_over_says_so_and_nothing_of_the_team(team, owner, ghost_lena, pia, status, told):
    invited = invite(owner, team, ghost_lena)
    repository.invitations.update(invited.invitation, {"status": status}, actor=owner.actor)
    for response in (browser_of(pia).get(address_of(invited)), answer(pia, invited)):
        assert (response.status_code, told in response.text) == (410, True)
        assert "Feldkamp" not in response.text
    assert player_now(ghost_lena).is_ghost


def test_after_seven_days_it_has_expired(team, owner, ghost_lena, pia):
    invited = invite(owner, team, ghost_lena)
    past = now() - timedelta(seconds=1)
    repository.invitations.update(invited.invitation, {"expires_at": past}, actor=owner.actor)
    for response in (browser_of(pia).get(address_of(invited)), answer(pia, invited)):
        assert (response.status_code, "has expired" in response.text) == (410, True)
    assert "Expired" in browser_of(owner).get(f"/tracker/teams/{team.id}/invitations/").text
    assert invitations.waiting_for(pia) == []


def test_a_link_that_nobody_made_leads_nowhere(pia):
    response = browser_of(pia).get("/tracker/invitations/0123456789abcdef/")

    assert response.status_code == 404
    assert "This invitation does not exist." in response.text


@pytest.mark.parametrize("change", ["deleted", "linked", "team"])
def test_a_place_or_a_team_that_is_gone_cannot_be_taken(team, owner, ghost_lena, pia, change):
    invited = invite(owner, team, ghost_lena)
    if change == "deleted":
        repository.players.delete(ghost_lena, actor=owner.actor)
    elif change == "linked":
        taken = {"is_ghost": False, "user_id": "sub-else"}
        repository.players.update(ghost_lena, taken, actor=owner.actor)
    else:
        repository.teams.update(team, {"status": DELETED}, actor=owner.actor)

    assert answer(pia, invited).status_code == 410
    assert status_of(invited) == "pending"


# --- Taking it back -----------------------------------------------------------------------------------------


def test_a_manager_takes_it_back_once(team, owner, ghost_lena, pia):
    invited = invite(owner, team, ghost_lena)
    address = f"/tracker/teams/{team.id}/invitations/{invited.invitation.id}/revoke/"
    browser = browser_of(owner)
    page = browser.post(address, follow=True)

    assert "Its link no longer works." in page.text
    assert status_of(invited) == "revoked"
    assert answer(pia, invited).status_code == 410
    assert browser.post(address).status_code == 410


def test_accepting_and_taking_back_at_once_only_one_of_both_is_done(team, owner, ghost_lena, pia):
    invited = invite(owner, team, ghost_lena)
    works = (
        lambda: invitations.accept(pia, invited.invitation),
        lambda: invitations.revoke(owner, team.id, invited.invitation.id),
    )
    answers = at_once(lambda number: works[number % 2](), 8)

    assert sum(not isinstance(each, Exception) for each in answers) == 1
    assert player_now(ghost_lena).is_ghost is (status_of(invited) == "revoked")


def test_a_team_that_is_deleted_at_that_moment_gets_no_new_member(team, owner, ghost_lena, pia, monkeypatch):
    invited = invite(owner, team, ghost_lena)
    update = repository.invitations.update

    def too_late(*arguments, **options):
        monkeypatch.undo()
        repository.teams.update(team, {"status": DELETED}, actor=owner.actor)
        return update(*arguments, **options)

    monkeypatch.setattr(repository.invitations, "update", too_late)

    assert answer(pia, invited).status_code == 410
    assert (status_of(invited), player_now(ghost_lena).is_ghost) == ("pending", True)


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
        assert (page.status_code, "can no longer invite people" in page.text) == (410, True)
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
    look = invitations.allowed

    def looked(*arguments, **options):
        monkeypatch.undo()
        offer = look(*arguments, **options)
        members.remove(owner, team.id, mia.sub)
        return offer

    monkeypatch.setattr(invitations, "allowed", looked)
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


def test_a_manager_takes_a_place_with_a_link_of_their_own_and_stays_a_manager(team, owner, ghost_lena):
    mia = person("Mia")
    join(mia, team, MANAGER, actor=owner)
    assert answer(mia, invite(mia, team, ghost_lena)).status_code == 302
    assert (player_now(ghost_lena).user_id, membership_of(mia, team).role) == (mia.sub, MANAGER)


def test_inviting_is_six_requests_and_two_that_keep_the_answer(team, owner, ghost_lena):
    browser = browser_of(owner)
    sent = {"player": ghost_lena.id, "role": "player"}
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


def test_the_list_tells_what_waits_and_what_became_of_the_others(team, owner, ghost_lena, pia):
    invite(owner, team, ghost_lena, email="lena@club.example")
    answer(pia, invite(owner, team, role=MANAGER))
    browser = browser_of(owner)
    with metering.metered() as cost:
        text = browser.get(f"/tracker/teams/{team.id}/invitations/").text
    waits, over = text.split('id="ended-heading"')

    assert cost.operations == ["GetItem", "BatchGetItem", "Query", "Query"]
    assert "lena@club.example" in waits
    assert "Manager" in over
    assert ">Accepted<" in over


def test_linking_keeps_the_plate_appearances_and_unlinking_leaves_them(team, owner, ghost_lena, pia):
    game = repository.games.create(Game.about(new_id(), team_id=team.id), actor=owner.actor)
    told = AtBat.in_game(game, player_id=ghost_lena.id, number=1, result="HR")
    repository.at_bats.create(told, actor=owner.actor)

    def results_of(user):
        """Of a person, across all teams: GSI4, then GSI5."""
        players = repository.players.of_person(user.sub)
        return [each.result for player in players for each in repository.at_bats.of_player(player.id).items]

    assert results_of(pia) == []
    answer(pia, invite(owner, team, ghost_lena))
    assert results_of(pia) == ["HR"]
    roster.unlink(owner, team.id, ghost_lena.id, leaves=False)
    assert results_of(pia) == []
    assert [each.result for each in repository.at_bats.of_player(ghost_lena.id).items] == ["HR"]
