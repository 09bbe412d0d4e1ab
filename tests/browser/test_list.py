"""A list in a real browser: filters, more rows, selection, undo, saved views; also without JavaScript."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from cms.roles.repository import roles
from tests.browser.signing_in import sign_in
from tests.core.crud.roles import LIST, MAKER, fill, make

Accessible = Callable[[Page], None]


@pytest.fixture
def without_script(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(
        base_url=str(live_server), java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    yield sign_in(context.new_page(), "moderator")
    context.close()


def test_every_screen_is_accessible(every_look: Page, assert_accessible: Accessible) -> None:
    page = sign_in(every_look, "moderator")
    almoner = make("Almoner")
    gone = make("Trainer")
    fill(0, 30)
    roles.delete(gone, actor=MAKER)

    page.goto(f"{LIST}?vorstand=no")
    page.locator("#list-more-button").click()
    assert_accessible(page)
    page.get_by_role("button", name="Save this view").click()
    assert_accessible(page)
    page.get_by_label("Name of the view").fill("Not of the board")
    page.get_by_role("button", name="Save", exact=True).click()
    if page.locator("#open-filters").is_visible():
        page.locator("#open-filters").click()
        assert_accessible(page)
    expect(page.get_by_role("link", name="Not of the board", exact=True)).to_have_attribute(
        "aria-current", "true"
    )
    page.keyboard.press("Escape")
    page.get_by_label(f"Select {almoner.name}").check()
    expect(page.locator("#bulk-bar")).to_be_visible()
    assert_accessible(page)
    page.locator("#bulk-delete").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Delete this entry?")
    assert_accessible(page)
    page.locator("#confirm").click()
    expect(page.locator("#told")).to_have_text("Done: 1 of 1")
    assert_accessible(page)
    page.goto(f"{LIST}trash")
    assert_accessible(page)


def test_filters_search_and_order_change_the_rows_and_all_that_belongs_to_them(desktop: Page) -> None:
    page = sign_in(desktop, "moderator")
    make("Treasurer", vorstand=True)
    make("Trainer")
    page.goto(LIST)

    page.locator("#filter-vorstand").select_option("yes")
    expect(page.locator("#found")).to_have_text("1 entry")
    expect(page.locator("#export-csv")).to_have_attribute("href", f"{LIST}export.csv?vorstand=yes&sort=name")
    expect(page.locator("#clear")).to_be_visible()

    page.locator("#clear").click()
    page.get_by_label("Order").press("ArrowDown")
    expect(page.locator(".card-title a").first).to_have_text("Treasurer")
    expect(page.get_by_label("Order")).to_be_focused()
    expect(page).to_have_url(re.compile("sort=-name"))

    page.locator("#sort-name").click()
    expect(page.locator(".card-title a").first).to_have_text("Trainer")
    expect(page.get_by_label("Order")).to_have_value("name")
    expect(page.locator("#sort-name")).to_be_focused()

    page.locator("#heading").click()
    page.keyboard.press("/")
    expect(page.get_by_label("Search", exact=True)).to_be_focused()
    page.keyboard.type("treas")
    expect(page.locator(".card-title a")).to_have_text(["Treasurer"])
    expect(page.get_by_label("Search", exact=True)).to_have_value("treas")
    expect(page.get_by_label("Order")).to_have_count(0)


def test_what_is_ticked_after_a_search_stays_ticked(desktop: Page) -> None:
    page = sign_in(desktop, "moderator")
    trainer = make("Trainer")
    page.goto(LIST)
    page.get_by_label("Search", exact=True).fill("trai")
    expect(page).to_have_url(re.compile("q=trai"))
    asked: list[str] = []
    # The browser fetches the page's icon whenever it likes.
    page.on("request", lambda request: asked.append(request.url) if "/static/" not in request.url else None)

    page.get_by_label(f"Select {trainer.name}").check()
    expect(page.locator("#bulk-bar")).to_be_visible()

    assert asked == []


def test_load_more_goes_to_the_first_new_row_and_says_how_many(phone: Page) -> None:
    page = sign_in(phone, "moderator")
    fill(0, 30)
    page.goto(LIST)

    page.get_by_role("link", name="Load more").press("Enter")

    expect(page.locator(".card-title a")).to_have_count(30)
    expect(page.get_by_role("link", name="Role 00025")).to_be_focused()
    expect(page.locator("#found")).to_have_text("5 more shown")
    expect(page.locator("#found")).to_have_count(1)


def test_rows_shown_as_cards_stay_rows_of_a_table(phone: Page) -> None:
    page = sign_in(phone, "moderator")
    fill(0, 30)
    make("Treasurer")
    page.goto(LIST)
    table, without_role = page.locator("table.cards[role=table]"), page.locator(".cards :not([role])")
    parts = without_role.locator("xpath=self::thead|self::tbody|self::tr|self::th|self::td")

    expect(table.locator("tbody[role=rowgroup] tr[role=row] td.card-title[role=cell]")).to_have_count(25)
    expect(table.locator("thead[role=rowgroup] tr[role=row] th[role=columnheader]")).not_to_have_count(0)
    expect(parts).to_have_count(0)

    page.get_by_role("link", name="Load more").click()
    expect(table.locator("tr[role=row] td.card-title[role=cell]")).to_have_count(31)
    expect(parts).to_have_count(0)

    page.get_by_label("Search", exact=True).fill("treas")
    expect(table.locator("tbody[role=rowgroup] tr[role=row] td.card-title[role=cell]")).to_have_count(1)
    expect(parts).to_have_count(0)


def test_all_rows_are_selected_by_one_box_and_deleted_after_a_question(desktop: Page) -> None:
    page = sign_in(desktop, "moderator")
    for name in ("Referee", "Trainer", "Treasurer"):
        make(name)
    page.goto(LIST)
    expect(page.locator("#bulk-bar")).to_be_hidden()

    page.locator("#select-all").press("Space")
    expect(page.locator("#bulk-bar")).to_contain_text("3 selected")
    # Enter in a box must not press the first button.
    page.get_by_role("checkbox", name="Select Trainer").press("Enter")
    expect(page.locator("#bulk-bar")).to_contain_text("3 selected")
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete").click()

    expect(page.locator("#told")).to_have_text("Done: 3 of 3")
    page.get_by_role("button", name="Undo Trainer").click()
    expect(page.get_by_role("link", name="Trainer")).to_be_focused()
    page.locator("#back-to-list").click()
    expect(page.locator(".card-title a")).to_have_text(["Trainer"])


def test_one_record_is_deleted_in_a_dialog_and_comes_back_by_undo(
    every_look: Page, assert_accessible: Accessible
) -> None:
    page = sign_in(every_look, "moderator")
    role = make("Treasurer")
    page.goto(f"{LIST}{role.id}/delete")
    assert_accessible(page)
    page.goto(f"{LIST}{role.id}/")
    if not page.locator("#delete").is_visible():
        page.locator("details:has(#delete) > summary").click()
    page.locator("#delete").click()
    dialog = page.get_by_role("dialog", name="Delete “Treasurer”?")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    assert_accessible(page)
    dialog.get_by_role("button", name="Delete").click()

    expect(page.get_by_text("“Treasurer” was deleted.")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Undo").click()

    expect(page.get_by_text("“Treasurer” was restored.")).to_be_visible()
    expect(page.locator(".card-title a")).to_have_text(["Treasurer"])


def test_everything_works_without_javascript(without_script: Page) -> None:
    page = without_script
    for name in ("Referee", "Trainer"):
        make(name)
    fill(0, 30)
    page.goto(LIST)

    page.get_by_label("Search", exact=True).fill("re")
    page.get_by_label("Search", exact=True).press("Enter")
    expect(page.locator(".card-title a")).to_have_text(["Referee"])
    page.get_by_role("button", name="Filter").click()
    page.locator("#filter-vorstand").select_option("no")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".card-title a")).to_have_text(["Referee"])
    expect(page.get_by_role("button", name="Filter 1 filter set")).to_be_visible()
    page.locator("#list-more-button").click()
    page.get_by_role("button", name="Save this view").click()
    page.get_by_label("Name of the view").fill("Re")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("link", name="Re", exact=True)).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="Remove the saved view “Re”").click()
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("link", name="Re", exact=True)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Clear")).to_be_visible()

    page.get_by_role("checkbox", name="Select Referee").check()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Undo Referee").click()
    expect(page.get_by_text("“Referee” was restored.")).to_be_visible()

    page.get_by_role("link", name="Load more").click()
    expect(page.locator(".card-title a")).to_have_count(7)
