"""Enabling an account again."""

from django.test import Client

from core.accounts import cast
from tests.core.people.people_pages import recorded, status_of, texts, toasts
from tests.user_pool import Pool


def test_it_asks_first(admin: Client, pool: Pool) -> None:
    pool.ask("admin_disable_user", Username=pool["scout"].sub)

    response = admin.get(f"/people/{pool['scout'].sub}/enable")

    assert texts(response, r"<h1[^>]*>(.*?)</h1>") == ["Enable the account"]
    assert not pool.ask("admin_get_user", Username=pool["scout"].sub)["Enabled"]


def test_the_person_can_sign_in_again_and_has_their_groups(admin: Client, pool: Pool) -> None:
    scout = pool["scout"]
    admin.post(f"/people/{scout.sub}/disable")

    response = admin.post(f"/people/{scout.sub}/enable", follow=True)

    assert toasts(response)[-1] == "Account enabled."
    assert status_of(response) == "Active"
    assert pool.groups_of("scout") == {"scout"}
    assert pool.sign_in_with(scout.email, cast.PASSWORD) == "in"
    assert recorded(scout.sub) == [
        (pool["admin"].sub, "enable", {"enabled": False}),
        (pool["admin"].sub, "disable", {"enabled": True}),
    ]
