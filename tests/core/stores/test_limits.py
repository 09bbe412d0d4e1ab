"""Limits for people: hidden keys, 429 with the time to wait, 503 in an outage."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from pytest_django import Settings

from config import urls as site
from config.engines.dynoxide import Dynoxide
from core.accounts.rights import public
from core.dynamo import maintenance, metering
from core.dynamo.errors import TooManyRequests, Unavailable
from core.stores.limits import Limiter
from core.stores.models import StoreItem
from tests.core.stores.conftest import Clock


def allowed(limiter: Limiter, key: str, times: int) -> list[bool]:
    return [limiter.acquire(key).allowed for _try in range(times)]


@pytest.mark.usefixtures("db")
def test_keys_and_limiters_do_not_share_their_places(clock: Clock) -> None:
    limiter, other = (
        Limiter("test", limit=1, seconds=60, clock=clock),
        Limiter("other", limit=1, seconds=60, clock=clock),
    )

    assert allowed(limiter, "ada", 2) == [True, False]
    assert allowed(limiter, "bob", 2) == [True, False]
    assert allowed(other, "ada", 2) == [True, False]


@pytest.mark.usefixtures("db")
def test_processes_share_their_places(clock: Clock) -> None:
    """Two limiters of one name stand for the same one in two processes."""
    one, two = (
        Limiter("test", limit=3, seconds=60, clock=clock),
        Limiter("test", limit=3, seconds=60, clock=clock),
    )

    assert allowed(one, "ada", 2) == [True, True]
    assert allowed(two, "ada", 2) == [True, False]


@pytest.mark.usefixtures("db")
def test_a_decision_costs_one_request_and_a_blocked_key_none(clock: Clock) -> None:
    limiter = Limiter("test", limit=2, seconds=60, clock=clock)

    with metering.metered() as meter:
        allowed(limiter, "ada", 50)
    assert meter.operations == ["UpdateItem"] * 3


@pytest.mark.usefixtures("db")
def test_what_is_stored_does_not_tell_whose_it_is_and_expires(clock: Clock) -> None:
    Limiter("test", limit=2, seconds=60, clock=clock).acquire("ada@fieldhouse.example")

    (item,) = maintenance.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
    assert "ada" not in str(item)
    assert item["PK"]["S"].startswith("RATELIMIT#test#")
    assert item["TTL"]["N"] == "1800000096", "a window, and half a one for those who are late"


def test_without_dynamodb_nothing_is_allowed(own_engine: Dynoxide, clock: Clock) -> None:
    limiter = Limiter("test", limit=2, seconds=60, clock=clock)
    own_engine.stop()
    with pytest.raises(Unavailable):
        limiter.acquire("ada")
    own_engine.restart()

    assert allowed(limiter, "ada", 3) == [True, True, False]


def test_a_site_of_one_process_may_keep_its_limits_in_memory(settings: Settings, clock: Clock) -> None:
    settings.STORES = "memory"
    limiter = Limiter("test", limit=2, seconds=60, clock=clock)

    with metering.metered() as meter:
        assert allowed(limiter, "ada", 3) == [True, True, False]
    assert meter.requests == 0


@public
def limited(request: HttpRequest) -> HttpResponse:
    Limiter("page", limit=1, seconds=60, clock=Clock(1_800_000_000_000)).ensure("everybody")
    return HttpResponse("page")


# The page that says so leads home.
urlpatterns = [path("limited", limited), *site.urlpatterns]


@pytest.mark.urls(__name__)
@pytest.mark.usefixtures("db")
def test_a_page_says_429_and_when_to_come_back(client: Client) -> None:
    assert client.get("/limited").status_code == 200
    response = client.get("/limited")

    assert (response.status_code, response["Retry-After"]) == (429, "63")
    assert "Too many attempts." in response.content.decode()


@pytest.mark.usefixtures("db")
def test_ensure_raises_with_the_time_to_wait(clock: Clock) -> None:
    limiter = Limiter("test", limit=1, seconds=60, clock=clock)
    limiter.ensure("ada")
    clock.pass_ms(500)
    with pytest.raises(TooManyRequests) as refusal:
        limiter.ensure("ada")

    assert refusal.value.retry_after == 63, "62.5 seconds, rounded up"
