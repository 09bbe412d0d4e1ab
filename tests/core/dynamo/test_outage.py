"""What people see when DynamoDB is down, hangs or comes back."""

import time
from collections.abc import Callable

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path
from pytest_django import Settings

import config.settings
from config.engines.dynoxide import Dynoxide
from config.urls import handler400, handler403, handler404, handler500  # noqa: F401 (for the tests' URLconf)
from config.urls import urlpatterns as own_urls
from core.accounts.rights import public
from core.dynamo import pressure, queries
from core.dynamo.actors import Actor
from core.dynamo.errors import MissingTable, Unavailable
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.support_table import SupportItem
from tests.cast import sign_in
from tests.connecting import giving_up_soon
from tests.core.dynamo.library import Article, Picture, articles


@public
def stubborn(request: HttpRequest) -> HttpResponse:
    """A page that does not give up after the first refusal."""
    for _attempt in range(5):
        try:
            articles.latest()
        except Unavailable:
            continue
    articles.latest()
    return HttpResponse("page")


@public
def scanning(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(list(Article.scan())))


@public
def slow_steps(request: HttpRequest) -> HttpResponse:
    """A page of many reads, each slow but successful."""
    for _step in range(20):
        queries.get(SupportItem, {"PK": {"S": "1"}, "SK": {"S": "1"}})
    return HttpResponse("page")


urlpatterns = [*own_urls, path("stubborn", stubborn), path("scanning", scanning), path("slow", slow_steps)]
pytestmark = pytest.mark.urls(__name__)


@pytest.fixture(autouse=True)
def _processors_to_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine of the tests is: what a busy one changes is told in test_busy_machine.py."""
    monkeypatch.setattr(pressure, "stalled", lambda: 0.0)


def get_during_the_outage(client: Client, address: str) -> HttpResponse:
    """It ends because its time is used up: without a limit the tests would wait for minutes."""
    started = time.monotonic()
    with giving_up_soon():
        response = client.get(address)
    assert time.monotonic() - started < settings.DYNAMODB_READ_SECONDS / 2
    return response


def test_in_production_a_request_waits_2_5_seconds_for_dynamodb_in_all() -> None:
    assert (config.settings.DYNAMODB_READ_SECONDS, config.settings.DYNAMODB_REQUEST_SECONDS) == (0.7, 2.5)


def assert_polite_refusal(response: HttpResponse) -> None:
    assert response.status_code == 503
    assert response["Retry-After"] == "5"
    assert response["Cache-Control"] == "no-store"
    assert "The database is not responding." in response.content.decode()
    assert response.cookies == {}


def test_an_engine_that_hangs_gives_503_in_time_and_recovers_by_itself(
    client: Client, own_engine: Dynoxide
) -> None:
    sign_in(client, "member")
    assert client.get("/desk/").status_code == 200

    own_engine.pause()
    response = get_during_the_outage(client, "/desk/")
    own_engine.resume()

    assert_polite_refusal(response)
    assert client.get("/desk/").status_code == 200


def test_a_stopped_engine_gives_503_and_its_return_is_noticed(client: Client, own_engine: Dynoxide) -> None:
    sign_in(client, "member")
    own_engine.stop()
    response = get_during_the_outage(client, "/desk/")
    own_engine.restart()

    assert_polite_refusal(response)
    assert client.get("/desk/").status_code == 200


def test_after_the_first_refusal_no_further_call_is_made(client: Client, proxy: FaultProxy) -> None:
    proxy.faults = Faults(hang=1)
    proxy.clear()

    response = get_during_the_outage(client, "/stubborn")

    assert_polite_refusal(response)
    assert proxy.requests == ["Query"] * 3
    proxy.faults = Faults()
    assert client.get("/stubborn").status_code == 200


class UnreadableSession:
    """A middleware that needs its records."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        raise Unavailable


def test_an_outage_that_a_middleware_meets_is_the_same_503(settings: Settings) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.UnreadableSession"]

    response = Client(raise_request_exception=False).get("/auth/login")

    assert_polite_refusal(response)  # type: ignore[arg-type]


def test_many_slow_answers_use_up_the_budget_of_a_request(client: Client, proxy: FaultProxy) -> None:
    proxy.faults = Faults(latency=250)

    with override_settings(DYNAMODB_REQUEST_SECONDS=0.5):
        response = client.get("/slow")

    assert_polite_refusal(response)
    assert len(proxy.requests) <= 2


def test_a_command_has_no_budget(proxy: FaultProxy) -> None:
    proxy.faults = Faults(latency=250)

    with override_settings(DYNAMODB_REQUEST_SECONDS=0.5):
        for _read in range(3):
            articles.latest()

    assert proxy.requests == ["Query"] * 3


def test_readyz_says_no_within_its_300_ms(client: Client, proxy: FaultProxy) -> None:
    proxy.faults = Faults(hang=1)

    started = time.monotonic()
    response = client.get("/readyz")

    assert (response.status_code, response.content) == (503, b"not ready\n")
    assert time.monotonic() - started < settings.DYNAMODB_READ_SECONDS / 2
    assert client.get("/healthz").status_code == 200


def test_wrong_credentials_or_a_missing_table_are_not_tried_again(client: Client, proxy: FaultProxy) -> None:
    name = Picture.Meta.table_name
    Picture.Meta.table_name = "no-such-table"
    try:
        proxy.clear()
        with pytest.raises(MissingTable):
            queries.get(Picture, {"PK": {"S": "1"}, "SK": {"S": "1"}})
        assert proxy.requests == ["GetItem"]
    finally:
        Picture.Meta.table_name = name


def test_a_scan_inside_a_request_fails_the_build(client: Client, proxy: FaultProxy) -> None:
    proxy.clear()
    with pytest.raises(AssertionError, match="Scan inside a web request"):
        client.get("/scanning")

    assert proxy.requests == []


def test_500_acknowledged_writes_survive_a_kill(own_engine: Dynoxide, alice: Actor) -> None:
    keys = [
        articles.create(Article(title=f"Meldung {n}", slug=f"m-{n}"), actor=alice).article_id
        for n in range(500)
    ]

    own_engine.kill()
    own_engine.restart()

    assert set(articles.get_many(keys, strong=True)) == set(keys)
    assert len({articles.get(key).slug for key in keys}) == 500
