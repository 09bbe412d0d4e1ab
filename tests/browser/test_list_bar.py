"""What is above a list: on a phone a sheet and a menu, on a desktop one row; by keyboard too."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.signing_in import sign_in
from tests.core.crud.roles import LIST, make


def middle_of(element: Locator) -> float:
    box = element.bounding_box()
    assert box
    return box["y"] + box["height"] / 2


def test_on_a_phone_filters_are_a_sheet_whose_button_says_how_many_are_set(phone: Page) -> None:
    page = sign_in(phone, "moderator")
    make("Treasurer", vorstand=True)
    make("Trainer")
    page.goto(LIST)
    button, board = page.get_by_role("button", name="Filter"), page.locator("#filter-vorstand")
    expect(board).to_be_hidden()
    expect(page.locator("#clear")).to_have_count(0)

    button.tap()
    expect(board).to_be_visible()
    board.select_option("yes")
    expect(page.locator("#found")).to_have_text("1 entry")
    page.get_by_role("button", name="Show").tap()

    expect(board).to_be_hidden()
    expect(button).to_have_accessible_name("Filter 1 filter set")
    expect(page.locator(".card-title a")).to_have_text(["Treasurer"])
    page.locator("#clear").tap()
    expect(button).to_have_accessible_name("Filter")
    expect(page.locator(".card-title a")).to_have_count(2)


def test_the_sheet_gives_the_focus_back_and_closes_when_the_keyboard_leaves_it(phone: Page) -> None:
    page = sign_in(phone, "moderator")
    make("Treasurer", vorstand=True)
    page.goto(LIST)
    button, board = page.get_by_role("button", name="Filter"), page.locator("#filter-vorstand")

    button.press("Enter")
    page.keyboard.press("Tab")
    expect(board).to_be_focused()
    page.keyboard.press("Escape")
    expect(board).to_be_hidden()
    expect(button).to_be_focused()

    button.press("Enter")
    for control in ("Board", "Order"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("combobox", name=control, exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(board).to_be_hidden()
    expect(button).to_be_focused()

    button.press("Enter")
    for _control in ("Board", "Order", "Show", "the menu"):
        page.keyboard.press("Tab")
    expect(page.locator("#list-more-button")).to_be_focused()
    expect(board).to_be_hidden()


def test_on_a_desktop_search_filters_count_and_files_are_one_row(desktop: Page) -> None:
    page = sign_in(desktop, "moderator")
    make("Treasurer")
    page.goto(f"{LIST}?vorstand=no")

    parts = [page.locator(f"#{part}") for part in ("filter-vorstand", "sort", "found", "clear", "list-more")]
    row = middle_of(page.locator("#q"))
    assert [abs(middle_of(part) - row) < 4 for part in parts] == [True] * len(parts)
    expect(page.get_by_role("button", name="Filter")).to_be_hidden()
    expect(page.get_by_role("button", name="Show")).to_be_hidden()

    page.locator("#list-more-button").press("Enter")
    expect(page.get_by_role("link", name="Download as CSV")).to_have_attribute(
        "href", re.compile("vorstand=no")
    )
    page.keyboard.press("Escape")
    expect(page.locator("#list-more-button")).to_be_focused()


def test_the_count_is_announced_once(desktop: Page) -> None:
    page = sign_in(desktop, "moderator")
    make("Treasurer", vorstand=True)
    make("Trainer")
    page.goto(LIST)
    page.evaluate("""() => {
        window.told = [];
        const region = document.getElementById("found");
        new MutationObserver(() => told.push(region.textContent)).observe(region, {childList: true});
    }""")

    page.locator("#filter-vorstand").select_option("yes")
    expect(page.locator("#found")).to_have_text("1 entry")
    expect(page.locator(".card-title a")).to_have_count(1)

    assert page.evaluate("told") == ["1 entry"]
    assert page.locator("main [role=status]").count() == 1


def test_a_view_is_saved_from_the_menu_and_the_focus_comes_back(desktop: Page) -> None:
    page = sign_in(desktop, "moderator")
    make("Treasurer", vorstand=True)
    page.goto(f"{LIST}?vorstand=yes")

    page.locator("#list-more-button").press("Enter")
    page.get_by_role("button", name="Save this view").press("Enter")
    expect(page.get_by_label("Name of the view")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#list-more-button")).to_be_focused()

    page.locator("#list-more-button").press("Enter")
    page.get_by_role("button", name="Save this view").press("Enter")
    page.keyboard.type("The board")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="The board", exact=True).click()
    expect(page).to_have_url(re.compile("vorstand=yes"))
    expect(page.locator(".card-title a")).to_have_text(["Treasurer"])
