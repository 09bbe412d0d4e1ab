"""What goes wrong under /api/ is a problem (RFC 9457), whoever notices it; elsewhere it is a page."""

import json
import re
from http import HTTPStatus

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from config.urls import handler403, handler404, handler500  # noqa: F401
from config.urls import urlpatterns as own_urls
from core.accounts.rights import public
from core.dynamo.faults import FaultProxy, Faults
from tests.api.programs import Program, pointers
from tests.scouting import field
from tests.scouting.field import KEY

ADDRESS = "/api/v1/scouting/stand-forms"


@pytest.fixture
def lead(program):
    return program("scout-lead")


def told(answer):
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["type"], problem["status"]) == ("about:blank", answer.status_code)
    return problem["title"]


@pytest.mark.parametrize("address", ["/api/v2/", "/api/v1/nothing", "/api/v1/scouting/", "/api/v1/a/b"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_unknown_address_is_a_problem(lead, address, method):
    answer = lead.send(method, address)
    assert (answer.status_code, told(answer)) == (404, "Not Found")


def test_an_unknown_page_is_a_page(client, db):
    answer = client.get("/apix/")
    assert (answer.status_code, answer["Content-Type"]) == (404, "text/html; charset=utf-8")


@pytest.mark.parametrize(
    ("method", "address", "allowed"),
    [
        ("PUT", ADDRESS, "GET, HEAD, POST"),
        ("OPTIONS", ADDRESS, "GET, HEAD, POST"),
        ("DELETE", f"{ADDRESS}/a/move", "POST"),
        ("POST", "/api/v1/openapi.json", "GET, HEAD"),
    ],
)
def test_a_method_that_an_address_lacks_is_a_problem(lead, method, address, allowed):
    answer = lead.send(method, address)
    assert (answer.status_code, told(answer)) == (405, "Method Not Allowed")
    assert ", ".join(sorted(re.split(", *", answer["Allow"]))) == allowed


@pytest.mark.parametrize("body", ["{", "[]", "null", "7", '"text"', "", "\xff", '{"event": "' + "x" * 10])
def test_a_body_that_is_no_object_is_a_problem(lead, body):
    answer = lead.post(ADDRESS, body)
    assert (answer.status_code, told(answer)) == (400, "Bad Request")


@pytest.mark.parametrize("body", ["[" * 100_000, '{"a":' * 100_000, '{"matchNumber": 1e999}', "9" * 10_000])
def test_a_body_that_is_made_to_do_harm_is_a_problem(lead, body):
    assert lead.post(ADDRESS, body).status_code == 400


def test_a_body_that_is_too_large_is_a_problem(lead, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = lead.post(ADDRESS, {"comments": "x" * 1000})
    assert (answer.status_code, told(answer)) == (413, HTTPStatus(413).phrase)


@pytest.mark.parametrize(("key", "status"), [("k" * 255, 201), ("k" * 256, 400), ("", 400)])
def test_an_idempotency_key_has_1_to_255_characters(lead, key, status):
    field.event()
    sent = {"event": KEY, "teamNumber": "20", "comments": "Fast"}
    address = ADDRESS.replace("stand", "comment")
    assert lead.post(address, sent, idempotency_key=key).status_code == status


def test_a_key_of_another_request_is_told_as_what_it_is(lead):
    """And not as a form of a page, which could be reloaded."""
    field.event()
    sent, address = (
        {"event": KEY, "teamNumber": "20", "comments": "Fast"},
        ADDRESS.replace("stand", "comment"),
    )
    lead.post(address, sent, idempotency_key="once")
    answer = lead.post(address, sent | {"comments": "Slow"}, idempotency_key="once")
    assert answer.status_code == 422
    assert answer.json()["detail"] == (
        "This Idempotency-Key was used for a request with other contents. Send a new one."
    )


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (f"{ADDRESS}?event={KEY}", "nextToken"),
        ("/api/v1/search?q=derby", "nextToken"),
        ("/api/v1/quests/mine?limit=1", "createdToken"),
        ("/api/v1/quests/mine?limit=1", "performedToken"),
    ],
)
def test_a_token_of_another_page_is_named(lead, address, name):
    answer = lead.get(f"{address}&{name}=strange")
    assert (answer.status_code, pointers(answer)) == (400, [f"/query/{name}"])


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"title": " "}, "This is blank, or contains a NUL character."),
        ({"title": "Derby", "publishAt": "tomorrow"}, "A time is a text such as 2026-03-05T17:04:12Z."),
        (
            {"title": "Derby", "publishAt": "2026-03-05T17:04:12"},
            "A time has an offset, such as Z or +02:00.",
        ),
        ({"title": "Derby", "publishAt": "9999-03-05T17:04:12Z"}, "A year is from 1900 to 9000."),
    ],
)
def test_what_is_wrong_is_said_in_words(program, body, detail):
    answer = program("official").post("/api/v1/cms/news", {"title": "Derby"} | body)
    assert [error["detail"] for error in answer.json()["errors"]] == [detail]


def test_a_day_that_is_none_is_told_so(client, db):
    answer = client.get("/api/v1/website/events?from=2026-02-30")
    assert answer.json()["errors"] == [
        {"pointer": "/query/from", "detail": "A day is a text such as 2026-03-05."}
    ]


def test_what_is_missing_is_named(lead):
    answer = lead.post(ADDRESS, {})
    assert sorted(pointers(answer)) == ["/body/event", "/body/matchNumber", "/body/teamNumber"]
    assert all(error["detail"] for error in answer.json()["errors"])


def test_an_outage_says_when_to_try_again(proxy: FaultProxy, lead):
    proxy.faults = Faults(error=1)
    answer = Program("stranger").send("GET", ADDRESS)
    assert answer.status_code == 401
    answer = lead.get(f"{ADDRESS}?event={KEY}")
    assert (answer.status_code, told(answer)) == (503, "Service Unavailable")
    assert answer["Retry-After"] == "5"


def test_another_host_is_a_problem(lead):
    answer = lead.client.get(ADDRESS, headers={"Host": "evil.example"})
    assert (answer.status_code, told(answer)) == (400, "Bad Request")


@public
def crash(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("secret")


urlpatterns = [path("api/v1/crash", crash), path("crash", crash), *own_urls]


@pytest.mark.urls(__name__)
def test_a_crash_is_a_problem_that_tells_nothing(db):
    browser = Client(raise_request_exception=False)
    answer = browser.get("/api/v1/crash")
    assert (answer.status_code, told(answer)) == (500, "Internal Server Error")
    assert "secret" not in json.dumps(answer.json())
    assert browser.get("/crash")["Content-Type"] == "text/html; charset=utf-8"


def test_on_the_machine_of_a_developer_problems_are_the_same(program, settings):
    """Ninja would answer 500 with a traceback."""
    settings.DEBUG = True
    field.event()
    answer = program("scout").get(f"{ADDRESS}?event={KEY}")
    assert (answer.status_code, told(answer)) == (403, "Forbidden")


def test_a_problem_has_the_headers_of_every_answer(lead):
    answer = lead.get("/api/v1/nothing")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cache-Control"] == "no-store"
    assert answer["X-Request-ID"]


def test_a_head_is_its_get_without_the_body(lead):
    field.event()
    field.stand("20", 1)
    got, head = lead.send("GET", f"{ADDRESS}?event={KEY}"), lead.send("HEAD", f"{ADDRESS}?event={KEY}")
    assert (head.status_code, head.content) == (200, b"")
    assert head["Content-Type"] == got["Content-Type"] == "application/json"


def test_what_did_not_change_is_not_sent_again(lead):
    field.event()
    field.stand("20", 1)
    (form,) = lead.get(f"{ADDRESS}?event={KEY}").json()
    etag = f'"{form["version"]}"'
    address = f"{ADDRESS}/{form['id']}"
    assert lead.get(address, if_none_match=etag).status_code == 304
    changed = lead.patch(address, {"comments": "Fast"}, if_match=etag)
    assert changed.status_code == 200
    assert lead.get(address, if_none_match=etag).status_code == 200
