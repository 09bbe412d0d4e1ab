"""A dashboard on which nothing can be changed: by a setting, or because the stores are in memory."""

from collections.abc import Callable, Iterator

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from pytest_django import Settings

from core.stores.cache import CacheStore
from core.stores.dedupe import DedupeStore
from core.stores.http import HttpClient
from core.stores.interfaces import Limit
from desk.stores import services
from tests.cast import CAST
from tests.desk.stores.dashboard_pages import HTMX, recorded, texts

AsRole = Callable[[str], Client]
pytestmark = pytest.mark.usefixtures("db")

SCREENS = ["", "cache/", "jobs/", "limits/?limit=sign-in&key=192.0.2.1", "shared-limits/"]
VERBS = [
    "cache/delete?key=standings",
    "cache/clear",
    "jobs/release?key=import&job={job}",
    "limits/reset?limit=sign-in&key=192.0.2.1",
    "shared-limits/sams/recalculate",
    "shared-limits/sams/reset",
]


@pytest.fixture
def job() -> Iterator[str]:
    """Something to change on each screen."""
    CacheStore().set("standings", 1, 60)
    client = HttpClient("sams", origins=["https://sams.example"], limit=Limit(10, 60_000))
    client.limits.acquire("sams", "user")
    yield DedupeStore().register("import")
    client.close()


def offered(admin: Client) -> set[str]:
    """The addresses of the changes that the screens offer, without what they are about."""
    pages = [admin.get(f"/stores/{screen}") for screen in [*SCREENS, "cache/value?key=standings"]]
    links = {link for page in pages for link in texts(page, r'href="/stores/([^"]*)"')}
    verbs = {verb.partition("?")[0] for verb in VERBS}
    return {link.partition("?")[0] for link in links} & verbs


def test_every_change_is_offered_where_it_is_possible(as_role: AsRole, job: str) -> None:
    assert offered(as_role("admin")) == {verb.partition("?")[0] for verb in VERBS}


def test_read_only_no_change_is_offered_and_the_screens_say_so(
    as_role: AsRole, settings: Settings, job: str
) -> None:
    settings.STORES_DASHBOARD_READ_ONLY = True
    admin = as_role("admin")

    assert offered(admin) == set()
    for screen in SCREENS:
        assert "Read only" in texts(admin.get(f"/stores/{screen}"), r'<span class="badge[^>]*>(.*?)</span>')


@pytest.mark.parametrize("verb", VERBS)
def test_read_only_every_change_is_refused(as_role: AsRole, settings: Settings, job: str, verb: str) -> None:
    settings.STORES_DASHBOARD_READ_ONLY = True
    admin, address = as_role("admin"), f"/stores/{verb.format(job=job)}"

    answers = [admin.get(address), admin.get(address, headers=HTMX), admin.post(address, {"once": "key"})]

    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert DedupeStore().stats().total_jobs == 1, "not even the key of what was sent is noted"
    assert CacheStore().get("standings") == 1
    assert DedupeStore().is_in_progress("import")
    assert [recorded(store) for store in ("cache", "dedupe", "limits", "adaptive")] == [[], [], [], []]


def test_read_only_the_services_refuse_too(settings: Settings) -> None:
    settings.STORES_DASHBOARD_READ_ONLY = True

    with pytest.raises(PermissionDenied):
        services.clear_cache(CAST["admin"])


@pytest.mark.parametrize("verb", [verb for verb in VERBS if not verb.startswith("limits/")])
def test_stores_in_memory_leave_the_table_alone(
    as_role: AsRole, settings: Settings, job: str, verb: str
) -> None:
    settings.STORES = "memory"
    admin, address = as_role("admin"), f"/stores/{verb.format(job=job)}"

    asked, done = admin.get(address), admin.post(address)

    assert texts(asked, r"<h2>(.*?)</h2>") == ["Kept in memory"]
    assert done.status_code == 409
    assert CacheStore().get("standings") == 1
    assert DedupeStore().is_in_progress("import")
