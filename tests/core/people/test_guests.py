"""Guests on the People pages: who invited them, how many wait, and how one becomes a member."""

from collections.abc import Callable

import pytest
from django.test import Client

from core.accounts import cognito
from core.accounts.user import GUEST
from core.people import services
from quests import repository as quests
from quests.services.accounts import open_account
from tests.core.people.people_pages import offered, recorded, status_of, texts, toasts
from tests.user_pool import Pool


def guest_rows(response: object) -> list[str]:
    """Each guest as one line; the row of the demo guest comes first."""
    return texts(response, r'<tr class="guest">(.*?)</tr>')  # type: ignore[arg-type]


def test_the_list_says_who_invited_each_guest_and_how_many_wait(admin: Client, pool: Pool) -> None:
    services._enter_in_directory(pool["member"], pool["member"].sub, "Maya Rosenthal", "maya@people.example")
    services.open_guest_account(
        pool["member"], email="ina.berg@people.example", given_name="Ina", family_name="Berg"
    )

    response = admin.get("/people/")

    assert texts(response, r'id="guests-found">(.*?)</p>') == ["2 guests, 1 has not signed in yet"]
    since = cognito.find("ina.berg@").accounts[0].created_at.strftime("%Y-%m-%d")
    (gesa, ina) = guest_rows(response)
    assert gesa.startswith("Gesa Albrecht gesa.albrecht@fieldhouse.example not known")
    assert ina.startswith("Ina Berg ina.berg@people.example Maya Rosenthal")
    assert since in response.content.decode()
    assert gesa.endswith("Active Make a member Gesa Albrecht")
    assert ina.endswith("Invited Make a member Ina Berg")


def test_a_search_and_further_pages_are_without_the_guests(admin: Client) -> None:
    assert guest_rows(admin.get("/people/", {"q": "maya"})) == []


def test_without_guests_nothing_is_said_of_them(admin: Client, pool: Pool) -> None:
    pool.ask("admin_remove_user_from_group", Username=pool["guest"].sub, GroupName=GUEST)

    assert 'id="guests"' not in admin.get("/people/").content.decode()


def test_a_pool_without_the_group_has_no_guests(admin: Client, pool: Pool) -> None:
    pool.ask("delete_group", GroupName=GUEST)
    try:
        response = admin.get("/people/")
    finally:
        pool.ask("create_group", GroupName=GUEST)

    assert response.status_code == 200
    assert 'id="guests"' not in response.content.decode()


def test_it_asks_before_a_guest_becomes_a_member(admin: Client, pool: Pool) -> None:
    response = admin.get(f"/people/{pool['guest'].sub}/make-member")

    assert texts(response, r"<h1[^>]*>(.*?)</h1>") == ["Make a member"]
    assert "They can then see the calendar, the bus and the quest board" in response.content.decode()
    assert pool.groups_of("guest") == {GUEST}


def test_a_guest_becomes_a_member_with_a_quest_account_at_the_next_sign_in(
    admin: Client, as_person: Callable[[str], Client], pool: Pool
) -> None:
    gesa, sub = as_person("guest"), pool["guest"].sub
    open_account(pool["guest"])
    assert (gesa.get("/quests/").status_code, quests.accounts.get_many([sub])) == (403, {})

    response = admin.post(f"/people/{sub}/make-member", follow=True)

    assert toasts(response) == ["The guest is a member now."]
    assert pool.groups_of("guest") == set()
    assert recorded(sub) == [(pool["admin"].sub, "make_member", {"groups": [GUEST]})]
    assert texts(response, r'<ol class="history">(.*?)</ol>')[0].startswith(
        "Amara Lindqvist made this guest a member Removed: Guest"
    )
    assert gesa.get("/desk/").status_code == 302, "the session ended"
    member = cognito.with_groups(pool["guest"].of(sub=sub, name="Gesa", email="g@people.example", groups=()))
    for _time in range(2):
        open_account(member)
    assert quests.accounts.get(sub).points == 10


def test_only_a_guest_can_be_made_a_member(admin: Client, pool: Pool) -> None:
    assert "Make a member" in offered(admin.get(f"/people/{pool['guest'].sub}/"))
    assert "Make a member" not in offered(admin.get(f"/people/{pool['scout'].sub}/"))
    response = admin.post(f"/people/{pool['scout'].sub}/make-member")

    assert response.status_code == 409
    assert "This person is already a member." in response.content.decode()


@pytest.mark.parametrize("role", ["moderator", "member", "guest"])
def test_only_administrators_make_members(as_person: Callable[[str], Client], pool: Pool, role: str) -> None:
    assert as_person(role).post(f"/people/{pool['guest'].sub}/make-member").status_code == 403
    assert pool.groups_of("guest") == {GUEST}


def test_saving_no_group_leaves_a_guest(admin: Client, pool: Pool) -> None:
    page = admin.post(f"/people/{pool['guest'].sub}/groups", {"seen": "guest"}, follow=True)

    assert pool.groups_of("guest") == {GUEST}
    assert recorded(pool["guest"].sub) == []
    assert status_of(page) == "Active"


def test_any_other_group_ends_being_a_guest(admin: Client, pool: Pool) -> None:
    admin.post(f"/people/{pool['guest'].sub}/groups", {"groups": ["scout"], "seen": "guest"})

    assert pool.groups_of("guest") == {"scout"}


def test_nobody_is_made_a_guest_by_the_form_of_groups(admin: Client, pool: Pool) -> None:
    response = admin.post(f"/people/{pool['scout'].sub}/groups", {"groups": ["guest"], "seen": "scout"})

    assert response.status_code == 422
    assert pool.groups_of("scout") == {"scout"}


def test_home_names_the_guest_who_waits_to_administrators_only(
    admin: Client, pool: Pool, as_person: Callable[[str], Client]
) -> None:
    gesa, address = pool["guest"], f"/people/{pool['guest'].sub}/"

    assert [(task.title, task.address) for task in admin.get("/desk/later").context["tasks"]] == [
        (gesa.name, address)
    ]
    for role in ("moderator", "member"):
        assert address not in as_person(role).get("/desk/later").content.decode()

    admin.post(f"{address}make-member")
    assert admin.get("/desk/later").context["tasks"] == []
