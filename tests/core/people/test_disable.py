"""Disabling an account."""

from dataclasses import replace

import pytest
from django.test import Client
from structlog.testing import capture_logs

from core.accounts import cast
from core.accounts.personal_tokens import services as personal_tokens
from tests.cast import CAST, session_of
from tests.core.people.people_pages import recorded, status_of, texts, toasts
from tests.user_pool import Pool


def test_it_asks_first_on_a_page_of_its_own(admin: Client, pool: Pool) -> None:
    response = admin.get(f"/people/{pool['scout'].sub}/disable")

    assert response.status_code == 200
    assert texts(response, r"<h1[^>]*>(.*?)</h1>") == ["Disable the account"]
    assert texts(response, r'id="confirm">(.*?)</button>') == ["Disable account"]
    assert f'id="cancel" href="/people/{pool["scout"].sub}/"' in response.content.decode()
    assert pool.ask("admin_get_user", Username=pool["scout"].sub)["Enabled"]


def test_htmx_gets_the_question_as_a_dialog(admin: Client, pool: Pool) -> None:
    response = admin.get(f"/people/{pool['scout'].sub}/disable", headers={"HX-Request": "true"})

    page = response.content.decode()
    assert page.strip().startswith('<dialog class="dialog" id="confirm-dialog"')
    assert f'method="post" action="/people/{pool["scout"].sub}/disable"' in page
    assert "<html" not in page


def test_the_person_is_out_and_cannot_come_in(admin: Client, pool: Pool) -> None:
    scout = pool["scout"]
    sessions = [session_of(scout), session_of(scout)]

    with capture_logs() as events:
        response = admin.post(f"/people/{scout.sub}/disable", follow=True)

    assert toasts(response) == ["Account disabled and signed out everywhere."]
    assert status_of(response) == "Disabled"
    assert [session.exists(str(session.session_key)) for session in sessions] == [False, False]
    assert pool.sign_in_with(scout.email, cast.PASSWORD) == "NotAuthorizedException"
    assert recorded(scout.sub) == [(pool["admin"].sub, "disable", {"enabled": True})]
    assert events == [
        {
            "event": "user_changed",
            "log_level": "info",
            "verb": "disable",
            "sub": scout.sub,
            "by": pool["admin"].sub,
        }
    ]


def test_nobody_can_disable_themselves(admin: Client, pool: Pool) -> None:
    response = admin.post(f"/people/{pool['admin'].sub}/disable")

    assert response.status_code == 403
    assert "You cannot disable your own account." in response.content.decode()
    assert pool.ask("admin_get_user", Username=pool["admin"].sub)["Enabled"]
    assert recorded(pool["admin"].sub) == []


def test_another_admin_can_be_disabled(admin: Client, pool: Pool) -> None:
    pool.ask("admin_add_user_to_group", Username=pool["moderator"].sub, GroupName="admin")

    admin.post(f"/people/{pool['moderator'].sub}/disable")

    assert not pool.ask("admin_get_user", Username=pool["moderator"].sub)["Enabled"]


@pytest.mark.parametrize("lost", ["group", "account"])
def test_somebody_whose_admin_right_was_taken_minutes_ago_can_no_longer_use_it(
    admin: Client, pool: Pool, lost: str
) -> None:
    """The session still says admin; Cognito is asked."""
    mine = pool["admin"].sub
    if lost == "group":
        pool.ask("admin_remove_user_from_group", Username=mine, GroupName="admin")
    else:
        pool.ask("admin_disable_user", Username=mine)

    response = admin.post(f"/people/{pool['scout'].sub}/disable")

    assert response.status_code == 403
    assert pool.ask("admin_get_user", Username=pool["scout"].sub)["Enabled"]


def test_the_access_tokens_of_a_disabled_account_are_gone(admin: Client, pool: Pool) -> None:
    scout = replace(CAST["scout"], sub=pool["scout"].sub)
    personal_tokens.make(scout, "Sheet of the pit", ["scouting:read"], 30)

    admin.post(f"/people/{scout.sub}/disable")

    assert personal_tokens.listed(scout) == []
