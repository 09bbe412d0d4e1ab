"""Logs: one JSON object per line, and nothing in them that belongs to people."""

import logging
import time
from collections.abc import Callable
from typing import Any

import pytest
import structlog
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from core.accounts.rights import public, requires
from core.accounts.user import User
from core.common import logs
from core.common.logs import events
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.errors import Conflict, TooManyRequests
from tests.cast import CAST
from tests.core.dynamo.library import Article, articles
from tests.log_lines import MAIL, assert_clean, lines, written

JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI1ZjJjIiwiZW1haWwiOiJhQGIuZGUifQ.c2lnbmF0dXJlLXdpdGgtYnl0ZXM"


def line_of(write: Callable[[], None]) -> dict[str, Any]:
    with written() as output:
        write()
    (line,) = lines(output)
    return line


def test_an_event_is_one_json_object_with_its_time_level_and_values() -> None:
    line = line_of(lambda: events.info("signed_in", sub="ada-sub", attempts=2, fresh=True, right=None))

    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "signed_in",
        "level": "info",
        "logger": "fieldhouse.events",
        "sub": "ada-sub",
        "attempts": 2,
        "fresh": True,
        "right": None,
    }


def test_time_level_and_logger_are_never_those_of_a_caller() -> None:
    line = line_of(lambda: events.info("sent", level=JWT, logger=JWT, timestamp=JWT))

    assert (line["level"], line["logger"]) == ("info", "fieldhouse.events")
    assert line["timestamp"].endswith("Z")


def test_messages_of_libraries_have_the_same_form() -> None:
    line = line_of(lambda: logging.getLogger("django.request").warning("Not Found: %s", "/näh"))

    assert (line["event"], line["level"], line["logger"]) == ("Not Found: /näh", "warning", "django.request")


@pytest.mark.parametrize(
    "name",
    [
        "token",
        "access_token",
        "refreshToken",
        "ID_TOKEN",
        "csrfmiddlewaretoken",
        "password",
        "new_passwd",
        "secret",
        "client_secret",
        "SECRET_KEY",
        "cookie",
        "Set-Cookie",
        "cookies",
        "session_key",
        "sessionid",
        "Authorization",
        "email",
        "e-mail",
        "user_email",
        "code_verifier",
        "aws_credentials",
    ],
)
def test_a_value_with_a_secret_name_is_removed(name: str) -> None:
    line = line_of(lambda: events.info("x", **{name: "hunter2", "inside": {name: ["hunter2"]}}))

    assert line[name] == "[removed]"
    assert line["inside"] == {name: "[removed]"}


HOSTILE = {
    "a token": JWT,
    "a token in a sentence": f"The token {JWT} was refused",
    "an unsigned token": JWT.rpartition(".")[0] + ".",
    "an encrypted token": f"{JWT}.AAAA.hunter2",
    "a bearer header": f"Authorization: Bearer {JWT}",
    "an opaque bearer": "sent Bearer hunter2hunter2==",
    "basic credentials": "Basic aHVudGVyMg==hunter2",
    "cookies": "Cookie: __Host-session=hunter2; theme=hunter2",
    "a new cookie": "Set-Cookie: __Host-csrf=hunter2; Path=/",
    "a dictionary": "{'access_token': 'hunter2', 'expires_in': 3600}",
    "JSON": '{"refresh_token": "hunter2 hunter2", "token_type": "Bearer"}',
    "a query": "GET /auth/callback?code=hunter2&state=hunter2 HTTP/1.1",
    "a query in another order": "/auth/callback?state=hunter2&code=hunter2",
    "a form": "csrfmiddlewaretoken=hunter2&title=x",
    "a password": "password: hunter2",
    "an e-mail address": MAIL,
    "an address in a sentence": f"Mail to <{MAIL}>, failed",
    "an address in a query": "/people?q=ada.lovelace%40fieldhouse.example",
    "an address as a name": "ada=ada.lovelace@fieldhouse.example",
    "a quoted address": '"ada lovelace"@fieldhouse.example',
    "an international address": "lovelace@fieldhouse.müllheim.example",
    "a secret that is cut": f"token={'hunter2' * 10_000}",
    "a token that is cut": f"{'x ' * 950}{JWT * 3}",
    "an address that is cut": f"{'x ' * 990}{'lovelace.' * 5}@fieldhouse.example",
    "a database address": "amqp://user:hunter2@fieldhouse.example/",
}


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("kind", HOSTILE)
def test_what_looks_like_a_secret_or_an_address_is_never_written(kind: str, as_json: bool) -> None:
    value = HOSTILE[kind]
    with written(as_json=as_json) as output:
        events.info(value)
        events.info("x", note=value)
        events.info("x", note={"deep": [{value: value}]}, more={value}, other=(value,))
        logging.getLogger("library").warning(value)
        logging.getLogger("library").warning("failed: %s", value)
        try:
            raise RuntimeError(value)
        except RuntimeError:
            events.exception("failed")
            logging.getLogger("library").exception("failed")
        with structlog.contextvars.bound_contextvars(bound=value):
            events.info("x")

    assert output.getvalue().count("\n") >= 8
    assert_clean(output)


@pytest.mark.parametrize(
    "word",
    ["", "publish", "fieldhouse.events", "0199-ab_c", "Müller", "bearer", "token-abc", "session_key.x"],
)
def test_a_plain_word_is_what_no_pattern_finds_anything_in(word: str) -> None:
    assert logs.PLAIN.fullmatch(word)
    for pattern, _replacement in (*logs.NAMED, *logs.PATTERNS):
        assert pattern.search(word) is None


@pytest.mark.parametrize(
    "text", ["eyJhbGciOi.eyJzdWIi.c2ln", "a.eyJhbGciOi.x", "a@b.c", "a%40b", "token:a", "a\nb"]
)
def test_what_a_pattern_may_find_is_no_plain_word(text: str) -> None:
    assert not logs.PLAIN.fullmatch(text)


def test_an_ordinary_sentence_is_left_alone() -> None:
    text = "GET /news/42?page=2&code_of_conduct=yes 200 in 12:30:05 (state: ok), 3 requests @ 2 units, eyJust"

    assert line_of(lambda: events.info(text))["event"] == text


def test_of_a_record_or_a_person_only_the_kind_is_written() -> None:
    article = Article(title="hunter2")
    person = User.of(sub="s", name="Ada lovelace", email=MAIL, groups=())
    line = line_of(
        lambda: events.info("x", record=article, who=person, raw=b"hunter2", error=ValueError("hunter2"))
    )

    assert (line["record"], line["who"]) == ("<Article>", "<User>")
    assert (line["raw"], line["error"]) == ("<bytes>", "<ValueError>")


@pytest.mark.parametrize("as_json", [True, False])
def test_a_line_break_cannot_begin_a_line_of_its_own(as_json: bool) -> None:
    forged = 'x\r\n{"event": "signed_in"}\n\u2028second'
    with written(as_json=as_json) as output:
        events.info("page", path=forged)
        logging.getLogger("library").warning("path %s", forged)

    assert output.getvalue().count("\n") == 2
    assert "\r" not in output.getvalue()


def test_a_traceback_stays_in_its_line() -> None:
    def fail() -> None:
        try:
            raise LookupError("nothing there")
        except LookupError:
            events.exception("failed")

    line = line_of(fail)

    assert line["exception"].startswith("Traceback (most recent call last):\n")
    assert line["exception"].endswith("LookupError: nothing there")


def test_a_huge_value_is_cut_and_costs_no_time() -> None:
    started = time.process_time()
    with written() as output:
        for huge in ("a" * 1_000_000, "token" * 200_000, "@" * 1_000_000, "a@" * 500_000, "%40a" * 250_000):
            events.info("x", note=huge)
            try:
                raise RuntimeError(huge)
            except RuntimeError:
                events.exception("failed")

    assert max(map(len, output.getvalue().splitlines())) < 60_000
    # A pattern that backtracks over all of it would take hours.
    assert time.process_time() - started < 60


@pytest.mark.parametrize("name", ["authlib", "botocore.hooks", "pynamodb.connection", "urllib3", "requests"])
def test_libraries_that_print_what_they_send_are_quiet(name: str) -> None:
    with written(level="DEBUG") as output:
        logging.getLogger(name).info("code_verifier %s", "abc")
        logging.getLogger(name).warning("slow")

    assert [line["event"] for line in lines(output)] == ["slow"]


def test_django_does_not_tell_what_is_on_pages_even_at_debug() -> None:
    with written(level="DEBUG") as output:
        logging.getLogger("django.template").debug("Exception while resolving variable 'x' in %r", {"a": 1})

    assert lines(output) == []


@pytest.mark.parametrize("name", ["django.request", "django.server", "gunicorn.error", "gunicorn.access"])
def test_every_logger_writes_once(name: str) -> None:
    with written() as output:
        logging.getLogger(name).error("once")

    assert [line["event"] for line in lines(output)] == ["once"]


# --- Requests


@public
def refusing(request: HttpRequest, status: int) -> HttpResponse:
    events.info("inside")
    match status:
        case 400:
            raise SuspiciousOperation("hunter2 is no number")
        case 403:
            raise PermissionDenied
        case 404:
            raise Http404("no such page")
        case 429:
            raise TooManyRequests(retry_after=3)
    return HttpResponse(status=status)


@requires("accounts.user.view")
def for_admins(request: HttpRequest) -> HttpResponse:
    return HttpResponse("page")


urlpatterns = [path("refusing/<int:status>", refusing), path("for-admins/<slug:name>", for_admins)]


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("status", [401, 403, 429])
def test_a_refusal_is_noted_with_the_id_of_its_request(client: Client, status: int) -> None:
    with written() as output:
        response = client.get(f"/refusing/{status}?q=hunter2")
        client.get("/refusing/200")

    (refused,) = (line for line in lines(output) if line["event"] == "refused")
    inside, other = (line for line in lines(output) if line["event"] == "inside")
    assert (refused["status"], refused["method"]) == (status, "GET")
    assert refused["route"] == "refusing/<int:status>"
    assert inside["request_id"] == refused["request_id"] == response["X-Request-ID"]
    assert other["request_id"] != refused["request_id"]
    assert_clean(output)


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 429])
def test_a_refusal_is_one_line_without_a_traceback(client: Client, status: int) -> None:
    with written() as output:
        assert client.get(f"/refusing/{status}").status_code == status

    (line,) = (line for line in lines(output) if line["event"] != "inside")
    assert (line["event"], line["level"], line["status"]) == ("refused", "warning", status)
    assert "exception" not in line
    assert "Traceback" not in output.getvalue()


@pytest.mark.urls(__name__)
def test_a_refusal_tells_why_where_django_knows(client: Client) -> None:
    with written() as output:
        client.get("/refusing/400", headers={"host": "another.example"})
        client.get("/refusing/403")
        client.get("/refusing/200")

    host, right = (line for line in lines(output) if line["event"] == "refused")
    assert host["reason"].startswith("Invalid HTTP_HOST header: 'another.example'.")
    assert right["reason"] == "Forbidden (Permission denied): /refusing/403"


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("status", [409, 422])
def test_an_answer_to_a_form_is_no_refusal(client: Client, status: int) -> None:
    with written() as output:
        client.get(f"/refusing/{status}")

    assert [line["event"] for line in lines(output)] == ["inside"]


@pytest.mark.urls(__name__)
def test_a_refusal_names_the_person_and_the_missing_right(as_role: Callable[[str], Client]) -> None:
    client = as_role("scout")
    with written() as output:
        client.get("/for-admins/ada-lovelace")
        client.get("/refusing/429")

    refused, anonymous = [line for line in lines(output) if line["event"] == "refused"]
    assert (refused["sub"], refused["right"]) == (CAST["scout"].sub, "accounts.user.view")
    assert refused["route"] == "for-admins/<slug:name>"
    assert "sub" not in anonymous, "what one request has bound is not said of the next"


@pytest.mark.usefixtures("db")
def test_a_change_is_noted_with_verb_entity_and_person_but_not_its_contents(alice: Actor) -> None:
    with written() as output:
        article = articles.create(Article(title="hunter2", slug="hunter2"), actor=alice)
        articles.update(article, {"title": "hunter2, again"}, actor=alice)
        with pytest.raises(Conflict):
            articles.update(article, {"title": "too late"}, actor=alice)

    changes = [line for line in lines(output) if line["event"] == "changed"]
    assert [(line["verb"], line["entity"], line["sub"]) for line in changes] == [
        ("create", "article", "alice-sub"),
        ("update", "article", "alice-sub"),
    ]
    assert_clean(output)


@pytest.mark.usefixtures("db")
def test_what_commands_change_is_not_noted_one_by_one() -> None:
    with written() as output:
        articles.create(Article(title="imported"), actor=SYSTEM)

    assert lines(output) == []
