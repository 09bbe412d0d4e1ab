"""The reference page of the API, in a real browser on every screen: our own files, no sideways scroll."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.usefixtures("db")


def test_every_operation_can_be_read_on_every_screen(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    every_look.goto("/api/v1/")

    expect(every_look.get_by_role("heading", level=1)).to_have_text("JSON API")
    assert_accessible(every_look)
    operation = every_look.locator("#send_stand_form")
    operation.locator("summary").click()
    expect(operation.get_by_role("rowheader", name="matchNumber")).to_be_visible()
    expect(operation.get_by_role("rowheader", name="Idempotency-Key")).to_be_visible()
    assert_accessible(every_look)
    assert every_look.evaluate("document.documentElement.scrollWidth <= innerWidth")
