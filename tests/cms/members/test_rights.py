"""Who may do what to members: moderators to all, and who is one finds all and changes the own entry."""

import pytest
from django.test import Client

from cms.members.repository import members
from cms.roles.models import Role
from cms.roles.repository import roles
from tests.cast import CAST, sign_in
from tests.cms.club import MAKER, as_member, make_member, make_team, signed_in
from tests.core.crud.pages import open_form
from tests.core.crud.roles import names_in

pytestmark = pytest.mark.usefixtures("db")


@pytest.mark.parametrize("role", ["scout-lead", "scout", "steward", "member", "other-member"])
def test_who_is_no_member_does_not_come_in(role: str) -> None:
    member = make_member(email="maya@verein.example")
    client = sign_in(Client(), role)

    for address in ("", "new", "pick", "export.csv", f"{member.id}/", f"{member.id}/delete"):
        assert client.get(f"/cms/members/{address}").status_code == 403


@pytest.mark.parametrize(("role", "may"), [("admin", True), ("moderator", True), ("official", False)])
def test_moderators_and_admins_change_all_members_and_officials_read_them(role: str, may: bool) -> None:
    member = make_member()
    client = sign_in(Client(), role)

    assert client.get(f"/cms/members/{member.id}/").status_code == 200
    sent = client.post(f"/cms/members/{member.id}/", {"name": "Changed", "version": "1"}).status_code
    assert sent == (302 if may else 403)
    assert members.get(member.id).name == ("Changed" if may else "Maya Rosenthal")


def test_a_person_finds_all_and_changes_and_deletes_only_the_own_entry() -> None:
    own = make_member(email=CAST["member"].email)
    other = make_member("Svea Nordmann", email="svea@verein.example")
    client = signed_in(as_member("member", own))

    assert names_in(client.get("/cms/members/").content.decode()) == [
        "Maya Rosenthal",
        "Svea Nordmann",
    ]
    assert not client.get(f"/cms/members/{other.id}/").context["may_update"]
    assert client.post(f"/cms/members/{other.id}/", {"name": "Mine", "version": "1"}).status_code == 403
    assert client.post(f"/cms/members/{other.id}/delete", {"version": "1"}).status_code == 403
    assert members.get(other.id).name == "Svea Nordmann"
    open_form(client, f"/cms/members/{own.id}/").fill(phone="0151 1").send()
    assert members.get(own.id).phone == "0151 1"
    assert client.post(f"/cms/members/{own.id}/delete", {"version": "2"}).status_code == 302
    assert own.id not in members.get_many([own.id])


def test_who_gives_the_own_entry_another_address_may_no_longer_change_it() -> None:
    own = make_member(email=CAST["member"].email)
    client = signed_in(as_member("member", own))
    open_form(client, f"/cms/members/{own.id}/").fill(email="else@verein.example").send()

    assert not client.get(f"/cms/members/{own.id}/").context["may_update"]
    assert client.post(f"/cms/members/{own.id}/", {"name": "Mine", "version": "2"}).status_code == 403


def test_a_member_whom_a_team_names_is_not_deleted(as_role) -> None:
    member = make_member()
    make_team("Damen 1", coach_ids=[member.id], contact_person_ids=[member.id])

    answer = as_role("moderator").post(f"/cms/members/{member.id}/delete", {"version": "1"})

    assert answer.status_code == 409
    assert [(use.label, use.kind) for use in answer.context["uses"]] == [("Damen 1", "team")]
    members.get(member.id)


def test_the_rights_follow_the_address_that_is_stored_now() -> None:
    own = make_member(email=CAST["member"].email)
    client = signed_in(as_member("member", own))
    members.update(own, {"email": None}, actor=MAKER)

    assert client.post(f"/cms/members/{own.id}/", {"name": "Mine", "version": "2"}).status_code == 403


def test_nobody_puts_themselves_on_the_board() -> None:
    board = roles.create(Role(name="Vorstand", vorstand=True), actor=MAKER)
    trainer = roles.create(Role(name="Trainerin"), actor=MAKER)
    own = make_member(email=CAST["member"].email, role_ids=[trainer.id])
    client = signed_in(as_member("member", own))

    form = open_form(client, f"/cms/members/{own.id}/").fill(phone="07631 1234", role_ids=[board.id])

    assert form.send().status_code == 302
    stored = members.get(own.id, strong=True)
    assert (stored.phone, stored.role_ids) == ("07631 1234", [trainer.id])
