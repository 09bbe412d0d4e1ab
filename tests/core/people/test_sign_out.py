"""Signing somebody out everywhere."""

import pytest
from django.test import Client

from core.dynamo.faults import FaultProxy, Faults
from core.people import services
from tests.cast import session_of
from tests.core.people.people_pages import recorded, texts, toasts
from tests.user_pool import Pool


def test_it_asks_first(admin: Client, pool: Pool) -> None:
    session = session_of(pool["scout"])

    response = admin.get(f"/people/{pool['scout'].sub}/sign-out-everywhere")

    assert texts(response, r"<h1[^>]*>(.*?)</h1>") == ["Sign out everywhere"]
    assert session.exists(str(session.session_key))


def test_every_session_of_the_person_ends_and_nobody_elses(admin: Client, pool: Pool) -> None:
    own = [session_of(pool["scout"]) for _device in range(3)]
    other = session_of(pool["steward"])

    response = admin.post(f"/people/{pool['scout'].sub}/sign-out-everywhere", follow=True)

    assert toasts(response) == ["Signed out everywhere."]
    assert [session.exists(str(session.session_key)) for session in [*own, other]] == [
        False,
        False,
        False,
        True,
    ]
    assert recorded(pool["scout"].sub) == [(pool["admin"].sub, "sign_out_everywhere", {})]


def test_refresh_tokens_die_too(admin: Client, pool: Pool) -> None:
    token = pool.refresh_token_of(pool["scout"].email)

    admin.post(f"/people/{pool['scout'].sub}/sign-out-everywhere")

    assert pool.refresh(token) == "NotAuthorizedException"


def test_you_can_sign_yourself_out_everywhere(admin: Client, pool: Pool) -> None:
    elsewhere = session_of(pool["admin"])

    response = admin.post(f"/people/{pool['admin'].sub}/sign-out-everywhere")

    assert response.status_code == 302
    assert not elsewhere.exists(str(elsewhere.session_key))
    assert admin.get("/people/")["Location"].startswith("/auth/login")


def test_sessions_that_cannot_be_ended_are_told(
    admin: Client, pool: Pool, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = services.end_all_of

    def end_without_dynamodb(sub: str) -> int:
        proxy.faults = Faults(error=1)
        return end(sub)

    monkeypatch.setattr(services, "end_all_of", end_without_dynamodb)
    response = admin.post(f"/people/{pool['scout'].sub}/sign-out-everywhere")
    proxy.faults = Faults()

    assert toasts(admin.get(response["Location"])) == [
        str(services.STILL_SIGNED_IN),
        str(services.NOT_RECORDED),
    ]
