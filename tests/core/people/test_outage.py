"""When Cognito does not answer, the screens say so; nothing is a 500."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client
from structlog.testing import capture_logs

from config.engines.process import free_port
from tests.core.people.people_pages import texts
from tests.user_pool import Pool

SENTENCE = "Accounts are unavailable because the sign-in service is not responding."
IDA = {"given_name": "Ida", "email": "ida@people.example"}


@contextmanager
def paused(pool: Pool) -> Iterator[None]:
    pool.engine.pause()
    try:
        yield
    finally:
        pool.engine.resume()


@pytest.mark.parametrize(
    ("method", "path", "data"),
    [
        ("get", "", {}),
        ("get", "{sub}/", {}),
        ("get", "{sub}/disable", {}),
        ("post", "{sub}/groups", {"groups": ["admin"], "seen": "scout"}),
        ("post", "{sub}/disable", {}),
        ("post", "{sub}/enable", {}),
        ("post", "{sub}/invite-again", {}),
        ("post", "{sub}/reset-password", {}),
        ("post", "{sub}/sign-out-everywhere", {}),
        ("post", "invite", IDA),
    ],
)
def test_every_screen_is_a_503_with_one_sentence(
    admin: Client, pool: Pool, settings: Any, method: str, path: str, data: dict[str, object]
) -> None:
    settings.COGNITO_ENDPOINT = f"http://127.0.0.1:{free_port()}"

    response = getattr(admin, method)("/people/" + path.format(sub=pool["scout"].sub), data)

    assert response.status_code == 503
    assert response["Retry-After"] == "30"
    assert texts(response, r'<p class="lead" id="error">(.*?)</p>') == [SENTENCE]


def test_the_form_to_invite_opens_without_cognito(admin: Client, settings: Any) -> None:
    settings.COGNITO_ENDPOINT = f"http://127.0.0.1:{free_port()}"

    assert admin.get("/people/invite").status_code == 200


@pytest.mark.slow
def test_a_cognito_that_hangs_is_given_up(admin: Client, pool: Pool) -> None:
    with paused(pool):
        response = admin.get("/people/")

    assert response.status_code == 503
    assert admin.get("/people/").status_code == 200


def test_a_user_pool_that_is_not_there_is_logged_with_its_reason(
    admin: Client, pool: Pool, settings: Any
) -> None:
    settings.COGNITO_USER_POOL_ID = "eu-central-1_Nowhere"

    with capture_logs() as events:
        response = admin.get("/people/")

    assert response.status_code == 503
    assert events == [
        {
            "event": "cognito_failed",
            "log_level": "error",
            "operation": "list_users",
            "code": "ResourceNotFoundException",
        }
    ]
