"""Pages of other sites may use the API with a token if the settings name them, and no page of ours."""

import pytest
from django.test import Client

from tests.scouting import field

ADDRESS = "/api/v1/scouting/events"
APP, OTHER = "https://app.example", "https://evil.example"
ASKED = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}


@pytest.fixture(autouse=True)
def _one_app(settings, db):
    settings.CORS_ALLOWED_ORIGINS = [APP]


def ask(address=ADDRESS, origin=APP, **options):
    method = getattr(Client(), options.pop("method", "get"))
    return method(address, headers={"Origin": origin} | options)


def test_a_browser_is_told_what_a_named_site_may_send():
    answer = ask(method="options", **ASKED)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer["Access-Control-Allow-Origin"] == APP
    assert "PATCH" in answer["Access-Control-Allow-Methods"]
    assert {"authorization", "idempotency-key", "if-match"} <= set(
        answer["Access-Control-Allow-Headers"].split(", ")
    )


def test_another_site_is_told_nothing():
    for answer in (ask(origin=OTHER, method="options", **ASKED), ask(origin=OTHER), ask(origin="null")):
        assert "Access-Control-Allow-Origin" not in answer
        assert "Origin" in answer["Vary"].title()


def test_a_named_site_reads_answers_and_their_headers(token_of):
    field.exist("2026a1")
    answer = ask(Authorization=f"Bearer {token_of('scout')}")
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (200, APP)
    assert {"etag", "location", "retry-after"} <= set(answer["Access-Control-Expose-Headers"].split(", "))


def test_a_named_site_reads_errors():
    for address, status in ((ADDRESS, 401), ("/api/v1/nothing", 404)):
        answer = ask(address)
        assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (status, APP)


def test_a_session_is_never_sent_along():
    assert "Access-Control-Allow-Credentials" not in ask(method="options", **ASKED)


@pytest.mark.parametrize("address", ["/desk/", "/", "/scouting/events/", "/apix/"])
def test_pages_are_for_no_other_site(address):
    assert "Access-Control-Allow-Origin" not in ask(address)


def test_without_the_setting_no_site_may(settings):
    settings.CORS_ALLOWED_ORIGINS = []
    assert "Access-Control-Allow-Origin" not in ask(method="options", **ASKED)
