"""The stores at a glance, for administrators."""

from collections.abc import Callable, Iterator
from html import unescape

import pytest
from django.test import Client
from pytest_django import Settings

from core.dynamo import metering
from core.dynamo.errors import Unavailable
from core.dynamo.faults import FaultProxy, Faults
from core.stores.cache import CacheStore
from core.stores.dedupe import DedupeStore
from core.stores.http import HttpClient
from core.stores.http.client import CLIENTS
from core.stores.interfaces import Health, Limit
from core.stores.limits import LIMITERS
from tests.desk.stores.dashboard_pages import HTMX, figures, set_long_ago, texts

AsRole = Callable[[str], Client]


@pytest.fixture
def client_of_sams(monkeypatch: pytest.MonkeyPatch) -> Iterator[HttpClient]:
    """The only service that is asked."""
    for name in list(CLIENTS):
        monkeypatch.delitem(CLIENTS, name)
    client = HttpClient("sams", origins=["https://sams.example"], limit=Limit(2, 3_600_000))
    yield client
    client.close()


def test_it_tells_how_much_each_store_holds(as_role: AsRole, client_of_sams: HttpClient) -> None:
    CacheStore().set("one", "x", 60)
    CacheStore().set("two", "y", None)
    size = CacheStore().stats().estimated_size_bytes
    set_long_ago("over")
    DedupeStore().register("job")

    response = as_role("admin").get("/stores/")

    assert figures(response) == ["2", "1", str(len(LIMITERS)), "1"]
    assert texts(response, r"<dd>(values available.*?)</dd>") == [
        f"values available, {size} bytes in total; 1 more has expired"
    ]


def test_it_tells_how_often_a_request_was_sent_again(as_role: AsRole, proxy: FaultProxy) -> None:
    def sent_again() -> list[int]:
        told = texts(admin.get("/stores/"), r"<th[^>]*>Retried[^<]*</th><td[^>]*>(.*?)</td>")
        return [int(number) for number in told]

    admin = as_role("admin")
    before = sent_again()
    # Thirty times when others write too much, twice when there is no answer.
    for faults in (Faults(throttle=1), Faults(error=1)):
        proxy.faults = faults
        with pytest.raises(Unavailable):
            CacheStore().set("key", 1, 60)
    proxy.faults = Faults()

    assert sent_again() == [before[0] + 30, before[1] + 2]


@pytest.mark.parametrize(
    ("success", "milliseconds", "shown"),
    [(True, 99.9, "Healthy"), (True, 100.0, "Slow"), (False, 5.0, "Not responding")],
)
def test_the_health_of_the_table_is_told(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch, success: bool, milliseconds: float, shown: str
) -> None:
    monkeypatch.setattr("desk.stores.inspection.health", lambda: Health(success, milliseconds, "table"))

    response = as_role("admin").get("/stores/")

    assert texts(response, r"<dt>Table</dt><dd>(.*?)</dd>") == [f"table {shown}"]


def test_it_warns_of_a_limit_that_is_used_up(as_role: AsRole, client_of_sams: HttpClient) -> None:
    for _request in range(2):
        client_of_sams.limits.acquire("sams", "user")

    response = as_role("admin").get("/stores/")

    assert texts(response, r'<div class="notice"><p>(.*?)</p>') == [
        "sams: the limit is used up. New requests have to wait."
    ]


@pytest.mark.parametrize("stored", [3, 120])
def test_it_costs_six_requests_however_much_there_is(
    as_role: AsRole, client_of_sams: HttpClient, stored: int
) -> None:
    admin = as_role("admin")
    CacheStore().set_many({f"value {number}": number for number in range(stored)}, 60)

    with metering.metered() as meter:
        admin.get("/stores/")

    assert sorted(meter.operations) == ["BatchGetItem", "GetItem", "GetItem", "Query", "Query", "Query"]


def test_counting_ends_at_500(as_role: AsRole) -> None:
    CacheStore().set_many({f"value {number}": number for number in range(501)}, 60)

    assert figures(as_role("admin").get("/stores/"))[0] == "500+"


def test_it_refreshes_itself_every_five_seconds_until_it_is_told_not_to(as_role: AsRole) -> None:
    admin = as_role("admin")

    page = admin.get("/stores/").content.decode()
    part = admin.get("/stores/", headers=HTMX).content.decode()
    still = admin.get("/stores/?refresh=off").content.decode()

    assert 'hx-get="/stores/?" hx-trigger="every 5s"' in page
    assert part.strip().startswith('<div class="stack" id="live" hx-get="/stores/?" hx-trigger="every 5s"')
    assert "<h1" not in part
    assert "every 5s" not in still
    assert "Refresh every 5 seconds" in still


def test_the_part_that_refreshes_announces_nothing(as_role: AsRole) -> None:
    part = as_role("admin").get("/stores/", headers=HTMX).content.decode()

    assert 'role="status"' not in part
    assert "aria-live" not in part


def test_stores_in_memory_have_nothing_to_list(as_role: AsRole, settings: Settings) -> None:
    settings.STORES = "memory"

    for screen in ("", "cache/", "jobs/", "shared-limits/"):
        response = as_role("admin").get(f"/stores/{screen}")
        assert texts(response, r"<h2>(.*?)</h2>") == ["Kept in memory"]


def test_the_first_page_tells_what_was_done(as_role: AsRole) -> None:
    CacheStore().set("standings", 1, 60)
    admin = as_role("admin")
    admin.post("/stores/cache/delete?key=standings")

    page = unescape(admin.get("/desk/activity").content.decode())

    assert (
        "<strong>Amara Lindqvist</strong> removed "
        '<a href="/stores/cache/">“standings”</a> from the cache' in page
    )


def test_only_administrators_find_it_in_the_menu(as_role: AsRole) -> None:
    assert 'href="/stores/"' in as_role("admin").get("/desk/").content.decode()
    assert 'href="/stores/"' not in as_role("moderator").get("/desk/").content.decode()
