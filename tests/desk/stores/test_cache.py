"""The cache as administrators see it: listed by when values end, shown as far as it is safe, removed."""

from collections.abc import Callable
from urllib.parse import quote

import pytest
from django.conf import settings
from django.core.cache import cache as django_cache
from django.core.exceptions import PermissionDenied
from django.test import Client

from core.dynamo import connection, metering
from core.dynamo.errors import Unavailable
from core.stores.cache import CacheStore
from core.stores.dedupe import DedupeStore
from desk.stores import services
from tests.cast import CAST
from tests.desk.stores.dashboard_pages import HTMX, figures, recorded, rows, set_long_ago, texts, toasts

AsRole = Callable[[str], Client]


@pytest.mark.usefixtures("db")
def test_values_are_listed_by_when_they_end(as_role: AsRole) -> None:
    store = CacheStore()
    store.set("for ever", "x", None)
    store.set("soon", "y", 90)
    store.set("later", "z", 7230)
    size = store.stats().estimated_size_bytes
    set_long_ago("over")

    response = as_role("admin").get("/stores/cache/")

    assert [row.rsplit(maxsplit=2)[0] for row in rows(response)] == [
        "soon 1 min",
        "later 2 h",
        "for ever Never",
    ]
    assert figures(response) == ["3", f"{size} bytes", "1"]


@pytest.mark.usefixtures("db")
def test_what_is_only_being_computed_is_no_value(as_role: AsRole) -> None:
    admin, seen = as_role("admin"), []

    def compute() -> str:
        response = admin.get("/stores/cache/")
        seen.append((rows(response), figures(response)))
        return "x"

    CacheStore().get_or_compute("cold", compute, 60)

    assert seen == [([], ["0", "0 bytes", "0"])]


@pytest.mark.usefixtures("db")
def test_an_empty_cache_says_what_will_be_here(as_role: AsRole) -> None:
    response = as_role("admin").get("/stores/cache/")

    assert "The cache is empty" in texts(response, r"<h2>(.*?)</h2>")
    assert figures(response) == ["0", "0 bytes", "0"]


@pytest.mark.usefixtures("db")
def test_a_page_has_50_values_and_the_next_one_the_others(as_role: AsRole) -> None:
    CacheStore().set_many({f"value {number:03}": number for number in range(120)}, 600)
    admin = as_role("admin")
    found: list[str] = []
    address, sizes = "/stores/cache/", []
    while address:
        response = admin.get(address)
        sizes.append(len(rows(response)))
        found += texts(response, r'class="row-link"[^>]*>(.*?)</a>')
        after = texts(response, r'id="next-page" href="([^"]*)"')
        address = f"/stores/cache/{after[0]}" if after else ""

    assert sizes == [50, 50, 20]
    assert found == [f"value {number:03}" for number in range(120)]


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("stored", [60, 400])
def test_pages_cost_the_same_however_many_values_there_are(as_role: AsRole, stored: int) -> None:
    CacheStore().set_many({f"value {number}": number for number in range(stored)}, 600)
    admin = as_role("admin")

    with metering.metered() as first:
        response = admin.get("/stores/cache/")
    after = texts(response, r'id="next-page" href="([^"]*)"')[0]
    with metering.metered() as second:
        admin.get(f"/stores/cache/{after}")

    assert first.operations == ["GetItem", "Query", "Query"]
    assert second.operations == ["GetItem", "Query"]
    assert second.calls[1].items <= 51


@pytest.mark.usefixtures("db")
def test_a_refresh_of_a_later_page_stays_on_it_and_outlives_its_token(as_role: AsRole) -> None:
    CacheStore().set_many({f"value {number:02}": number for number in range(60)}, 600)
    admin = as_role("admin")
    after = texts(admin.get("/stores/cache/"), r'id="next-page" href="([^"]*)"')[0]

    part = admin.get(f"/stores/cache/{after}", headers=HTMX)
    (fresh,) = texts(part, r'hx-get="(/stores/cache/\?after=[^"]*)" hx-trigger="every 5s"')
    again = admin.get(fresh, headers=HTMX)

    assert rows(again)[0].startswith("value 50 ")
    assert len(rows(again)) == 10


@pytest.mark.usefixtures("db")
def test_a_forged_token_is_refused(as_role: AsRole) -> None:
    assert as_role("admin").get("/stores/cache/?after=forged").status_code == 400


@pytest.mark.usefixtures("db")
def test_keys_are_shown_as_text_and_shortened(as_role: AsRole) -> None:
    CacheStore().set("<script>alert(1)</script>" + "k" * 200, 1, 60)

    page = as_role("admin").get("/stores/cache/").content.decode()

    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" + "k" * 54 + "…</a>" in page


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    ("value", "shown"),
    [(42, "42"), ({"a": "<b>"}, '{"a":"<b>"}'), ("x" * 1000, '"' + "x" * 599 + "…")],
)
def test_json_and_numbers_are_shown_shortened(as_role: AsRole, value: object, shown: str) -> None:
    CacheStore().set("a/b c&d", value, 60)

    response = as_role("admin").get(f"/stores/cache/value?key={quote('a/b c&d', safe='')}")

    assert texts(response, r'<h2 id="value-title"[^>]*>(.*?)</h2>') == ["a/b c&d"]
    assert texts(response, r"<code>(.*?)</code>") == [shown]
    assert b"<b>" not in response.content


class Trap:
    """Whoever opens it notices."""

    opened = 0

    def __reduce__(self) -> tuple[Callable[[], int], tuple[()]]:
        return _open_trap, ()


def _open_trap() -> int:
    Trap.opened += 1
    return 0


@pytest.mark.usefixtures("db")
def test_what_django_keeps_is_never_opened(as_role: AsRole) -> None:
    django_cache.set("trap", Trap(), 60)

    response = as_role("admin").get("/stores/cache/value?key=django:::1:trap")

    assert Trap.opened == 0
    assert "This value is not shown because it may be private." in response.content.decode()
    django_cache.get("trap")
    assert Trap.opened == 1


@pytest.mark.usefixtures("db")
def test_what_is_over_or_is_no_value_cannot_be_opened(as_role: AsRole) -> None:
    set_long_ago("over")
    admin = as_role("admin")

    for key in ("over", "nothing", f"SESSION#{admin.cookies[settings.SESSION_COOKIE_NAME].value}"):
        assert admin.get(f"/stores/cache/value?key={quote(key)}").status_code == 404


@pytest.mark.usefixtures("db")
def test_removing_a_value_is_asked_first(as_role: AsRole) -> None:
    CacheStore().set("standings", 1, 60)
    admin = as_role("admin")

    page = admin.get("/stores/cache/delete?key=standings")
    dialog = admin.get("/stores/cache/delete?key=standings", headers=HTMX).content.decode()

    assert texts(page, r"<h1[^>]*>(.*?)</h1>") == ["Remove this value?"]
    assert texts(page, r"<strong>(.*?)</strong>") == ["standings"]
    assert dialog.strip().startswith('<dialog class="dialog" id="confirm-dialog"')
    assert CacheStore().get("standings") == 1


@pytest.mark.usefixtures("db")
def test_a_value_is_removed_told_and_recorded_in_three_requests(as_role: AsRole) -> None:
    CacheStore().set("standings", 1, 60)
    CacheStore().set("other", 2, 60)
    admin = as_role("admin")

    with metering.metered() as meter:
        response = admin.post("/stores/cache/delete?key=standings")

    assert meter.operations == ["GetItem", "DeleteItem", "PutItem"]
    assert (response.status_code, response["Location"]) == (302, "/stores/cache/")
    assert toasts(admin.get("/stores/cache/")) == ["Value removed from the cache."]
    assert CacheStore().get_many(["standings", "other"]) == {"other": 2}
    assert recorded("cache") == ["Amara Lindqvist removed standings from the cache"]


@pytest.mark.usefixtures("db")
def test_the_form_of_the_question_removes_once_and_tells_it_each_time(as_role: AsRole) -> None:
    CacheStore().set("standings", 1, 60)
    admin = as_role("admin")
    address = "/stores/cache/delete?key=standings"
    (key,) = texts(admin.get(address), r'name="once" value="(.*?)"')

    for _time in range(2):
        answer = admin.post(address, {"once": key})
        assert toasts(admin.get(answer["Location"])) == ["Value removed from the cache."]
    assert len(recorded("cache")) == 1


@pytest.mark.usefixtures("db")
def test_removing_what_is_gone_changes_and_records_nothing(as_role: AsRole) -> None:
    assert as_role("admin").post("/stores/cache/delete?key=gone").status_code == 404
    assert recorded("cache") == []


@pytest.mark.usefixtures("db")
def test_clearing_leaves_sessions_and_jobs_alone(as_role: AsRole) -> None:
    CacheStore().set_many({f"value {number}": number for number in range(30)}, 60)
    CacheStore()._find_or_lease("being computed, so no value yet")
    DedupeStore().register("job")
    admin = as_role("admin")
    assert texts(admin.get("/stores/cache/clear"), r"<h1[^>]*>(.*?)</h1>") == ["Clear the whole cache?"]

    admin.post("/stores/cache/clear")

    assert toasts(admin.get("/stores/cache/")) == ["30 values removed."]
    assert CacheStore().count() == 0
    assert DedupeStore().is_in_progress("job")
    assert recorded("cache") == ["Amara Lindqvist cleared the cache: 30 values"]


@pytest.mark.usefixtures("db")
def test_a_large_cache_is_cleared_in_steps(as_role: AsRole, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_CLEARED", 20)
    CacheStore().set_many({f"value {number}": number for number in range(30)}, 60)
    admin = as_role("admin")

    with metering.metered() as meter:
        admin.post("/stores/cache/clear")

    assert meter.operations == ["GetItem", "Query", "BatchWriteItem", "PutItem"]
    assert toasts(admin.get("/stores/cache/")) == [
        "20 values removed. There may be more. Clear the cache again to remove them too."
    ]
    assert CacheStore().count() == 10


@pytest.mark.usefixtures("db")
def test_what_could_not_be_recorded_is_said(as_role: AsRole, monkeypatch: pytest.MonkeyPatch) -> None:
    CacheStore().set("standings", 1, 60)
    admin, send = as_role("admin"), connection.SharedConnection.dispatch

    def without_history(shared: connection.SharedConnection, operation: str, request: dict) -> dict:
        if operation == "PutItem" and request["Item"]["PK"]["S"].startswith("HIST#"):
            raise Unavailable
        return send(shared, operation, request)

    monkeypatch.setattr(connection.SharedConnection, "dispatch", without_history)
    admin.post("/stores/cache/delete?key=standings")

    assert toasts(admin.get("/stores/cache/")) == [
        "Value removed from the cache. It could not be added to the history."
    ]


@pytest.mark.usefixtures("db")
def test_the_services_refuse_whoever_lacks_the_right() -> None:
    moderator = CAST["moderator"]
    for verb, parts in [
        (services.delete_value, ["key"]),
        (services.clear_cache, []),
        (services.release_job, ["key", "job"]),
        (services.reset_limit, ["sign-in", "192.0.2.1"]),
        (services.recalculate, ["sams"]),
        (services.reset_client, ["sams"]),
    ]:
        with pytest.raises(PermissionDenied):
            verb(moderator, *parts)


@pytest.mark.usefixtures("db")
def test_a_change_needs_the_token_of_the_form(as_role: AsRole) -> None:
    CacheStore().set("standings", 1, 60)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies.update(as_role("admin").cookies)

    strict.post("/stores/cache/delete?key=standings")

    assert CacheStore().get("standings") == 1
