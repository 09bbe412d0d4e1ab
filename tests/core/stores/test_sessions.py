"""Sessions: what they cost, what a dump of the table tells, when they end, and what an outage does."""

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.backends.base import CreateError, UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from config.engines.dynoxide import Dynoxide
from core.accounts.middleware import SessionMiddleware
from core.dynamo import maintenance, metering
from core.dynamo.attributes import now
from core.dynamo.errors import TooLarge, Unavailable
from core.dynamo.faults import FaultProxy, Faults
from core.stores.models import StoreItem
from core.stores.sessions import SessionStore, end_all_of
from tests.cast import CAST, session_of, sign_in
from tests.racing import at_once

COOKIE = settings.SESSION_COOKIE_NAME
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


def stored(**contents: Any) -> str:
    """The key of a new session with these contents."""
    session = SessionStore()
    session.update(contents)
    session.save()
    return str(session.session_key)


def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = maintenance.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
    return found


def is_alive(key: str) -> bool:
    return SessionStore(key).load() != {}


# --- What it costs


def test_a_new_session_is_one_request() -> None:
    with metering.metered() as meter:
        stored(colour="green")

    assert meter.operations == ["PutItem"]


def test_loading_is_one_request_and_saving_is_one() -> None:
    key = stored(colour="green")

    with metering.metered() as loading:
        session = SessionStore(key)
        colour, shape = session.get("colour"), session.get("shape")
    with metering.metered() as saving:
        session["colour"] = "red"
        session.save()

    assert (colour, shape) == ("green", None)
    assert loading.operations == ["GetItem"]
    assert saving.operations == ["UpdateItem"]
    assert SessionStore(key)["colour"] == "red"


def test_no_request_is_made_for_a_session_that_is_not_used(client: Client) -> None:
    client.cookies[COOKIE] = stored(colour="green")

    with metering.metered() as meter:
        client.get("/healthz")

    assert meter.operations == []


def test_a_changed_key_is_one_request_and_the_old_key_is_dead() -> None:
    old_key = stored(colour="green")
    session = SessionStore(old_key)
    assert session["colour"] == "green"

    with metering.metered() as meter:
        session.cycle_key()

    assert meter.operations == ["TransactWriteItems"]
    assert session.session_key != old_key
    assert SessionStore(session.session_key)["colour"] == "green"
    assert not is_alive(old_key)


# --- Several requests at the same moment


def test_each_request_saves_what_it_has_changed_and_nothing_else() -> None:
    key = stored(colour="green", shape="round", size=3)
    first, second = SessionStore(key), SessionStore(key)
    first["colour"], second["shape"] = "red", "square"
    del second["size"]
    first["new"] = [1]
    first.save()
    with metering.metered() as meter:
        second.save()

    assert meter.operations == ["UpdateItem", "UpdateItem"]
    assert dict(second.items()) == dict(SessionStore(key).items())
    assert dict(second.items()) == {"colour": "red", "shape": "square", "new": [1]}


def test_of_what_two_have_changed_the_later_one_holds() -> None:
    key = stored(colour="green")
    first, second = SessionStore(key), SessionStore(key)
    first["colour"], second["colour"] = "red", "blue"
    first.save()
    second.save()

    assert SessionStore(key)["colour"] == "blue"


def test_nothing_is_lost_however_many_save_at_once() -> None:
    key = stored(colour="green")

    def change(number: int) -> None:
        session = SessionStore(key)
        session[f"number {number}"] = number
        session.save()

    assert at_once(change, 8) == [None] * 8
    assert dict(SessionStore(key).items()) == {"colour": "green"} | {f"number {n}": n for n in range(8)}


def test_one_of_many_who_claim_gets_it() -> None:
    key = stored(colour="green")
    sessions = [SessionStore(key) for _number in range(8)]
    assert {session["colour"] for session in sessions} == {"green"}

    assert sorted(at_once(lambda number: sessions[number].claim("owner", number), 8)) == [False] * 7 + [True]
    owner = SessionStore(key)["owner"]
    assert sessions[owner]["owner"] == owner
    assert [session.get("owner") for session in sessions].count(None) == 7


# --- What a dump of the table tells


def test_a_dump_of_the_table_holds_neither_the_key_nor_the_contents() -> None:
    session = session_of(CAST["admin"])
    dump = json.dumps(rows(), default=repr)

    assert len(rows()) == 1
    for secret in [
        str(session.session_key),
        session["refresh_token"],
        CAST["admin"].email,
        CAST["admin"].name,
        "admin@",
    ]:
        assert secret not in dump
    assert CAST["admin"].sub in dump, "the index by person needs the sub"


def test_the_same_contents_look_different_each_time_they_are_saved() -> None:
    key = stored(colour="green")
    (before,) = rows()
    session = SessionStore(key)
    session["colour"] = "green"
    session.save()
    (after,) = rows()

    # Equal beginnings would tell that a nonce was used twice, which breaks the cipher.
    assert before["Data"]["S"][:16] != after["Data"]["S"][:16]


def test_contents_put_under_another_key_cannot_be_read() -> None:
    key_of_admin, own_key = stored(groups=["admin"]), stored(groups=[])
    own_pk = _row_of(own_key)["PK"]
    maintenance.request(
        "PutItem", TableName=StoreItem.Meta.table_name, Item=_row_of(key_of_admin) | {"PK": own_pk}
    )

    assert SessionStore(own_key).get("groups") is None


@pytest.mark.parametrize("data", ["", "!", "AAAA", "A" * 400])
def test_damaged_contents_are_an_empty_session(data: str) -> None:
    key = stored(colour="green")
    maintenance.request(
        "PutItem", TableName=StoreItem.Meta.table_name, Item=_row_of(key) | {"Data": {"S": data or " "}}
    )

    assert SessionStore(key).get("colour") is None


@pytest.mark.parametrize("key", ["x" * 32, "short", "ü" * 32, "../../etc/passwd", "x" * 100_000, "\x00" * 32])
def test_a_made_up_key_is_nobodys_session(key: str) -> None:
    assert SessionStore(key).get("user") is None


def _row_of(key: str) -> dict[str, Any]:
    session = SessionStore(key)
    session.load()
    return next(row for row in rows() if session.decode(row["Data"]["S"]))


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
    session["user"] = "somebody"
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


# --- All sessions of a person


def test_all_sessions_of_a_person_end_and_none_of_another() -> None:
    mine = [str(session_of(CAST["member"]).session_key) for _number in range(3)]
    others = str(session_of(CAST["other-member"]).session_key)
    stranger = stored(colour="green")

    assert end_all_of(CAST["member"].sub) == 3

    assert [is_alive(key) for key in mine] == [False, False, False]
    assert is_alive(others)
    assert is_alive(stranger)
    assert end_all_of(CAST["member"].sub) == 0


def test_more_sessions_than_fit_on_a_page_end() -> None:
    for _number in range(101):
        session_of(CAST["member"])

    assert end_all_of(CAST["member"].sub) == 101
    assert rows() == []


def test_a_session_still_belongs_to_its_person_after_later_saves() -> None:
    session = SessionStore(session_of(CAST["member"]).session_key)
    session["colour"] = "green"
    session.save()

    assert end_all_of(CAST["member"].sub) == 1


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


def test_more_than_an_item_holds_is_refused() -> None:
    with pytest.raises(TooLarge):
        stored(colour="g" * 400_000)
