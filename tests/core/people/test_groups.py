"""Choosing the groups of a person."""

import pytest
from django.conf import settings
from django.test import Client

from core.accounts import cognito
from core.dynamo.errors import Unavailable
from tests.cast import session_of
from tests.core.people.people_pages import errors, recorded, texts, toasts
from tests.user_pool import Pool


def address(pool: Pool, role: str) -> str:
    return f"/people/{pool[role].sub}/groups"


def test_the_person_is_in_exactly_the_chosen_groups(admin: Client, pool: Pool) -> None:
    response = admin.post(
        address(pool, "scout"), {"groups": ["steward", "official"], "seen": "scout"}, follow=True
    )

    assert toasts(response) == ["Groups saved."]
    assert pool.groups_of("scout") == {"official", "steward"}
    assert texts(response, r'value="([a-z-]+)" checked') == ["official", "steward"]
    assert recorded(pool["scout"].sub) == [(pool["admin"].sub, "groups", {"groups": ["scout"]})]


def test_changed_groups_end_the_sessions_of_the_person_at_once(admin: Client, pool: Pool) -> None:
    scout, other = Client(), Client()
    for client, role in ((scout, "scout"), (other, "steward")):
        client.cookies[settings.SESSION_COOKIE_NAME] = str(session_of(pool[role]).session_key)
        assert client.get("/desk/").status_code == 200

    admin.post(address(pool, "scout"), {"groups": ["scout"], "seen": "scout"})
    assert scout.get("/desk/").status_code == 200, "nothing was changed"
    admin.post(address(pool, "scout"), {"groups": ["steward"], "seen": "scout"})

    assert scout.get("/desk/").status_code == 302
    assert other.get("/desk/").status_code == 200


def test_sending_the_form_twice_is_not_taken_for_somebody_elses_change(admin: Client, pool: Pool) -> None:
    page = admin.get(f"/people/{pool['scout'].sub}/")
    (key,) = texts(page, r'name="once" value="(.*?)"')
    posted = {"groups": ["steward"], "seen": "scout", "once": key}

    for _time in range(2):
        answer = admin.post(address(pool, "scout"), posted)
        assert toasts(admin.get(answer["Location"])) == ["Groups saved."]


def test_no_group_at_all_leaves_a_member(admin: Client, pool: Pool) -> None:
    admin.post(address(pool, "scout"), {"seen": "scout"})

    assert pool.groups_of("scout") == set()


def test_saving_the_same_groups_is_no_change(admin: Client, pool: Pool) -> None:
    admin.post(address(pool, "scout"), {"groups": ["scout"], "seen": "scout"})

    assert recorded(pool["scout"].sub) == []


def test_groups_that_are_not_ours_are_left_alone(admin: Client, pool: Pool) -> None:
    pool.ask("create_group", GroupName="of-another-app")
    pool.ask("admin_add_user_to_group", Username=pool["scout"].sub, GroupName="of-another-app")

    admin.post(address(pool, "scout"), {"groups": ["steward"], "seen": "scout"})

    held = pool.ask("admin_list_groups_for_user", Username=pool["scout"].sub)["Groups"]
    pool.ask("delete_group", GroupName="of-another-app")
    assert {group["GroupName"] for group in held} == {"of-another-app", "steward"}


def test_nobody_can_remove_their_own_admin_right(admin: Client, pool: Pool) -> None:
    response = admin.post(address(pool, "admin"), {"groups": ["scout"], "seen": "admin"})

    assert response.status_code == 422
    assert errors(response) == ["You cannot remove your own admin permission."]
    assert pool.groups_of("admin") == {"admin"}
    assert recorded(pool["admin"].sub) == []


def test_you_can_give_yourself_other_groups(admin: Client, pool: Pool) -> None:
    admin.post(address(pool, "admin"), {"groups": ["admin", "scout"], "seen": "admin"})

    assert pool.groups_of("admin") == {"admin", "scout"}


def test_a_change_that_was_not_seen_is_not_overwritten(admin: Client, pool: Pool) -> None:
    """Two admins have the page open; the other one saved first."""
    pool.ask("admin_add_user_to_group", Username=pool["scout"].sub, GroupName="steward")

    response = admin.post(address(pool, "scout"), {"groups": ["scout", "official"], "seen": "scout"})

    assert response.status_code == 409
    assert toasts(response) == ["Someone else changed these groups in the meantime. Check them, then save."]
    assert texts(response, r'value="([a-z-]+)" checked') == ["scout", "steward"]
    assert 'name="seen" value="scout,steward"' in response.content.decode()
    assert pool.groups_of("scout") == {"scout", "steward"}


@pytest.mark.parametrize("seen", ["", "root", "scout,", "x" * 5000])
def test_a_forged_seen_field_changes_nothing(admin: Client, pool: Pool, seen: str) -> None:
    response = admin.post(address(pool, "steward"), {"groups": ["admin"], "seen": seen})

    assert response.status_code == 409
    assert pool.groups_of("steward") == {"steward"}


def test_a_group_that_does_not_exist_is_refused(admin: Client, pool: Pool) -> None:
    response = admin.post(address(pool, "scout"), {"groups": ["scout", "root"], "seen": "scout"})

    assert response.status_code == 422
    assert errors(response) == ["Select a valid choice. root is not one of the available choices."]
    assert pool.groups_of("scout") == {"scout"}


def test_other_posted_fields_change_nothing(admin: Client, pool: Pool) -> None:
    extra = {"sub": pool["admin"].sub, "email": "new@people.example", "enabled": "false", "name": "New"}

    admin.post(address(pool, "scout"), {"groups": ["scout", "steward"], "seen": "scout", **extra})

    account = cognito.get(pool["scout"].sub)
    assert (account.name, account.email, account.enabled) == (
        "Sina Hoffmann",
        "sina.hoffmann@fieldhouse.example",
        True,
    )
    assert pool.groups_of("admin") == {"admin"}


def test_what_fails_halfway_leaves_fewer_rights_and_is_told(
    admin: Client, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    administer = cognito.administer

    def lose_cognito_before_adding(operation: str, **arguments: object) -> dict[str, object]:
        if operation == "admin_add_user_to_group":
            raise Unavailable
        return administer(operation, **arguments)

    monkeypatch.setattr(cognito, "administer", lose_cognito_before_adding)
    response = admin.post(address(pool, "scout"), {"groups": ["admin"], "seen": "scout"}, follow=True)

    assert toasts(response) == ["Saved, but not all groups could be set. Check them and save again."]
    assert pool.groups_of("scout") == set()
    assert recorded(pool["scout"].sub) == [(pool["admin"].sub, "groups", {"groups": ["scout"]})]


def test_a_change_that_fails_at_once_is_no_change(
    admin: Client, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    administer = cognito.administer

    def lose_cognito(operation: str, **arguments: object) -> dict[str, object]:
        if operation == "admin_remove_user_from_group":
            raise Unavailable
        return administer(operation, **arguments)

    monkeypatch.setattr(cognito, "administer", lose_cognito)

    assert admin.post(address(pool, "scout"), {"groups": ["admin"], "seen": "scout"}).status_code == 503
    assert recorded(pool["scout"].sub) == []
