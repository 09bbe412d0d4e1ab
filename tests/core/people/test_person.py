"""The page of one person."""

from collections.abc import Callable

import pytest
from django.test import Client

from core.dynamo import metering
from tests.core.people.people_pages import offered, status_of, texts
from tests.user_pool import Pool


def test_it_shows_who_the_person_is_and_what_they_may_do(admin: Client, pool: Pool) -> None:
    response = admin.get(f"/people/{pool['scout'].sub}/")

    assert response.status_code == 200
    assert texts(response, r"<h1[^>]*>(.*?)</h1>") == ["Sina Hoffmann"]
    assert texts(response, r'<p class="lead[^>]*>(.*?)</p>') == ["sina.hoffmann@fieldhouse.example"]
    assert status_of(response) == "Active"
    assert texts(response, r'value="([a-z-]+)" checked') == ["scout"]
    assert texts(response, r'<label class="choice"(.*?)</label>')[5].endswith(
        "Steward Handles quest disputes, rewards and points."
    )
    assert "No changes recorded." in response.content.decode()


def test_what_is_offered_depends_on_the_state_of_the_account(admin: Client, pool: Pool) -> None:
    sub = pool["scout"].sub
    address = f"/people/{sub}/"

    assert offered(admin.get(address)) == ["Reset the password", "Sign out everywhere", "Disable the account"]
    pool.ask("admin_set_user_password", Username=sub, Password="Temporary-1", Permanent=False)
    assert offered(admin.get(address)) == ["Resend the invitation", "Disable the account"]
    pool.ask("admin_disable_user", Username=sub)
    assert offered(admin.get(address)) == ["Enable the account"]


def test_your_own_page_keeps_you_from_locking_yourself_out(admin: Client, pool: Pool) -> None:
    response = admin.get(f"/people/{pool['admin'].sub}/")

    assert offered(response) == ["Reset the password", "Sign out everywhere"]
    page = response.content.decode()
    assert '<input type="checkbox" id="group-admin" name="groups" value="admin" checked disabled>' in page
    assert '<input type="hidden" name="groups" value="admin">' in page
    assert "You cannot remove yourself from this group." in page


def test_the_history_says_who_gave_and_took_what(admin: Client, pool: Pool) -> None:
    sub = pool["scout"].sub
    admin.post(f"/people/{sub}/groups", {"groups": ["scout", "steward"], "seen": "scout"})
    admin.post(f"/people/{sub}/disable")
    admin.post(f"/people/{sub}/groups", {"groups": ["official"], "seen": "scout,steward"})

    lines = texts(admin.get(f"/people/{sub}/"), r"<li>\s*(<p>Amara.*?)<time")

    assert lines == [
        "Amara Lindqvist changed the groups Added: Official Removed: Scout, Steward",
        "Amara Lindqvist disabled the account",
        "Amara Lindqvist changed the groups Added: Steward",
    ]


def test_it_costs_two_requests_to_dynamodb(admin: Client, pool: Pool) -> None:
    with metering.metered() as meter:
        admin.get(f"/people/{pool['scout'].sub}/")

    assert meter.operations == ["GetItem", "Query"]


@pytest.mark.parametrize(
    "sub",
    [
        "00000000-0000-4000-8000-000000000000",
        "no-such-person",
        "sina.hoffmann@fieldhouse.example",
        "%00",
        "x" * 500,
        "%F0%9F%8E%B3",
    ],
)
def test_an_unknown_person_is_404_for_every_verb(admin: Client, sub: str) -> None:
    assert admin.get(f"/people/{sub}/").status_code == 404
    assert admin.post(f"/people/{sub}/groups", {"groups": ["admin"], "seen": ""}).status_code == 404
    for verb in ("invite-again", "reset-password", "sign-out-everywhere", "disable", "enable"):
        assert admin.get(f"/people/{sub}/{verb}").status_code == 404
        assert admin.post(f"/people/{sub}/{verb}").status_code == 404


@pytest.mark.parametrize("role", ["moderator", "official", "scout-lead", "scout", "steward", "member"])
def test_nobody_else_gets_in_not_even_to_their_own_page(
    as_person: Callable[[str], Client], pool: Pool, role: str
) -> None:
    client, own = as_person(role), pool[role].sub

    assert client.get(f"/people/{own}/").status_code == 403
    for verb in ("groups", "invite-again", "reset-password", "sign-out-everywhere", "disable", "enable"):
        assert client.post(f"/people/{own}/{verb}", {"groups": ["admin"]}).status_code == 403
    account = pool.ask("admin_get_user", Username=own)
    assert (account["Enabled"], account["UserStatus"]) == (True, "CONFIRMED")
    assert pool.groups_of(role) == pool[role].groups


def test_a_name_is_shown_as_text_whatever_it_is(admin: Client, pool: Pool) -> None:
    sub = pool.add("<script>alert(1)</script>", "{{ x }}", email="odd@people.example")

    page = admin.get(f"/people/{sub}/").content.decode()

    assert "&lt;script&gt;alert(1)&lt;/script&gt; {{ x }}" in page
    assert "<script>alert" not in page
