"""The rate limiter: exact under races, one request per decision, none for a key that is blocked."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from accounts.rights import public
from config.engines.dynoxide import Dynoxide
from dynamo import connection, control, metering
from dynamo.errors import TooManyRequests, Unavailable
from stores import limits
from stores.limits import Decision, Limiter
from stores.models import StoreItem


class Clock:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    """Ten seconds into a window of a minute."""
    return Clock(600_010.0)


def allowed(limiter: Limiter, key: str, times: int) -> list[bool]:
    return [limiter.acquire(key).allowed for _try in range(times)]


@pytest.mark.usefixtures("db")
def test_so_many_are_allowed_and_the_next_is_told_how_long_to_wait(clock: Clock) -> None:
    limiter = Limiter("test", 3, 60, clock=clock)

    assert [limiter.acquire("ada") for _try in range(4)] == [
        Decision(allowed=True, retry_after=0, remaining=2),
        Decision(allowed=True, retry_after=0, remaining=1),
        Decision(allowed=True, retry_after=0, remaining=0),
        Decision(allowed=False, retry_after=50, remaining=0),
    ]


@pytest.mark.usefixtures("db")
def test_the_wait_is_rounded_up_to_whole_seconds(clock: Clock) -> None:
    limiter = Limiter("test", 1, 60, clock=clock)
    limiter.acquire("ada")
    clock.seconds = 600_059.9

    assert limiter.acquire("ada").retry_after == 1


@pytest.mark.usefixtures("db")
def test_the_next_window_begins_anew(clock: Clock) -> None:
    limiter = Limiter("test", 2, 60, clock=clock)

    assert allowed(limiter, "ada", 3) == [True, True, False]
    clock.seconds = 600_059.9
    assert allowed(limiter, "ada", 1) == [False]
    clock.seconds = 600_060.0
    assert allowed(limiter, "ada", 3) == [True, True, False]


@pytest.mark.usefixtures("db")
def test_keys_and_limiters_do_not_share_their_places(clock: Clock) -> None:
    limiter, other = Limiter("test", 1, 60, clock=clock), Limiter("other", 1, 60, clock=clock)

    assert allowed(limiter, "ada", 2) == [True, False]
    assert allowed(limiter, "bob", 2) == [True, False]
    assert allowed(other, "ada", 2) == [True, False]


@pytest.mark.usefixtures("db")
def test_processes_share_their_places(clock: Clock) -> None:
    """Two limiters of one name stand for the same one in two processes."""
    one, two = Limiter("test", 3, 60, clock=clock), Limiter("test", 3, 60, clock=clock)

    assert allowed(one, "ada", 2) == [True, True]
    assert allowed(two, "ada", 2) == [True, False]


@pytest.mark.usefixtures("db")
def test_32_threads_get_exactly_the_places_there_are(clock: Clock) -> None:
    limiter = Limiter("test", 20, 60, clock=clock)
    connection.warm()
    start = Barrier(32)

    def work(_number: int) -> list[bool]:
        start.wait()
        return allowed(limiter, "ada", 3)

    with ThreadPoolExecutor(32) as pool:
        decisions = [decision for part in pool.map(work, range(32)) for decision in part]

    assert (len(decisions), sum(decisions)) == (96, 20)


@pytest.mark.usefixtures("db")
def test_a_decision_costs_one_request_and_a_blocked_key_none(clock: Clock) -> None:
    limiter = Limiter("test", 2, 60, clock=clock)

    with metering.metered() as meter:
        allowed(limiter, "ada", 3)
    assert meter.operations == ["UpdateItem"] * 3

    with metering.metered() as meter:
        assert allowed(limiter, "ada", 5) == [False] * 5
    assert meter.requests == 0

    clock.seconds += 60
    with metering.metered() as meter:
        assert allowed(limiter, "ada", 1) == [True]
    assert meter.requests == 1


@pytest.mark.usefixtures("db")
def test_a_flood_of_keys_does_not_fill_the_memory(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BLOCKS", 3)
    limiter = Limiter("test", 1, 60, clock=clock)
    for number in range(5):
        allowed(limiter, f"key {number}", 2)
    assert len(limiter._blocks._until) == 3

    clock.seconds += 60
    allowed(limiter, "later", 2)
    assert len(limiter._blocks._until) == 1, "blocks that have ended make room"


@pytest.mark.usefixtures("db")
def test_what_is_stored_does_not_tell_whose_it_is_and_expires(clock: Clock) -> None:
    Limiter("test", 2, 60, clock=clock).acquire("ada@fieldhouse.example")

    (item,) = control.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
    assert "ada" not in str(item)
    assert item["PK"]["S"].startswith("RATELIMIT#test#")
    assert item["SK"] == {"S": "WIN#10000"}
    assert (item["count"], item["TTL"]) == ({"N": "1"}, {"N": "600060"})


def test_without_dynamodb_nothing_is_allowed(own_engine: Dynoxide, clock: Clock) -> None:
    limiter = Limiter("test", 2, 60, clock=clock, when_down="refuse")
    own_engine.stop()
    with pytest.raises(Unavailable):
        limiter.acquire("ada")
    own_engine.restart()

    assert allowed(limiter, "ada", 3) == [True, True, False]


def test_without_dynamodb_all_is_allowed_where_that_was_wished(own_engine: Dynoxide, clock: Clock) -> None:
    limiter = Limiter("test", 2, 60, clock=clock, when_down="allow")
    own_engine.stop()
    assert allowed(limiter, "ada", 3) == [True, True, True]
    own_engine.restart()

    assert allowed(limiter, "ada", 3) == [True, True, False]


@public
def limited(request: HttpRequest) -> HttpResponse:
    Limiter("page", 1, 60, clock=Clock(600_010.0)).ensure("everybody")
    return HttpResponse("page")


urlpatterns = [path("limited", limited)]


@pytest.mark.urls(__name__)
@pytest.mark.usefixtures("db")
def test_a_page_says_429_and_when_to_come_back(client: Client) -> None:
    assert client.get("/limited").status_code == 200
    response = client.get("/limited")

    assert (response.status_code, response["Retry-After"]) == (429, "50")
    assert "too often" in response.content.decode()


@pytest.mark.usefixtures("db")
def test_ensure_raises_with_the_time_to_wait(clock: Clock) -> None:
    limiter = Limiter("test", 1, 60, clock=clock)
    limiter.ensure("ada")
    with pytest.raises(TooManyRequests) as refusal:
        limiter.ensure("ada")

    assert refusal.value.retry_after == 50
