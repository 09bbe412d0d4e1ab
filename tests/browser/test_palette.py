"""The palette in a real browser: by keyboard, by touch, without JavaScript, on every screen."""

import json
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from cms.news.models import News
from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.dynamo.actors import Actor
from tests.browser.signing_in import sign_in

Accessible = Callable[[Page], None]


@pytest.fixture
def articles(db: object, alice: Actor) -> list[News]:
    titles = ("Herbstturnier", "Herbstfest", "Derby")
    return [news.create(News(title=title), actor=alice) for title in titles]


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Find anything")


def open_palette(page: Page) -> None:
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Find anything")).to_be_visible()
    expect(page.get_by_role("option").first).to_be_visible()


def is_chosen(page: Page, name: str) -> None:
    """Both what is seen and what a screen reader is told."""
    chosen = page.get_by_role("option", selected=True)
    expect(chosen).to_have_count(1)
    expect(chosen).to_contain_text(name)
    expect(field(page)).to_have_attribute("aria-activedescendant", str(chosen.get_attribute("id")))


def test_while_the_first_answer_is_awaited_its_outline_is_shown(desktop: Page, articles: list[News]) -> None:
    sign_in(desktop, "admin").goto("/desk/")
    held: list[Route] = []
    desktop.route("**/search?*", lambda route: held.append(route))
    desktop.keyboard.press("Control+k")
    expect(field(desktop)).to_be_focused()
    outline = desktop.locator("#palette .skeleton")
    expect(outline).to_be_visible()
    held[0].continue_()

    expect(desktop.get_by_role("option").first).to_be_visible()
    expect(outline).to_be_hidden()


def test_the_palette_is_accessible_on_every_screen(
    every_look: Page, articles: list[News], assert_accessible: Accessible
) -> None:
    page = sign_in(every_look, "admin")
    page.goto("/desk/")
    page.locator("#open-palette").click()
    expect(page.get_by_role("option", name="Sign out")).to_have_count(1)
    assert_accessible(page)

    field(page).fill("herbst")
    expect(page.get_by_role("option")).to_have_count(2)
    assert_accessible(page)

    field(page).fill("nothing like it")
    expect(page.get_by_role("status").filter(has_text="Nothing found")).to_be_visible()
    assert_accessible(page)

    page.goto("/search?q=herbst")
    assert_accessible(page)


@pytest.mark.journey
def test_a_record_is_found_and_opened_with_the_keyboard_alone(desktop: Page, articles: list[News]) -> None:
    page = sign_in(desktop, "official")
    page.goto("/desk/")
    open_palette(page)
    expect(field(page)).to_be_focused()

    page.keyboard.type("herbst")

    expect(page.get_by_role("option")).to_have_count(2)
    expect(page.locator("#palette-found")).to_have_text("2 results")
    is_chosen(page, "Herbstfest")
    for key, chosen in (
        ("ArrowDown", "Herbstturnier"),
        ("ArrowDown", "Herbstfest"),
        ("ArrowUp", "Herbstturnier"),
        ("Home", "Herbstfest"),
        ("End", "Herbstturnier"),
    ):
        page.keyboard.press(key)
        is_chosen(page, chosen)
        expect(field(page)).to_be_focused()
    page.keyboard.press("Enter")

    expect(page).to_have_url(f"/cms/news/{articles[0].id}/")


def test_enter_never_opens_what_stood_there_before_the_typing(desktop: Page, articles: list[News]) -> None:
    page = sign_in(desktop, "official")
    page.goto("/desk/")
    open_palette(page)

    # All before the list has followed: what it shows still begins with "Home".
    field(page).evaluate(
        """field => {
            field.value = "derby";
            field.dispatchEvent(new Event("input", { bubbles: true }));
            field.form.requestSubmit();
        }"""
    )

    expect(page).to_have_url(f"/cms/news/{articles[2].id}/")


def test_escape_closes_and_the_focus_goes_back(desktop: Page, articles: list[News]) -> None:
    page = sign_in(desktop, "moderator")
    page.goto(f"/cms/news/{articles[0].id}/")
    title = page.get_by_role("textbox", name="Title")
    title.focus()
    open_palette(page)
    page.keyboard.type("derby")
    is_chosen(page, "Derby")

    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(title).to_be_focused()
    expect(title).to_have_value("Herbstturnier")
    open_palette(page)
    expect(field(page)).to_have_value("")


def test_what_was_opened_last_comes_first_and_the_browser_keeps_no_titles(
    desktop: Page, articles: list[News], alice: Actor
) -> None:
    page = sign_in(desktop, "official")
    role = roles.create(Role(name="Trainer"), actor=alice)
    first, second, _third = articles
    for address in (f"/cms/roles/{role.id}/", f"/cms/news/{first.id}/", f"/cms/news/{second.id}/"):
        page.goto(address)
    page.goto(f"/cms/news/{first.id}/")
    news.update(first, {"title": "Winterturnier"}, actor=alice)

    open_palette(page)

    group = page.get_by_role("group", name="Recently opened").get_by_role("option")
    expect(group).to_have_text(["Herbstfest article Draft", "Trainer role"])
    page.goto("/desk/")
    open_palette(page)
    expect(group).to_have_text(["Winterturnier article Draft", "Herbstfest article Draft", "Trainer role"])
    is_chosen(page, "Winterturnier")
    kept = page.evaluate("Object.entries(localStorage)")
    assert [json.loads(value) for _name, value in kept] == [
        [f"news:{first.id}", f"news:{second.id}", f"role:{role.id}"]
    ]


def test_a_new_record_is_remembered_as_soon_as_it_is_saved(desktop: Page, db: object) -> None:
    page = sign_in(desktop, "admin")
    page.goto("/cms/roles/new")
    page.get_by_label("Name").fill("Trainer")
    page.keyboard.press("Control+s")
    expect(page.get_by_role("heading", level=1)).to_have_text("Trainer")

    page.goto("/desk/")
    open_palette(page)

    is_chosen(page, "Trainer")


def test_the_next_person_at_this_machine_sees_nothing_of_it(desktop: Page, articles: list[News]) -> None:
    page = sign_in(desktop, "official")
    page.goto(f"/cms/news/{articles[0].id}/")
    page.goto("/desk/")
    open_palette(page)
    expect(page.get_by_role("group", name="Recently opened")).to_have_count(1)

    sign_in(page, "moderator").goto("/desk/")
    with page.expect_request("**/search?*") as asked:
        open_palette(page)

    assert urlsplit(asked.value.url).query == "q=&recent="
    expect(page.get_by_role("group", name="Recently opened")).to_have_count(0)


def test_signing_out_forgets_what_was_opened(desktop: Page, articles: list[News]) -> None:
    page = sign_in(desktop, "official")
    page.goto(f"/cms/news/{articles[0].id}/")
    assert page.evaluate("localStorage.length") == 1
    page.route("**/auth/logout", lambda route: route.fulfill(body="signed out", content_type="text/html"))
    page.goto("/desk/")
    open_palette(page)

    page.keyboard.type("sign")
    is_chosen(page, "Sign out")
    page.keyboard.press("Enter")

    expect(page).to_have_url("/auth/logout")
    assert page.evaluate("localStorage.length") == 0


def test_the_colours_are_chosen_in_the_palette(desktop: Page, db: object) -> None:
    page = sign_in(desktop, "member")
    page.goto("/desk/")
    open_palette(page)
    page.keyboard.type("dark")
    is_chosen(page, "Dark colours")

    with page.expect_response("**/theme") as answered:
        page.keyboard.press("Enter")

    assert answered.value.status == 204
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_phone_opens_finds_and_closes_by_touch(phone: Page, articles: list[News]) -> None:
    page = sign_in(phone, "official")
    page.goto("/desk/")
    page.get_by_role("link", name="Search").tap()
    dialog = page.get_by_role("dialog", name="Find anything")
    expect(page.get_by_role("option").first).to_be_visible()
    small = dialog.locator("button:visible, a:visible, input:visible").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().height < 44).map(one => one.id)"
    )
    assert small == []

    dialog.get_by_role("button", name="Close").tap()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("link", name="Search")).to_be_focused()

    page.get_by_role("link", name="Search").tap()
    field(page).fill("derby")
    page.get_by_role("option", name="Derby").tap()
    expect(page).to_have_url(f"/cms/news/{articles[2].id}/")


def test_a_search_that_fails_says_so_and_goes_on_with_the_next_letter(
    desktop: Page, articles: list[News]
) -> None:
    page = sign_in(desktop, "official")
    page.goto("/desk/")
    open_palette(page)
    page.route("**/search?q=derb&*", lambda route: route.abort())

    field(page).fill("derb")
    expect(page.locator("#palette-found")).to_have_text("Search is not responding. Try again.")
    expect(page.get_by_role("option")).to_have_count(0)

    page.keyboard.type("y")
    is_chosen(page, "Derby")


@pytest.fixture
def without_javascript(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False)
    yield sign_in(context.new_page(), "official")
    context.close()


def test_the_search_is_a_plain_page_without_javascript(
    without_javascript: Page, articles: list[News]
) -> None:
    page = without_javascript
    page.goto("/desk/")
    page.get_by_role("link", name="Search").click()
    expect(page.get_by_role("region", name="Actions").get_by_role("link", name="New article")).to_be_visible()

    page.get_by_role("searchbox").fill("derby")
    page.get_by_role("button", name="Search", exact=True).click()

    expect(page).to_have_url("/search?q=derby")
    page.get_by_role("link", name="Derby").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Derby")
