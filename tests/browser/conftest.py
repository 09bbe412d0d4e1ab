"""A real browser on a live server: phone and desktop, light and dark, each page watched for errors."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from config.engines.dynoxide import Dynoxide
from tests.browser import live_site
from tests.browser.accessibility import violations
from tests.browser.chromium import FLAGS, SCREENS, find_browser
from tests.browser.files import files  # noqa: F401
from tests.browser.patience import have_patience
from tests.user_pool import pool, user_pool  # noqa: F401
from tracker.scoring.limits import RECORDING

Scheme = Literal["light", "dark"]
OpenPage = Callable[[str, Scheme], Page]

# The browser logs these itself; our pages answer with them on purpose. A missing file is 404 and counts.
REFUSAL = re.compile(
    r"(Failed to load resource: .* status of|Response Status Error Code) (400|401|403|409|413|422|429|503)"
    # A test that cuts the connection: the browser and htmx say so.
    r"|Failed to load resource: net::ERR_(FAILED|INTERNET_DISCONNECTED)|htmx:(afterRequest|sendError),"
    # A page that is left while it still asks for something, as on a busy machine.
    r"|htmx:sendAbort,"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = find_browser()
    if program is None:
        if os.environ.get("FORBID_BROWSER_SKIP") == "1":
            pytest.fail("Chromium was not found, and FORBID_BROWSER_SKIP=1 does not allow to go without it.")
        pytest.skip("Chromium was not found: install it to run the browser tests.")
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        have_patience(patch)
        running = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def live_server() -> Iterator[LiveServer]:
    server = live_site.start()
    yield server
    server.stop()


@pytest.fixture
def transactional_db(db: Dynoxide) -> Dynoxide:
    """pytest-django's live_server asks for a relational database; it gets our engine with empty tables."""
    return db


@pytest.fixture
def open_page(browser: Browser, live_server: object) -> Iterator[OpenPage]:
    """Pages of this screen and scheme; the test fails if one of them logs an error or breaks the CSP."""
    problems: list[str] = []
    contexts = []

    def note(message: ConsoleMessage) -> None:
        # The login pages are not ours; what has no address is a complaint about one of our own pages.
        is_ours = (
            message.location["url"].startswith((str(live_server), "about:")) or not message.location["url"]
        )
        if message.type == "error" and is_ours and not REFUSAL.match(message.text):
            problems.append(message.text)

    def note_exception(error: Error) -> None:
        problems.append(error.message)

    def open_one(screen: str, scheme: Scheme) -> Page:
        width, height = SCREENS[screen]
        context = browser.new_context(
            base_url=str(live_server),
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            has_touch=screen == "phone",
            is_mobile=screen == "phone",
            locale="en-GB",
            timezone_id="Europe/Berlin",
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", note)
        page.on("pageerror", note_exception)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    return open_page("phone", "light")


@pytest.fixture
def desktop(open_page: OpenPage) -> Page:
    return open_page("desktop", "light")


@pytest.fixture(params=["phone", "desktop"])
def every_look(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    """The test runs on the phone and on the desktop; `assert_accessible` looks at light and dark."""
    return open_page(request.param, "light")


@pytest.fixture(scope="session")
def assert_accessible() -> Callable[[Page], None]:
    """axe finds nothing, neither in light nor in dark, and nothing has to be scrolled sideways."""

    def check(page: Page) -> None:
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    return check


@pytest.fixture
def no_recording_limit(db: object) -> None:
    RECORDING.reset("sub-olga")


@pytest.fixture
def page_with_a_form(settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.core.crud.richtext_page"
