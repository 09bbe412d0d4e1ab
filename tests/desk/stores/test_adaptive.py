"""Shared limits as administrators see them: shares, use and activity as pictures with tables; anew; reset."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.utils.timezone import localtime

from cms.sams.client import OUTBOUND
from core.dynamo import maintenance, metering
from core.dynamo.attributes import wrap
from core.stores.adaptive import AdaptiveRateLimitStore, meta_key
from core.stores.http import HttpClient
from core.stores.http.client import CLIENTS
from core.stores.interfaces import Limit
from core.stores.models import StoreItem
from tests.desk.stores.dashboard_pages import recorded, rows, texts, toasts

AsRole = Callable[[str], Client]
pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def sams(monkeypatch: pytest.MonkeyPatch) -> Iterator[HttpClient]:
    """The only service that is asked."""
    for name in list(CLIENTS):
        monkeypatch.delitem(CLIENTS, name)
    client = HttpClient("sams", origins=["https://sams.example"], limit=Limit(100, 3_600_000))
    yield client
    client.close()


def test_shares_and_use_are_drawn_and_in_a_table(as_role: AsRole, sams: HttpClient) -> None:
    for priority in ("user", "user", "user", "background"):
        sams.limits.acquire("sams", priority)
    sams.limits.recalculate("sams")

    response = as_role("admin").get("/stores/shared-limits/")

    assert texts(response, r'aria-label="(\d[^"]*)"') == [
        "62 for people, 38 for background jobs",
        "3 used by people, 1 by background jobs, of 100",
    ]
    page = response.content.decode()
    assert '<rect class="people" x="0" y="0" width="372" height="28"/>' in page
    assert '<rect class="background" x="372" y="0" width="228" height="28"/>' in page
    assert " style=" not in page
    assert texts(response, r'<th class="key [^>]*>(.*?)</tr>') == ["People 62 3", "Background jobs 38 1"]
    assert "Activity: Moderate" in texts(response, r'<span class="badge">(.*?)</span>')
    assert "Moderate user activity (3 user requests, trend increasing)" in page


def test_what_happened_lately_is_drawn_by_the_minute(as_role: AsRole, sams: HttpClient) -> None:
    sams.limits.acquire("sams", "user")

    response = as_role("admin").get("/stores/shared-limits/")

    # The newest column, or the one before it when a minute has just ended.
    lines = texts(response, r'<tr><th scope="row">(.*?)</tr>')
    assert len(lines) == 15
    assert sum(int(line.split()[-2]) for line in lines) == 1
    assert lines[14] == "14 min 0 0"


def test_a_client_that_was_never_asked_has_no_shares_yet(as_role: AsRole, sams: HttpClient) -> None:
    response = as_role("admin").get("/stores/shared-limits/")

    assert texts(response, r'<th class="key [^>]*>(.*?)</tr>') == [
        "People \u2013 0",
        "Background jobs \u2013 0",
    ]
    assert "Not used yet." in response.content.decode()


def test_a_client_that_only_people_asked_has_no_shares_yet_either(as_role: AsRole, sams: HttpClient) -> None:
    sams.limits.acquire("sams", "user")

    page = as_role("admin").get("/stores/shared-limits/").content.decode()

    assert "Shares are calculated when a background job asks for the first time." in page
    assert "Not used yet." not in page


def test_a_service_that_asked_to_be_left_alone_is_told_everywhere(as_role: AsRole, sams: HttpClient) -> None:
    sams.limits.cool_down("sams", 3_600_000)
    ends = localtime(sams.limits.get_status("sams").reset_time).strftime("%H:%M:%S")
    admin = as_role("admin")

    shares, overview = admin.get("/stores/shared-limits/"), admin.get("/stores/")
    limits = [row for row in rows(admin.get("/stores/limits/")) if row.startswith("Requests to sams")]

    assert f"Paused until {ends}" in texts(shares, r'<span class="badge[^>]*>(.*?)</span>')
    assert texts(overview, r'<div class="notice"><p>(.*?)</p>') == [f"sams asked us to pause until {ends}."]
    assert limits == [f"Requests to sams 100 in 1 h 100 of 100 100 % {ends} 0"]


def test_a_service_that_this_process_never_asked_is_listed_and_reset_all_the_same(as_role: AsRole) -> None:
    """Such as SAMS, which the sync asks elsewhere."""
    elsewhere = AdaptiveRateLimitStore(default=OUTBOUND.limit)
    elsewhere.acquire("sams", "user")
    admin = as_role("admin")

    page = admin.get("/stores/shared-limits/")
    assert {"sams", "sams-logos"} <= set(texts(page, r"<h3[^>]*>(.*?)</h3>"))
    assert "1 used by people, 0 by background jobs, of 60" in page.content.decode()
    for verb in ("recalculate", "reset"):
        assert admin.post(f"/stores/shared-limits/sams/{verb}").status_code == 302
    assert elsewhere.get_status("sams").remaining == 60


def test_shares_that_the_original_left_are_none(as_role: AsRole, sams: HttpClient) -> None:
    left = {"userRequestCount": 1, "backgroundRequestCount": 2, "lastCalculation": 1, "reason": "initial"}
    item = meta_key("sams") | {"Data": wrap(left)}
    maintenance.request("PutItem", TableName=StoreItem.Meta.table_name, Item=item)

    assert "Not used yet." in as_role("admin").get("/stores/shared-limits/").content.decode()


def test_without_clients_it_says_what_will_be_here(as_role: AsRole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desk.stores.views.CLIENTS", {})

    response = as_role("admin").get("/stores/shared-limits/")

    assert "No other services in use" in texts(response, r"<h2>(.*?)</h2>")


def test_looking_costs_one_request_for_all_clients_and_calculates_nothing(
    as_role: AsRole, sams: HttpClient
) -> None:
    tba = HttpClient("tba", origins=["https://tba.example"], limit=Limit(10, 60_000))
    admin = as_role("admin")

    with metering.metered() as meter:
        response = admin.get("/stores/shared-limits/")
    tba.close()

    assert meter.operations == ["GetItem", "BatchGetItem"]
    assert texts(response, r"<h3[^>]*>(.*?)</h3>") == ["sams", "tba"]


def test_shares_are_calculated_anew_after_asking(as_role: AsRole, sams: HttpClient) -> None:
    sams.limits.get_status("sams")
    for _request in range(10):
        sams.limits.acquire("sams", "user")
    admin = as_role("admin")
    address = "/stores/shared-limits/sams/recalculate"
    assert texts(admin.get(address), r"<h1[^>]*>(.*?)</h1>") == ["Recalculate the shares?"]
    assert sams.limits.get_status("sams").activity_level == "low"

    admin.post(address)

    assert toasts(admin.get("/stores/shared-limits/")) == ["Shares recalculated."]
    assert sams.limits.get_status("sams").activity_level == "high"
    assert recorded("adaptive") == ["Amara Lindqvist recalculated the shares of sams"]


def test_a_shared_limit_is_reset_after_asking(as_role: AsRole, sams: HttpClient) -> None:
    for _request in range(10):
        sams.limits.acquire("sams", "user")
    admin = as_role("admin")
    address = "/stores/shared-limits/sams/reset"
    assert texts(admin.get(address), r"<h1[^>]*>(.*?)</h1>") == ["Reset this limit?"]
    assert sams.limits.get_status("sams").remaining == 90

    admin.post(address)

    assert sams.limits.get_status("sams").remaining == 100
    assert recorded("adaptive") == ["Amara Lindqvist reset the shared limit of sams"]


def test_a_client_that_nobody_declared_is_not_found(as_role: AsRole) -> None:
    assert "nobody" not in CLIENTS
    assert as_role("admin").post("/stores/shared-limits/nobody/reset").status_code == 404
