"""Tables, tasks, code and locked parts in the editor: by keyboard, by the menu, and kept as they were."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from cms.news.repository import news
from tests.browser.richtext_editor import BOLD, button, choose, in_menu, kept, open_editor, saved
from tests.browser.signing_in import sign_in
from tests.cms.articles import article
from tests.core.content.documents import cell, doc, paragraph, table, text

pytestmark = pytest.mark.usefixtures("page_with_a_form")

RED = {"type": "textStyle", "attrs": {"color": "red"}}
HEAD = [cell("Team", kind="tableHeader"), cell("Points", kind="tableHeader")]
TABLE = table(HEAD, [cell("Blue"), cell("3", colspan=1, rowspan=1, colwidth=[120])])["content"][0]
CODE = {"type": "codeBlock", "attrs": {"language": "python"}, "content": [text("x = 1\n\ty")]}
VIDEO = {"type": "video", "attrs": {"src": "x:y", "at": [{"s": 7}]}, "content": [text("Derby")]}
MENTION = {"type": "mention", "attrs": {"id": "p7"}}
LINKED = {"type": "image", "attrs": {"src": "https://host.example/a.png", "alt": "The hall", "title": None}}


def task(checked: bool, words: str) -> dict[str, Any]:
    return {"type": "taskItem", "attrs": {"checked": checked}, "content": [paragraph(text(words))]}


TASKS = {"type": "taskList", "content": [task(True, "Net"), task(False, "Balls")]}
STORED = doc(
    {"type": "heading", "attrs": {"level": 1, "id": "top"}, "content": [text("Title")]},
    paragraph(text("We "), text("won", BOLD, RED), MENTION, text("code", {"type": "code"})),
    TABLE,
    CODE,
    TASKS,
    VIDEO,
    LINKED,
    {"type": "blockquote", "content": [VIDEO, paragraph(text("Good"))]},
    {"type": "paragraph", "attrs": {"textAlign": "center"}, "content": [text("Centre")]},
    paragraph(text("End")),
)


def video(page: Page) -> Locator:
    return page.get_by_role("group", name="Locked block: video").first


def test_everything_stays_as_it_was_while_another_part_is_edited(desktop: Page) -> None:
    editor = open_editor(desktop, STORED)
    editor.press("Control+End")
    desktop.keyboard.type("!")

    changed = doc(*STORED["content"][:-1], paragraph(text("End!")))
    assert kept(desktop) == changed
    assert saved(desktop) == changed


def test_an_untouched_document_is_sent_as_it_was_stored(desktop: Page) -> None:
    open_editor(desktop, STORED)
    desktop.get_by_label("Title").fill("New title")

    assert saved(desktop) == STORED


def test_a_locked_block_shows_its_type_and_its_text_and_cannot_be_written_into(desktop: Page) -> None:
    open_editor(desktop, doc(VIDEO, paragraph(text("End"))))
    expect(video(desktop)).to_contain_text("Derby")
    video(desktop).get_by_text("Derby").click()
    expect(video(desktop)).to_have_class("richtext-locked ProseMirror-selectednode")
    expect(video(desktop)).to_have_attribute("contenteditable", "false")


def test_a_locked_block_is_moved_and_removed_by_its_buttons(desktop: Page) -> None:
    end = paragraph(text("End"))
    open_editor(desktop, doc(VIDEO, end))
    video(desktop).get_by_role("button", name="Move down: Locked block: video").click()
    assert kept(desktop) == doc(end, VIDEO)
    video(desktop).get_by_role("button", name="Move up").press("Enter")
    assert kept(desktop) == doc(VIDEO, end)
    video(desktop).get_by_role("button", name="Remove").press("Enter")
    assert saved(desktop) == doc(end)


def test_a_locked_block_is_moved_and_removed_with_the_keyboard_alone(desktop: Page) -> None:
    start, end = paragraph(text("Start")), paragraph(text("End"))
    editor = open_editor(desktop, doc(start, VIDEO, end))
    editor.press("Control+Home")
    desktop.keyboard.press("ArrowDown")
    expect(video(desktop)).to_have_class("richtext-locked ProseMirror-selectednode")
    desktop.keyboard.press("Alt+ArrowDown")
    assert kept(desktop) == doc(start, end, VIDEO)
    desktop.keyboard.press("Alt+ArrowUp")
    desktop.keyboard.press("Alt+ArrowUp")
    assert kept(desktop) == doc(VIDEO, start, end)
    desktop.keyboard.press("Delete")
    assert saved(desktop) == doc(start, end)


def test_a_pasted_page_brings_nothing_locked(desktop: Page) -> None:
    editor = open_editor(desktop, doc(paragraph(text("Words"))))
    hostile = json.dumps({"type": "iframe", "attrs": {"src": "https://evil.example"}}).replace('"', "&quot;")
    html = f'<div data-locked="{hostile}">one</div><p data-locked-attributes="{hostile}">two</p>'
    editor.evaluate(
        """(element, html) => {
            const data = new DataTransfer();
            data.setData("text/html", html);
            element.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
        }""",
        html,
    )

    assert "iframe" not in json.dumps(kept(desktop))


def test_a_table_is_inserted_filled_and_changed_by_the_menu(desktop: Page) -> None:
    editor = open_editor(desktop)
    button(desktop, "Insert").click()
    expect(in_menu(desktop, "Row below")).to_be_hidden()
    in_menu(desktop, "Table").click()
    expect(editor).to_be_focused()
    desktop.keyboard.type("Team")
    desktop.keyboard.press("Tab")
    choose(desktop, "Row below")
    choose(desktop, "Column after")
    choose(desktop, "Header row on or off")
    desktop.keyboard.type("Points")
    choose(desktop, "Delete the column")

    rows = [[cell["type"] for cell in row["content"]] for row in kept(desktop)["content"][0]["content"]]
    assert rows == [["tableCell"] * 3] * 4
    words = saved(desktop)
    assert "Team" in json.dumps(words)
    assert "Points" not in json.dumps(words)


def test_a_table_is_deleted_by_the_menu(desktop: Page) -> None:
    open_editor(desktop, doc(TABLE, paragraph(text("End")))).press("Control+Home")
    choose(desktop, "Delete the table")

    assert kept(desktop) == doc(paragraph(text("End")))


def test_the_tab_key_goes_through_the_cells_and_then_leaves_the_editor(desktop: Page) -> None:
    editor = open_editor(desktop, doc(TABLE))
    editor.press("Control+Home")
    for words in ("Points", "Blue", "3"):
        desktop.keyboard.press("Tab")
        assert desktop.evaluate("getSelection().toString()") == words
    desktop.keyboard.press("Tab")
    expect(desktop.get_by_role("button", name="Save")).to_be_focused()
    assert kept(desktop) == doc(TABLE)


def test_a_task_is_ticked_with_the_keyboard_and_the_form_hears_of_it(desktop: Page) -> None:
    open_editor(desktop, doc(TASKS))
    balls = desktop.get_by_role("checkbox", name="Done: Balls")
    expect(desktop.get_by_role("checkbox", name="Done: Net")).to_be_checked()
    balls.focus()
    desktop.keyboard.press("Space")

    assert kept(desktop) == doc(TASKS | {"content": [task(True, "Net"), task(True, "Balls")]})


def test_tasks_and_code_are_begun_from_the_menu_and_by_keys(desktop: Page) -> None:
    open_editor(desktop)
    choose(desktop, "Task list")
    desktop.keyboard.type("Net")
    desktop.keyboard.press("Enter")
    desktop.keyboard.type("Balls")
    desktop.keyboard.press("Enter")
    desktop.keyboard.press("Enter")
    desktop.keyboard.press("Control+Alt+c")
    desktop.keyboard.type("x = 1")
    desktop.keyboard.press("Enter")
    desktop.keyboard.type("y")

    code = {"type": "codeBlock", "attrs": {"language": None}, "content": [text("x = 1\ny")]}
    assert saved(desktop)["content"][:2] == [
        {"type": "taskList", "content": [task(False, "Net"), task(False, "Balls")]},
        code,
    ]


def test_a_menu_is_opened_read_and_left_with_the_keyboard(desktop: Page) -> None:
    editor = open_editor(desktop, doc(paragraph(text("Words"))))
    editor.press("Control+a")
    desktop.keyboard.press("Alt+F10")
    insert = button(desktop, "Insert")
    while not insert.evaluate("element => element === document.activeElement"):
        desktop.keyboard.press("ArrowRight")
    expect(insert).to_have_attribute("aria-haspopup", "menu")
    desktop.keyboard.press("Enter")
    expect(insert).to_have_attribute("aria-expanded", "true")
    expect(in_menu(desktop, "Table")).to_be_focused()
    desktop.keyboard.press("ArrowUp")
    expect(in_menu(desktop, "Code within a line")).to_be_focused()
    desktop.keyboard.press("Escape")
    expect(insert).to_be_focused()
    expect(insert).to_have_attribute("aria-expanded", "false")
    desktop.keyboard.press("ArrowDown")
    desktop.keyboard.press("End")
    desktop.keyboard.press("Enter")
    expect(editor).to_be_focused()

    assert kept(desktop) == doc(paragraph(text("Words", {"type": "code"})))


def test_the_button_of_the_menu_closes_it_too(desktop: Page) -> None:
    open_editor(desktop)
    for is_open in ("true", "false", "true"):
        button(desktop, "Insert").click()
        expect(button(desktop, "Insert")).to_have_attribute("aria-expanded", is_open)


def test_the_menu_is_within_the_screen(every_look: Page) -> None:
    open_editor(every_look, STORED, library="yes")
    button(every_look, "Insert").click()
    menu = every_look.get_by_role("menu", name="Insert").bounding_box()
    size = every_look.viewport_size
    assert menu
    assert size
    assert menu["x"] >= 0
    assert menu["x"] + menu["width"] <= size["width"]
    assert menu["y"] + menu["height"] <= size["height"]


def test_the_editor_and_the_text_are_accessible_with_every_block(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    open_editor(every_look, STORED)
    assert_accessible(every_look)
    button(every_look, "Insert").click()
    assert_accessible(every_look)
    every_look.keyboard.press("Escape")
    saved(every_look)
    assert_accessible(every_look)


def test_a_wide_table_scrolls_in_its_box_and_the_page_does_not(
    phone: Page, assert_accessible: Callable[[Page], None]
) -> None:
    wide = table([cell(f"Column {number}", kind="tableHeader") for number in range(12)])
    open_editor(phone, wide)
    assert_accessible(phone)
    saved(phone)
    assert_accessible(phone)
    box = phone.get_by_role("group", name="Table")
    expect(box).to_be_visible()
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    box.focus()
    expect(box).to_be_focused()


@pytest.mark.usefixtures("files")
def test_the_toolbar_of_an_article_is_one_row(desktop: Page) -> None:
    item = article(content=STORED)
    page = sign_in(desktop, "official")
    page.goto(f"/cms/news/{item.id}/")

    bar = page.get_by_role("toolbar", name="Formatting").bounding_box()
    assert bar
    assert bar["height"] < 65


@pytest.mark.usefixtures("files")
def test_a_new_title_of_an_article_leaves_its_text_as_it_was(
    desktop: Page, assert_accessible: Callable[[Page], None]
) -> None:
    # As another program wrote it: without defaults, and with an address that is no link.
    items = [{"type": "listItem", "content": [paragraph(text("www.club.example"))]}]
    stored = doc(*STORED["content"], {"type": "orderedList", "content": items})
    item = article(content=stored, published=True)
    page = sign_in(desktop, "official")
    page.goto(f"/cms/news/{item.id}/")
    expect(video(page)).to_be_visible()
    assert_accessible(page)
    page.get_by_role("textbox", name="Title", exact=True).fill("Derby won")
    page.get_by_role("button", name="Publish changes").click()
    expect(page.get_by_role("heading", level=1, name="Derby won")).to_be_visible()

    changed = news.get(item.id, strong=True)
    assert (changed.title, changed.content) == ("Derby won", stored)
    page.goto("/news/derby/")
    expect(page.get_by_role("group", name="Table")).to_be_visible()
    assert_accessible(page)
