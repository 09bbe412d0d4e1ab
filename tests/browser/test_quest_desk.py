"""Profile, leaderboard and desk in a browser: readable on every screen, decided without leaving the page."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from core.dynamo.attributes import now
from quests.models import COMPLETE, DISPUTED
from quests.services import accounts
from tests.browser.signing_in import sign_in
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    STEWARD,
    claimed,
    completed,
    disputed,
    figures,
    offered,
    open_accounts,
    stored,
)
from tests.quests.test_desk import failed  # noqa: F401

DESK = ("", "claims/", "rewards/", "expiring/", "people/?q=mi", "settings/")
LONG = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" * 2


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


@pytest.mark.usefixtures("failed")
def test_every_page_is_accessible_on_every_screen(every_look: Page, assert_accessible, monkeypatch) -> None:
    open_accounts(PERFORMER)
    completed(title="Kuchen für das Turnier")
    completed(title=LONG)
    disputed(title=LONG)
    monkeypatch.setattr("quests.services.lifecycle.now", lambda: now() - timedelta(days=11))
    claimed(title=LONG)
    monkeypatch.undo()
    offered(title=LONG, expires_at=now() + timedelta(days=2))
    accounts.adjust_points(STEWARD, PERFORMER.sub, points=5, note=LONG)
    sign_in(every_look, "steward")
    addresses = [f"/quests/desk/{address}" for address in DESK]
    addresses += [f"/quests/people/{PERFORMER.sub}/?show={tab}" for tab in ("taken-on", "booked")]
    for address in (*addresses, "/quests/leaders/", "/quests/leaders/?month=2026-01"):
        every_look.goto(address)
        assert_accessible(every_look)
    every_look.goto("/quests/desk/")
    every_look.get_by_role("link", name="Resolve").click()
    expect(every_look.get_by_role("dialog", name="Resolve this dispute")).to_be_visible()
    assert_accessible(every_look)


def test_a_wallet_with_a_typing_error_is_corrected_where_it_was_typed(phone: Page, assert_accessible) -> None:
    sign_in(phone, "member")
    phone.goto(f"/quests/people/{CREATOR.sub}/")
    phone.get_by_label("Wallet address").fill("0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
    phone.get_by_role("button", name="Save address").click()

    expect(phone.get_by_text("There is a typo in this address")).to_be_visible()
    expect(phone.get_by_label("Wallet address")).to_be_focused()
    assert_accessible(phone)
    phone.get_by_label("Wallet address").fill("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
    phone.get_by_role("button", name="Save address").click()
    expect(phone.get_by_text("Wallet address saved.")).to_be_visible()


@pytest.mark.journey
def test_a_dispute_is_decided_in_a_dialog(desktop: Page) -> None:
    quest = disputed()
    sign_in(desktop, "steward")
    desktop.goto("/quests/desk/")
    desktop.get_by_role("link", name="Resolve").click()
    dialog = desktop.get_by_role("dialog")
    expect(dialog.get_by_text("Das Netz hat noch immer zwei Löcher.")).to_be_visible()
    desktop.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert stored(quest).status == DISPUTED

    desktop.get_by_role("link", name="Resolve").click()
    dialog.get_by_role("radio", name="Completed").check()
    dialog.get_by_role("textbox").fill("Beide Seiten angehört, die Arbeit ist getan.")
    dialog.get_by_role("button", name="Resolve").click()

    expect(desktop.get_by_text("Dispute resolved.")).to_be_visible()
    expect(desktop.get_by_role("heading", name="No disputes")).to_be_visible()
    assert stored(quest).status == COMPLETE
    assert figures(PERFORMER) == (12, 100, 10)


def test_months_change_in_place(desktop: Page) -> None:
    completed()
    sign_in(desktop, "member")
    desktop.goto("/quests/leaders/")
    expect(desktop.get_by_role("link", name="Milan Petrov")).to_be_visible()
    desktop.locator("#earlier").click()

    expect(desktop.get_by_role("heading", name="Nobody yet")).to_be_visible()
    desktop.locator("#later").click()
    expect(desktop.get_by_role("link", name="Milan Petrov")).to_be_visible()
