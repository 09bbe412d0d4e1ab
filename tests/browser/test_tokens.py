"""Making an access token in a real browser, on every screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.signing_in import sign_in

pytestmark = pytest.mark.usefixtures("db")


def test_a_token_is_made_copied_and_revoked(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    sign_in(every_look, "scout")
    every_look.goto("/desk/")
    every_look.locator("#account-menu summary").click()
    every_look.get_by_role("link", name="Access tokens").click()
    expect(every_look.get_by_text("No tokens yet.")).to_be_visible()
    assert_accessible(every_look)

    every_look.get_by_label("Purpose").fill("Sheet of the pit")
    every_look.get_by_role("button", name="Create token").click()
    expect(every_look.get_by_text("Choose at least one permission.")).to_be_visible()
    assert_accessible(every_look)
    every_look.get_by_role("combobox", name="Scouting").select_option("Read and write")
    every_look.get_by_role("button", name="Create token").click()
    assert every_look.get_by_label("New token").input_value().startswith("fhp_")
    assert_accessible(every_look)

    every_look.get_by_role("button", name="Revoke Sheet of the pit").click()
    expect(every_look.get_by_text("No tokens yet.")).to_be_visible()
