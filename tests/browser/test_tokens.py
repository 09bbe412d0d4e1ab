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
    expect(every_look.get_by_text("You have none.")).to_be_visible()
    assert_accessible(every_look)

    every_look.get_by_label("What is it for?").fill("Sheet of the pit")
    every_look.get_by_role("button", name="Make the token").click()
    expect(every_look.get_by_text("Choose what it may do.")).to_be_visible()
    assert_accessible(every_look)
    every_look.get_by_role("group", name="Scouting").get_by_label("Read and write").check()
    every_look.get_by_role("button", name="Make the token").click()
    assert every_look.get_by_label("The new token").input_value().startswith("fhp_")
    assert_accessible(every_look)

    every_look.get_by_role("button", name="Revoke Sheet of the pit").click()
    expect(every_look.get_by_text("You have none.")).to_be_visible()
