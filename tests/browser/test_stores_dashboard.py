"""The dashboard of the stores in a real browser: on every screen, refreshing itself, without JavaScript."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from core.stores.cache import CacheStore
from core.stores.dedupe import DedupeStore
from core.stores.http import HttpClient
from core.stores.http.client import CLIENTS
from core.stores.interfaces import Limit
from tests.browser.signing_in import sign_in

Accessible = Callable[[Page], None]
SCREENS = ["", "cache/", "jobs/", "limits/?limit=sign-in&key=192.0.2.1", "shared-limits/"]


@pytest.fixture
def filled(db: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[HttpClient]:
    """Something of everything, with keys that are long; the only service that is asked."""
    for name in list(CLIENTS):
        monkeypatch.delitem(CLIENTS, name)
    client = HttpClient("sams", origins=["https://sams.example"], limit=Limit(200, 3_600_000))
    for number in range(12):
        client.limits.acquire("sams", "user" if number % 3 else "background")
    client.limits.recalculate("sams")
    CacheStore().set_many({f"http:sams:{number}{'f' * 60}": {"a": number} for number in range(4)}, 3600)
    store = DedupeStore()
    store.register("import of the season 2026 with a name that is quite long")
    store.fail("fetch", ValueError("The other service did not answer."), job_id=store.register("fetch"))
    yield client
    client.close()


@pytest.fixture
def without_javascript(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False)
    yield sign_in(context.new_page(), "admin")
    context.close()


def assert_large_enough(page: Page) -> None:
    heights = page.locator("main :is(a:not(.row-link), button, input, select, summary)").evaluate_all(
        "found => found.filter(one => one.checkVisibility())"
        ".map(one => [one.id, one.getBoundingClientRect().height])"
    )
    assert heights
    assert [(name, height) for name, height in heights if height < 44] == []


def test_every_screen_is_accessible_and_has_large_targets(
    every_look: Page, filled: HttpClient, assert_accessible: Accessible
) -> None:
    page = sign_in(every_look, "admin")
    for screen in SCREENS:
        page.goto(f"/stores/{screen}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert_accessible(page)
        assert_large_enough(page)
    page.get_by_text("Show as a table").click()
    assert_accessible(page)


@pytest.mark.usefixtures("db")
def test_empty_screens_are_accessible(every_look: Page, assert_accessible: Accessible) -> None:
    page = sign_in(every_look, "admin")
    for screen in SCREENS:
        page.goto(f"/stores/{screen}")
        assert_accessible(page)


def test_numbers_refresh_while_focus_and_what_is_open_stay(desktop: Page, filled: HttpClient) -> None:
    page = sign_in(desktop, "admin")
    page.goto("/stores/shared-limits/")
    people = page.locator("th.key.people + td + td")
    expect(people).to_have_text("8")
    page.get_by_text("Show as a table").click()
    page.get_by_role("link", name="Recalculate").focus()

    filled.limits.acquire("sams", "user")

    expect(people).to_have_text("9")
    expect(page.get_by_role("link", name="Recalculate")).to_be_focused()
    expect(page.get_by_role("columnheader", name="Ago")).to_be_visible()
    expect(page.locator("#toasts > *")).to_have_count(0)


def test_an_open_dialog_survives_a_refresh_and_its_answer_is_told(desktop: Page, filled: HttpClient) -> None:
    page = sign_in(desktop, "admin")
    page.goto("/stores/cache/")
    row = page.get_by_role("row").filter(has_text="http:sams:0")
    row.get_by_role("link", name="Remove").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Remove this value?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()

    CacheStore().set("new", 1, 7200)
    expect(page.locator(".cards tbody tr")).to_have_count(5)
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(row.get_by_role("link", name="Remove")).to_be_focused()

    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("status").filter(has_text="Value removed from the cache.")).to_be_visible()
    expect(page.locator(".cards tbody tr")).to_have_count(4)


def test_a_value_is_looked_at_in_a_dialog(
    phone: Page, filled: HttpClient, assert_accessible: Accessible
) -> None:
    page = sign_in(phone, "admin")
    page.goto("/stores/cache/")
    page.get_by_role("link", name="http:sams:2").first.click()

    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text('{"a":2}')).to_be_visible()
    assert_accessible(page)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_a_refresh_that_fails_is_told_beside_the_numbers_and_not_by_toasts(
    desktop: Page, filled: HttpClient
) -> None:
    page = sign_in(desktop, "admin")
    page.goto("/stores/cache/")
    told = page.get_by_text("Could not refresh since then.")
    expect(told).to_be_hidden()

    def fail(route: Route) -> None:
        if route.request.headers.get("hx-request"):
            route.fulfill(status=503, body='<p id="error">Away</p>', content_type="text/html")
        else:
            route.continue_()

    page.route("**/stores/cache/**", fail)
    expect(told).to_be_visible()
    expect(page.locator("#toasts > *")).to_have_count(0)

    page.unroute("**/stores/cache/**")
    page.route("**/stores/cache/**", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        pass
    expect(page.locator("#toasts > *")).to_have_count(0)

    page.unroute("**/stores/cache/**")
    expect(told).to_be_hidden()


def test_refreshing_can_be_stopped(desktop: Page, filled: HttpClient) -> None:
    page = sign_in(desktop, "admin")
    page.goto("/stores/")

    page.get_by_role("link", name="Stop refreshing").click()

    expect(page.get_by_role("link", name="Refresh every 5 seconds")).to_be_visible()
    expect(page.locator("[data-live]")).to_have_count(0)


def test_everything_works_without_javascript(without_javascript: Page, filled: HttpClient) -> None:
    page = without_javascript
    page.goto("/stores/")
    expect(page.get_by_role("link", name="Reload")).to_be_visible()
    expect(page.get_by_role("link", name="Stop refreshing")).to_be_hidden()
    page.get_by_role("link", name="Jobs").first.click()
    page.get_by_role("link", name="Release import").click()
    page.get_by_role("button", name="Release").click()
    expect(page.get_by_text("Job released.")).to_be_visible()

    page.get_by_role("link", name="Shared limits").click()
    page.get_by_role("link", name="Recalculate").click()
    page.get_by_role("button", name="Recalculate").click()
    expect(page.get_by_text("Shares recalculated.")).to_be_visible()

    page.get_by_role("link", name="Limits", exact=True).click()
    page.get_by_label("Limit", exact=True).select_option("sign-in")
    page.get_by_label("IP address or ID").fill("192.0.2.7")
    page.get_by_role("button", name="Look up").click()
    expect(page.get_by_text("0 of 60")).to_be_visible()
    page.get_by_role("link", name="Reset").click()
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_text("Limit reset.")).to_be_visible()

    page.get_by_role("link", name="Cache", exact=True).click()
    page.get_by_role("link", name="Clear the cache").click()
    page.get_by_role("button", name="Clear the cache").click()
    expect(page.get_by_text("4 values removed.")).to_be_visible()
    expect(page.get_by_role("heading", name="The cache is empty")).to_be_visible()
