"""The first page, as a visitor meets it."""

from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_the_first_page_greets_and_is_accessible_on_every_screen(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    answer = every_look.goto("/")
    assert answer is not None
    assert answer.status == 200
    expect(every_look.get_by_role("heading", level=1)).to_be_visible()
    expect(every_look).to_have_title("Fieldhouse")
    assert_accessible(every_look)
