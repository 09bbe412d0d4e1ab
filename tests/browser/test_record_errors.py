"""A refused form tells what is wrong, and forgets it once it is saved."""

import pytest
from playwright.sync_api import Page, expect

from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo.actors import SYSTEM
from tests.browser.signing_in import sign_in

pytestmark = pytest.mark.usefixtures("db")


def test_after_a_save_nothing_in_the_form_is_called_wrong_any_more(phone: Page) -> None:
    page = phone
    roles.create(Role(name="Trainerin"), actor=SYSTEM)
    sign_in(page, "moderator")
    page.goto("/cms/roles/new")
    name = page.get_by_label("Name", exact=True)
    name.fill("Trainerin")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("ul.errorlist")).to_have_text("This is already taken. Choose another.")
    expect(name).to_have_attribute("aria-invalid", "true")

    name.fill("Co-Trainerin")
    page.get_by_role("button", name="Save", exact=True).click()

    expect(page.locator("#toasts")).to_contain_text("Saved.")
    expect(page.locator("ul.errorlist")).to_have_count(0)
    expect(name).not_to_have_attribute("aria-invalid", "true")
    expect(name).to_have_value("Co-Trainerin")
