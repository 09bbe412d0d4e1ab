"""No journey depends on the speed of the machine: waits are long, and no action comes before its page."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

TIMEOUT = 60_000
ACTIONS = (
    *("click", "dblclick", "tap", "hover", "focus", "drag_to", "dispatch_event"),
    *("fill", "clear", "press", "press_sequentially", "set_input_files"),
    *("check", "uncheck", "set_checked", "select_option"),
)
DEVICES = ("keyboard", "mouse", "touchscreen")


def have_patience(patch: pytest.MonkeyPatch) -> None:
    """Elements of the next page come before its scripts have run: an action on them waits until they have.

    Otherwise a shortcut is not heard, and a form is sent without htmx. Playwright knows when a page has
    loaded, so nothing is asked for once it has.
    """
    expect.set_options(timeout=TIMEOUT)
    for name in ACTIONS:
        patch.setattr(Locator, name, _once_loaded(getattr(Locator, name)))
    for name in DEVICES:
        patch.setattr(Page, name, property(_once_open(getattr(Page, name).fget)))


def _once_loaded(action: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(action)
    def act(locator: Locator, *args: Any, **options: Any) -> Any:
        locator.page.wait_for_load_state()
        return action(locator, *args, **options)

    return act


def _once_open(device: Callable[[Page], Any]) -> Callable[[Page], Any]:
    def get(page: Page) -> Any:
        page.wait_for_load_state()
        return device(page)

    return get
