"""After HTMX has replaced something: focus, dialogs, toasts, failures and the selection."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import shell_page
from tests.browser.signing_in import sign_in

pytestmark = [pytest.mark.urls("tests.browser.shell_page"), pytest.mark.usefixtures("db")]


@pytest.fixture
def page(desktop: Page) -> Page:
    shell_page.outages.clear()
    sign_in(desktop, "member").goto("/list")
    return desktop


# --- Focus


def test_after_a_delete_the_next_row_has_the_focus_then_the_one_before_then_the_heading(page: Page) -> None:
    page.locator("#delete-b").press("Enter")
    expect(page.locator("#row-b")).to_have_count(0)
    expect(page.locator("#row-c :focus")).to_have_count(1)

    page.locator("#delete-c").press("Enter")
    expect(page.locator("#row-a :focus")).to_have_count(1)

    page.locator("#delete-a").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_a_row_needs_no_id_for_it(page: Page) -> None:
    page.locator("#row-b").evaluate("row => row.removeAttribute('id')")
    page.locator("#delete-b").evaluate("button => button.setAttribute('hx-target', 'closest tr')")
    page.locator("#delete-b").press("Enter")

    expect(page.locator("#row-c :focus")).to_have_count(1)


def test_a_delete_from_a_dialog_goes_to_the_next_row_too(page: Page) -> None:
    page.locator("#ask-a").press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.locator("#really").press("Enter")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#row-a")).to_have_count(0)
    expect(page.locator("#row-b :focus")).to_have_count(1)


def test_a_dialog_opens_once_its_buttons_work(page: Page) -> None:
    page.evaluate("htmx.config.defaultSettleDelay = 500")
    page.locator("#ask-a").press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.locator("#really").press("Enter")

    expect(page.locator("#row-a")).to_have_count(0)


def test_a_closed_dialog_returns_the_focus(page: Page) -> None:
    page.locator("#ask-a").press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.locator("#no").press("Enter")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#ask-a")).to_be_focused()


@pytest.mark.parametrize("key", ["Escape", "Enter"], ids=["escape", "cancel"])
def test_a_dialog_that_was_opened_from_a_menu_returns_the_focus_to_the_menus_button(
    page: Page, key: str
) -> None:
    page.locator("#more summary").press("Enter")
    page.locator("#ask-more").press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.locator("#no").press(key)

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#more summary")).to_be_focused()


def test_the_shortcuts_return_the_focus_to_the_account_menu(page: Page) -> None:
    page.locator("#account-menu summary").press("Enter")
    page.locator("#open-shortcuts").press("Enter")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#account-menu summary")).to_be_focused()


# --- Toasts


def test_a_toast_arrives_beside_the_swap_and_its_undo_works(page: Page) -> None:
    page.locator("#delete-b").click()
    toast = page.get_by_role("status").get_by_text("Row b was deleted.")
    expect(toast).to_be_visible()
    page.get_by_role("button", name="Undo").click()

    expect(page.get_by_role("status").get_by_text("Row b is back.")).to_be_visible()


def test_a_toast_can_be_dismissed_and_the_next_one_takes_its_place(page: Page) -> None:
    page.locator("#delete-b").click()
    expect(page.get_by_text("Row b was deleted.")).to_be_visible()
    page.locator("#delete-c").click()
    expect(page.get_by_text("Row c was deleted.")).to_be_visible()
    expect(page.get_by_text("Row b was deleted.")).to_have_count(0)
    page.get_by_role("button", name="Dismiss").click()

    expect(page.locator("#toasts > *")).to_have_count(0)


@pytest.mark.parametrize("look", ["phone", "desktop"])
def test_a_toast_never_covers_the_field_being_typed_in(look: str, request: pytest.FixtureRequest) -> None:
    page: Page = request.getfixturevalue(look)
    sign_in(page, "member").goto("/form")
    field = page.locator("#field-20")
    field.focus()
    bar = page.locator(".top-bar").bounding_box()
    assert bar
    top = bar["height"] if look == "desktop" else 0
    # Right beneath the upper edge, where the toast will be.
    field.evaluate(f"field => scrollBy(0, field.getBoundingClientRect().top - {top} - 4)")
    page.evaluate("htmx.ajax('POST', '/say', '#answer')")
    expect(page.get_by_text("Something was said.")).to_be_visible()

    toast, typed = page.locator("[data-toast]").bounding_box(), field.bounding_box()
    assert toast
    assert typed
    assert toast["y"] + toast["height"] <= typed["y"]
    expect(field).to_be_in_viewport()


# --- What fails


def test_an_outage_says_so_and_is_tried_again(page: Page) -> None:
    page.locator("#outage").click()
    expect(page.get_by_role("status").get_by_text("A sentence about outage.")).to_be_visible()
    page.get_by_role("button", name="Try again").click()

    expect(page.locator("#answer")).to_have_text("it works again")
    expect(page.locator("#toasts > *")).to_have_count(0)


def test_a_form_is_sent_again_by_the_same_button(page: Page) -> None:
    page.goto("/form?htmx")
    page.get_by_label("Title").fill("Derby")
    page.get_by_role("button", name="Publish").click()
    with page.expect_request("**/form?htmx") as sent:
        page.get_by_role("button", name="Try again").click()

    expect(page.locator("#answer")).to_have_text("it works again")
    assert "publish" in (sent.value.post_data or "")


def test_what_will_not_change_is_not_offered_again(page: Page) -> None:
    page.locator("#forbidden").click()
    expect(page.get_by_role("status").get_by_text("A sentence about forbidden.")).to_be_visible()

    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    expect(page.get_by_role("button", name="Dismiss")).to_have_count(1)


def test_without_a_connection_it_can_be_tried_again(page: Page) -> None:
    shell_page.outages.append("one before")
    page.route("**/fail/outage", lambda route: route.abort())
    page.evaluate("addEventListener('error', event => event.preventDefault())")
    page.locator("#outage").click()
    expect(page.get_by_text("No connection. Nothing you typed is lost.")).to_be_visible()
    page.unroute("**/fail/outage")
    page.get_by_role("button", name="Try again").click()

    expect(page.locator("#answer")).to_have_text("it works again")


def test_a_failure_is_no_longer_told_once_the_same_form_was_sent(page: Page) -> None:
    page.goto("/form?htmx")
    page.get_by_label("Title").fill("Derby")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("A sentence about outage.")).to_be_visible()
    page.get_by_role("button", name="Say").click()
    expect(page.get_by_text("Something was said.")).to_be_visible()
    expect(page.get_by_text("A sentence about outage.")).to_be_visible()
    page.get_by_role("button", name="Publish").click()

    expect(page.locator("#answer")).to_have_text("it works again")
    expect(page.get_by_text("A sentence about outage.")).to_have_count(0)


def test_a_refusal_that_opens_a_dialog_is_told_there_only(page: Page) -> None:
    dialog = '<dialog class="dialog" id="resend-dialog" data-open aria-label="Not sent yet">Sign in</dialog>'
    whole = {"HX-Retarget": "#dialogs", "HX-Reswap": "innerHTML", "HX-Reselect": "#resend-dialog"}
    answer = {"status": 403, "content_type": "text/html", "headers": whole, "body": dialog}
    page.route("**/fail/forbidden", lambda route: route.fulfill(**answer))
    page.locator("#forbidden").click()

    expect(page.get_by_role("dialog", name="Not sent yet")).to_be_visible()
    expect(page.locator("[data-toast]")).to_have_count(0)


def test_a_failure_in_a_dialog_is_told_in_the_dialog(page: Page) -> None:
    page.locator("#ask-a").click()
    page.locator("#break").click()

    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("A sentence about outage.")
    page.get_by_role("dialog").get_by_role("button", name="Try again").click()
    expect(page.locator("#answer")).to_have_text("it works again")


# --- The selection


def test_the_chosen_rows_are_counted_and_all_can_be_chosen(page: Page) -> None:
    bar = page.locator(".bulk-bar")
    expect(bar).to_be_hidden()
    page.get_by_label("Select b").check()
    expect(bar).to_have_text("1 selected")
    expect(page.locator("#all")).not_to_be_checked()
    page.locator("#all").check()
    expect(bar).to_have_text("3 selected")
    page.get_by_label("Select c").uncheck()
    expect(bar).to_have_text("2 selected")
    page.locator("#delete-a").click()

    expect(bar).to_have_text("1 selected")
