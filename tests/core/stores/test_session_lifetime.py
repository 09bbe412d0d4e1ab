"""Sessions: how long they last, that they stay ended, and what an outage does."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.backends.base import CreateError, UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from config.engines.dynoxide import Dynoxide
from core.accounts.middleware import SessionMiddleware
from core.dynamo import metering
from core.dynamo.attributes import now
from core.dynamo.errors import Unavailable
from core.dynamo.faults import FaultProxy, Faults
from core.stores.models import StoreItem
from core.stores.sessions import SessionStore
from tests.cast import sign_in
from tests.core.stores.stored_sessions import COOKIE, is_alive, rows, stored

IDLE = timedelta(seconds=settings.SESSION_IDLE_AGE)
ABSOLUTE = timedelta(seconds=settings.SESSION_COOKIE_AGE)
SECOND = timedelta(seconds=1)

Clock = Callable[[timedelta], None]
pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Sets the time of sessions to so long after the start of the test."""
    start = now()

    def show(passed: timedelta) -> None:
        moment: datetime = start + passed
        monkeypatch.setattr("core.stores.sessions.now", lambda: moment)

    show(timedelta())
    return show


# --- Ending, and staying ended


def test_a_session_that_ended_meanwhile_cannot_be_saved_back_to_life() -> None:
    key = stored(colour="green")
    late = SessionStore(key)
    late["colour"] = "red"

    SessionStore(key).flush()
    with pytest.raises(UpdateError):
        late.save()

    assert rows() == []


def test_a_request_whose_session_ended_meanwhile_is_refused_and_gets_no_cookie() -> None:
    key = stored(colour="green")

    def page(request: HttpRequest) -> HttpResponse:
        request.session["colour"] = "red"
        SessionStore(key).flush()
        return HttpResponse("page")

    request = RequestFactory().get("/desk/")
    request.COOKIES[COOKIE] = key
    with pytest.raises(SessionInterrupted):
        SessionMiddleware(page)(request)

    assert rows() == []


def test_keeping_alive_does_not_bring_an_ended_session_back(clock: Clock) -> None:
    key = stored(colour="green")
    clock(IDLE / 2)

    def page(request: HttpRequest) -> HttpResponse:
        colour = request.session["colour"]
        SessionStore(key).flush()
        return HttpResponse(colour)

    request = RequestFactory().get("/desk/")
    request.COOKIES[COOKIE] = key
    response = SessionMiddleware(page)(request)

    assert response.content == b"green"
    assert rows() == []


def test_an_expired_session_that_is_still_in_the_table_cannot_be_saved(clock: Clock) -> None:
    key = stored(colour="green")
    late = SessionStore(key)
    late["colour"] = "red"

    clock(IDLE + SECOND)
    with pytest.raises(UpdateError):
        late.save()


def test_a_key_that_is_taken_is_not_taken_over() -> None:
    key = stored(colour="green")
    other = SessionStore(key)
    other["colour"] = "red"

    with pytest.raises(CreateError):
        other.save(must_create=True)

    assert SessionStore(key)["colour"] == "green"


def test_a_write_whose_answer_was_lost_is_no_error(proxy: FaultProxy) -> None:
    for _number in range(20):
        proxy.faults = Faults(lost_answer=0.3)
        with suppress(Unavailable):
            key = stored(colour="green")
        proxy.faults = Faults()
        assert SessionStore(key)["colour"] == "green"


# --- How long it lasts


def test_a_session_ends_when_it_was_idle_for_too_long(clock: Clock) -> None:
    key = stored(colour="green")

    clock(IDLE - SECOND)
    assert is_alive(key)
    clock(IDLE)
    assert not is_alive(key)
    assert SessionStore(key).get("colour") is None


def test_reading_pages_keeps_a_session_alive_with_one_save_per_tenth_of_the_idle_time(
    client: Client, clock: Clock
) -> None:
    sign_in(client, "member")

    assert _session_requests(client) == ["GetItem"]
    clock(IDLE / 10)
    assert _session_requests(client) == ["GetItem"]
    clock(IDLE / 10 + SECOND)
    assert _session_requests(client) == ["GetItem", "UpdateItem"]
    assert _session_requests(client) == ["GetItem"]
    clock(IDLE + SECOND)
    assert client.get("/desk/").status_code == 200


def test_however_busy_a_session_ends_after_its_absolute_lifetime(client: Client, clock: Clock) -> None:
    sign_in(client, "member")
    passed = timedelta()
    while passed < ABSOLUTE - SECOND:
        clock(passed)
        assert client.get("/desk/").status_code == 200
        passed += IDLE / 2

    clock(ABSOLUTE - SECOND)
    assert _session_requests(client) == ["GetItem"], "saving could not prolong it any more"
    clock(ABSOLUTE)
    assert client.get("/desk/").status_code == 302


def test_signing_in_starts_the_absolute_lifetime(clock: Clock) -> None:
    session = SessionStore(stored(colour="green"))
    session.load()
    clock(IDLE - SECOND)
    session.clear()
    session.cycle_key()
    session["user"] = "someone"
    session.set_expiry(int(IDLE.total_seconds()))
    session.save()

    clock(2 * IDLE - 2 * SECOND)
    assert is_alive(str(session.session_key))


def test_a_session_may_be_given_a_shorter_life(clock: Clock) -> None:
    session = SessionStore(stored(colour="green"))
    session.set_expiry(60)
    session.save()

    clock(timedelta(seconds=59))
    assert is_alive(str(session.session_key))
    clock(timedelta(seconds=60))
    assert not is_alive(str(session.session_key))


def test_dynamodb_may_remove_a_session_only_after_it_ended() -> None:
    stored(colour="green")
    (row,) = rows()

    assert float(row["TTL"]["N"]) >= datetime.fromisoformat(row["expiresAt"]["S"]).timestamp()


def _session_requests(client: Client) -> list[str]:
    """What a page costs, without what it shows."""
    with metering.metered() as meter:
        assert client.get("/desk/").status_code == 200
    return [call.operation for call in meter.calls if call.table == StoreItem.Meta.table_name]


# --- When DynamoDB is away


def test_an_outage_is_no_sign_out(client: Client, own_engine: Dynoxide) -> None:
    sign_in(client, "member")
    own_engine.kill()
    with pytest.raises(Unavailable):
        SessionStore(client.cookies[COOKIE].value).load()
    response = client.get("/desk/")

    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert response.cookies == {}

    own_engine.restart()
    assert client.get("/desk/").status_code == 200


def test_an_outage_while_saving_is_a_503_that_leaves_the_cookie_alone(proxy: FaultProxy) -> None:
    request = RequestFactory().get("/desk/")
    request.COOKIES[COOKIE] = key = stored(colour="green")

    def page(request: HttpRequest) -> HttpResponse:
        request.session["colour"] = "red"
        proxy.faults = Faults(error=1)
        return HttpResponse("page")

    response = SessionMiddleware(page)(request)
    proxy.faults = Faults()

    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert response.cookies == {}
    assert SessionStore(key)["colour"] == "green"


def test_a_page_is_shown_even_if_the_session_cannot_be_kept_alive(proxy: FaultProxy, clock: Clock) -> None:
    request = RequestFactory().get("/desk/")
    request.COOKIES[COOKIE] = stored(colour="green")
    clock(IDLE / 2)

    def page(request: HttpRequest) -> HttpResponse:
        colour = request.session["colour"]
        proxy.clear()
        proxy.faults = Faults(error=1)
        return HttpResponse(colour)

    response = SessionMiddleware(page)(request)

    assert proxy.requests == ["UpdateItem"] * 3
    assert (response.status_code, response.content) == (200, b"green")
