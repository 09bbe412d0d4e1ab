"""Making and running a webhook in a real browser, on every screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from core.dynamo.attributes import now
from core.webhooks import repository
from tests.browser.signing_in import sign_in

pytestmark = pytest.mark.usefixtures("db")
ADDRESS = "https://app.example.org/hook"


def test_a_webhook_is_made_tried_and_deleted(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    sign_in(every_look, "admin")
    every_look.goto("/webhooks/")
    expect(every_look.get_by_text("No webhooks yet.")).to_be_visible()
    assert_accessible(every_look)

    every_look.get_by_label("Purpose").fill("Club app")
    every_look.get_by_label("Address").fill("https://10.0.0.1/")
    every_look.get_by_label("News published").check()
    every_look.get_by_role("button", name="Create webhook").click()
    expect(every_look.get_by_text("This address is in a private network.")).to_be_visible()
    assert_accessible(every_look)
    every_look.get_by_label("Address").fill(ADDRESS)
    every_look.get_by_role("button", name="Create webhook").click()
    assert every_look.get_by_label("The new secret").input_value().startswith("whsec_")
    assert_accessible(every_look)

    every_look.get_by_role("link", name="Club app").click()
    expect(every_look.get_by_text("No deliveries yet.")).to_be_visible()
    every_look.get_by_role("button", name="Send a test").click()
    expect(every_look.get_by_role("cell", name="Test")).to_be_visible()
    (webhook,) = repository.every_webhook()
    for number, (status, code, error) in enumerate([("sent", 204, None), ("failed", None, "slow")]):
        past = repository.new_delivery(
            webhook, "news.published", "key", now(), "{}", due=now(), change=str(number)
        )
        past.status, past.code, past.error, past.attempts = status, code, error, 3
        past.gsi1_pk = past.gsi1_sk = None
        repository.add([past])
    every_look.reload()
    expect(every_look.get_by_text("No answer in time.")).to_be_visible()
    assert_accessible(every_look)
    every_look.get_by_role("button", name="again").first.click()
    expect(every_look.get_by_text("Sent again.")).to_be_visible()

    every_look.get_by_role("button", name="Pause").click()
    expect(every_look.locator("#status")).to_have_text("Paused")
    every_look.get_by_role("button", name="Resume").click()
    expect(every_look.locator("#status")).to_have_text("Active")
    every_look.get_by_role("link", name="New secret").click()
    every_look.get_by_role("button", name="Create a new secret").click()
    expect(every_look.get_by_label("The new secret")).to_be_visible()
    assert_accessible(every_look)
    every_look.get_by_role("link", name="Club app").click()
    every_look.get_by_role("link", name="Delete").click()
    expect(every_look.get_by_role("dialog")).to_be_visible()
    assert_accessible(every_look)
    every_look.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(every_look.get_by_text("No webhooks yet.")).to_be_visible()
