"""Limits as administrators see them: what is declared, and how much one address or account has used."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import Settings

from core.accounts.limits import BEGUN
from core.dynamo import metering
from core.dynamo.errors import TooManyRequests
from core.stores.http import HttpClient
from core.stores.http.client import CLIENTS
from core.stores.interfaces import Limit
from core.stores.limits import LIMITERS, Limiter
from core.stores.usage import MOST_RESOURCES
from tests.desk.stores.dashboard_pages import HTMX, figures, recorded, rows, texts, toasts

AsRole = Callable[[str], Client]
pytestmark = pytest.mark.usefixtures("db")
ASKED = "/stores/limits/?limit=test&key=192.0.2.1"


@pytest.fixture
def limiter() -> Limiter:
    """The only one: the site's own, which every test gets back, are none of ours."""
    LIMITERS.clear()
    CLIENTS.clear()
    return Limiter("test", limit=5, seconds=7200, about="Trying")


def use(response: object) -> list[str]:
    return texts(response, r"<dt>Used</dt><dd>(.*?)</dd>")


def test_what_is_limited_is_listed(as_role: AsRole, limiter: Limiter) -> None:
    response = as_role("admin").get("/stores/limits/")

    assert rows(response) == ["Trying 5 in 2 h Not used lately 0"]
    assert figures(response) == ["0", "0", "0"]


def test_each_limit_tells_of_whoever_used_most_of_it_and_how_many_were_refused(
    as_role: AsRole, limiter: Limiter
) -> None:
    other = Limiter("other", limit=10, seconds=60, about="Voting")
    for key, times in (("192.0.2.1", 2), ("192.0.2.2", 8), ("192.0.2.3", 5)):
        for _try in range(times):
            limiter.acquire(key)
    other.acquire("ada")

    response = as_role("admin").get("/stores/limits/")

    shown = [re.sub(r"\d\d:\d\d:\d\d", "12:34:56", row) for row in rows(response)]
    assert shown == ["Trying 5 in 2 h 5 of 5 100 % 12:34:56 3", "Voting 10 in 1 min 1 of 10 10 % 12:34:56 0"]
    assert figures(response) == ["13", "4", "2"], "requests, keys and those at their limit"


def test_another_service_is_listed_as_a_limit_too(as_role: AsRole, limiter: Limiter) -> None:
    client = HttpClient("sams", origins=["https://sams.example"], limit=Limit(2, 3_600_000))
    for _request in range(2):
        client.limits.acquire("sams", "user")
    with pytest.raises(TooManyRequests):
        client.get("https://sams.example/leagues", priority="user")

    (_limiter, row) = rows(as_role("admin").get("/stores/limits/"))
    client.close()

    assert re.fullmatch(r"Requests to sams 2 in 1 h 2 of 2 100 % \d\d:\d\d:\d\d 1", row)


def test_keys_that_were_long_ago_are_read_no_more(as_role: AsRole, limiter: Limiter) -> None:
    for number in range(MOST_RESOURCES + 5):
        limiter.acquire(str(number))
    admin = as_role("admin")

    with metering.metered() as meter:
        response = admin.get("/stores/limits/")

    assert meter.operations == ["GetItem", "BatchGetItem"]
    assert meter.items == MOST_RESOURCES + 1
    assert figures(response)[1] == str(MOST_RESOURCES)


def test_in_memory_only_the_limits_themselves_are_listed(
    as_role: AsRole, limiter: Limiter, settings: Settings
) -> None:
    limiter.acquire("192.0.2.1")
    settings.STORES = "memory"
    admin = as_role("admin")

    with metering.metered() as meter:
        response = admin.get("/stores/limits/")

    assert meter.operations == ["GetItem"]
    assert rows(response) == ["Trying 5 in 2 h \u2013 0"]
    assert figures(response) == []


def test_the_limits_of_signing_in_are_among_them() -> None:
    assert {"sign-in", "account"} <= {*LIMITERS}
    assert BEGUN.resource_of("2001:db8::1") == BEGUN.resource_of("2001:db8::2")


@pytest.mark.parametrize(
    ("times", "shown", "look"),
    [(0, "0 of 5 0 %", "done"), (4, "4 of 5 80 %", "waiting"), (9, "5 of 5 100 %", "failed")],
)
def test_looking_one_up_tells_how_much_is_used(
    as_role: AsRole, limiter: Limiter, times: int, shown: str, look: str
) -> None:
    for _try in range(times):
        limiter.acquire("192.0.2.1")
    limiter.acquire("192.0.2.2")

    response = as_role("admin").get(ASKED)

    assert use(response) == [shown]
    assert f'class="badge status {look}"' in response.content.decode()


def test_looking_costs_one_request_beside_the_session_and_refreshes_alone(
    as_role: AsRole, limiter: Limiter
) -> None:
    admin = as_role("admin")

    with metering.metered() as meter:
        part = admin.get(ASKED, headers=HTMX)

    assert meter.operations == ["GetItem", "GetItem"]
    assert texts(part, r'hx-get="([^"]*)" hx-trigger="every 5s"') == [ASKED]
    assert b"<form" not in part.content


def test_a_limit_is_reset_after_asking(as_role: AsRole, limiter: Limiter) -> None:
    for _try in range(6):
        limiter.acquire("192.0.2.1")
    admin = as_role("admin")
    address = "/stores/limits/reset?limit=test&key=192.0.2.1"
    question = admin.get(address)
    assert texts(question, r"<h1[^>]*>(.*?)</h1>") == ["Reset this limit?"]
    assert texts(question, r"<strong>(.*?)</strong>") == ["Trying: 192.0.2.1"]
    assert use(admin.get(ASKED)) == ["5 of 5 100 %"]

    response = admin.post(address)

    assert toasts(admin.get(response["Location"])) == ["Limit reset."]
    assert use(admin.get(ASKED)) == ["0 of 5 0 %"]
    assert limiter.acquire("192.0.2.1").allowed
    assert recorded("limits") == ["Amara Lindqvist reset a limit: Trying"]


def test_a_limit_that_nobody_declared_is_not_found(as_role: AsRole, limiter: Limiter) -> None:
    assert as_role("admin").post("/stores/limits/reset?limit=other&key=x").status_code == 404
