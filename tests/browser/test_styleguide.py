"""Every component of the look, in a real browser on every screen."""

from collections.abc import Callable

import pytest
from django.urls import path
from playwright.sync_api import Page, expect

from config.urls import urlpatterns as own_urls
from desk import styleguide
from tests.browser.signing_in import sign_in

# The real route exists only where DEBUG is on.
urlpatterns = [*own_urls, path("styleguide", styleguide.styleguide)]
pytestmark = [pytest.mark.urls(__name__), pytest.mark.usefixtures("db")]


def test_every_component_is_accessible_on_every_screen(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    sign_in(every_look, "admin")
    every_look.goto("/styleguide")

    expect(every_look.get_by_role("heading", level=1)).to_have_text("Style guide")
    assert_accessible(every_look)
    for opener, name in (("#open-dialog", "Delete this article?"), ("#open-demo-palette", "Find anything")):
        every_look.locator(opener).click()
        expect(every_look.get_by_role("dialog", name=name)).to_be_visible()
        assert_accessible(every_look)
        every_look.keyboard.press("Escape")
        expect(every_look.get_by_role("dialog")).to_have_count(0)
