"""The editor of rich text in a real browser: keyboard, toolbar, link dialog, phone, and no JavaScript."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.richtext_editor import (
    BOLD,
    ITALIC,
    STRIKE,
    UNDERLINE,
    button,
    choose,
    focused,
    in_menu,
    items,
    kept,
    link,
    open_editor,
    saved,
    select_all,
)
from tests.core.content.documents import doc, paragraph, text

pytestmark = pytest.mark.usefixtures("page_with_a_form")


def heading(level: int, *content: object) -> dict[str, Any]:
    return {"type": "heading", "attrs": {"level": level}, "content": list(content)}


EVERYTHING = doc(
    heading(2, text("We won the final")),
    paragraph(
        text("A "),
        text("bold", BOLD),
        text(" and "),
        text("both", BOLD, ITALIC, STRIKE, UNDERLINE),
        {"type": "hardBreak"},
        text("and a "),
        text("link", link("https://club.example/?a=1&b=2"), BOLD),
        text("."),
    ),
    heading(3, text("How it went")),
    {"type": "bulletList", "content": items(paragraph(text("one")), paragraph(text("two")))},
    {"type": "orderedList", "attrs": {"start": 3}, "content": items(paragraph(text("three")))},
    heading(4, text("Afterwards")),
    {"type": "blockquote", "content": [paragraph(text("Good game!"))]},
    {"type": "horizontalRule"},
    {"type": "image", "attrs": {"mediaId": "m1", "alt": "The team"}},
    paragraph(),
)


def test_a_document_comes_out_exactly_as_it_went_in(desktop: Page) -> None:
    editor = open_editor(desktop, EVERYTHING)
    editor.press("Control+End")
    desktop.keyboard.type("x")
    desktop.keyboard.press("Backspace")

    assert kept(desktop) == EVERYTHING
    assert saved(desktop) == EVERYTHING


def test_an_untouched_document_is_not_written_again(desktop: Page) -> None:
    open_editor(desktop, EVERYTHING)
    assert saved(desktop) == EVERYTHING


def test_text_is_formatted_with_the_keyboard(desktop: Page) -> None:
    editor = open_editor(desktop)
    editor.press("Control+Alt+2")
    desktop.keyboard.type("Final")
    desktop.keyboard.press("Enter")
    for keys, word in (("b", "bold"), ("i", "italic"), ("u", "under"), ("Shift+s", "struck")):
        desktop.keyboard.press(f"Control+{keys}")
        desktop.keyboard.type(word)
        desktop.keyboard.press(f"Control+{keys}")
    desktop.keyboard.press("Shift+Enter")
    desktop.keyboard.type("end")
    desktop.keyboard.press("Enter")
    desktop.keyboard.press("Control+Shift+7")
    desktop.keyboard.type("first")

    assert saved(desktop) == doc(
        heading(2, text("Final")),
        paragraph(
            text("bold", BOLD),
            text("italic", ITALIC),
            text("under", UNDERLINE),
            text("struck", STRIKE),
            {"type": "hardBreak"},
            text("end"),
        ),
        {"type": "orderedList", "attrs": {"start": 1}, "content": items(paragraph(text("first")))},
    )


@pytest.mark.parametrize(
    ("name", "block"),
    [
        ("Bold", paragraph(text("Words", BOLD))),
        ("Italic", paragraph(text("Words", ITALIC))),
        ("Underline", paragraph(text("Words", UNDERLINE))),
        ("Strikethrough", paragraph(text("Words", STRIKE))),
        ("Heading 2", heading(2, text("Words"))),
        ("Heading 3", heading(3, text("Words"))),
        ("Bulleted list", {"type": "bulletList", "content": items(paragraph(text("Words")))}),
        (
            "Numbered list",
            {"type": "orderedList", "attrs": {"start": 1}, "content": items(paragraph(text("Words")))},
        ),
    ],
)
def test_a_button_switches_its_format_on_and_off_and_the_text_keeps_the_focus(
    desktop: Page, name: str, block: dict[str, Any]
) -> None:
    editor = open_editor(desktop, doc(paragraph(text("Words"))))
    select_all(desktop)
    expect(button(desktop, name)).to_have_attribute("aria-pressed", "false")

    button(desktop, name).click()
    expect(button(desktop, name)).to_have_attribute("aria-pressed", "true")
    expect(editor).to_be_focused()
    assert kept(desktop) == doc(block)

    button(desktop, name).click()
    expect(button(desktop, name)).to_have_attribute("aria-pressed", "false")
    assert kept(desktop) == doc(paragraph(text("Words")))


@pytest.mark.parametrize(
    ("name", "block"),
    [
        ("Heading 4", heading(4, text("Words"))),
        ("Quote", {"type": "blockquote", "content": [paragraph(text("Words"))]}),
        ("Code block", {"type": "codeBlock", "attrs": {"language": None}, "content": [text("Words")]}),
        ("Code within a line", paragraph(text("Words", {"type": "code"}))),
    ],
)
def test_an_item_of_the_menu_switches_its_format_on_and_off(
    desktop: Page, name: str, block: dict[str, Any]
) -> None:
    editor = open_editor(desktop, doc(paragraph(text("Words"))))
    select_all(desktop)
    expect(in_menu(desktop, name)).to_have_attribute("aria-checked", "false")
    choose(desktop, name)
    expect(in_menu(desktop, name)).to_have_attribute("aria-checked", "true")
    expect(editor).to_be_focused()
    assert kept(desktop) == doc(block)

    choose(desktop, name)
    expect(in_menu(desktop, name)).to_have_attribute("aria-checked", "false")
    assert kept(desktop) == doc(paragraph(text("Words")))


def test_undo_and_redo_by_button_and_keyboard(desktop: Page) -> None:
    open_editor(desktop, doc(paragraph(text("Words"))))
    expect(button(desktop, "Undo")).to_have_attribute("aria-disabled", "true")
    select_all(desktop)
    desktop.keyboard.press("Control+b")
    bold = doc(paragraph(text("Words", BOLD)))
    assert kept(desktop) == bold

    button(desktop, "Undo").click()
    assert kept(desktop) == doc(paragraph(text("Words")))
    expect(button(desktop, "Undo")).to_have_attribute("aria-disabled", "true")
    button(desktop, "Redo").click()
    assert kept(desktop) == bold
    desktop.keyboard.press("Control+z")
    assert kept(desktop) == doc(paragraph(text("Words")))
    desktop.keyboard.press("Control+Shift+z")
    assert kept(desktop) == bold


def test_a_rule_is_inserted(desktop: Page) -> None:
    open_editor(desktop, doc(paragraph(text("Words")))).press("Control+End")
    choose(desktop, "Dividing line")
    desktop.keyboard.type("More")

    assert saved(desktop) == doc(
        paragraph(text("Words")), {"type": "horizontalRule"}, paragraph(text("More"))
    )


def test_the_toolbar_is_one_tab_stop_and_arrows_move_within_it(desktop: Page) -> None:
    editor = open_editor(desktop, doc(paragraph(text("Words"))))
    desktop.get_by_label("Title").focus()
    desktop.keyboard.press("Tab")
    expect(button(desktop, "Bold")).to_be_focused()
    desktop.keyboard.press("ArrowRight")
    expect(button(desktop, "Italic")).to_be_focused()
    desktop.keyboard.press("End")
    expect(button(desktop, "Redo")).to_be_focused()
    desktop.keyboard.press("ArrowRight")
    expect(button(desktop, "Bold")).to_be_focused()
    desktop.keyboard.press("ArrowLeft")
    expect(button(desktop, "Redo")).to_be_focused()
    desktop.keyboard.press("Home")
    desktop.keyboard.press("ArrowRight")
    desktop.keyboard.press("Tab")
    expect(editor).to_be_focused()
    desktop.keyboard.press("Shift+Tab")
    expect(button(desktop, "Italic")).to_be_focused()
    desktop.keyboard.press("Tab")

    select_all(desktop)
    desktop.keyboard.press("Alt+F10")
    expect(button(desktop, "Italic")).to_be_focused()
    desktop.keyboard.press("Enter")
    expect(editor).to_be_focused()
    assert kept(desktop) == doc(paragraph(text("Words", ITALIC)))
    desktop.keyboard.press("Tab")
    expect(desktop.get_by_role("button", name="Save")).to_be_focused()


def test_titles_name_the_keys(desktop: Page) -> None:
    open_editor(desktop)

    expect(button(desktop, "Bold")).to_have_attribute("title", "Bold (Ctrl+B)")
    expect(button(desktop, "Bold")).to_have_attribute("aria-keyshortcuts", "Control+B")
    expect(button(desktop, "Heading 2")).to_have_attribute("title", "Heading 2 (Ctrl+Alt+2)")


def test_the_label_and_the_help_belong_to_the_editor(desktop: Page) -> None:
    editor = open_editor(desktop)
    expect(editor).to_have_accessible_description("What happened?")
    desktop.get_by_label("Title").focus()
    # Playwright would wait for the textarea behind the label, which the editor has disabled.
    desktop.get_by_text("Content", exact=True).click(force=True)
    expect(editor).to_be_focused()

    desktop.get_by_role("button", name="Save").click()
    expect(desktop.get_by_text("This field is required.")).to_be_visible()
    expect(desktop.get_by_role("textbox", name="Content")).to_have_attribute("aria-invalid", "true")


def test_typing_is_announced_to_the_form_and_leaving_too(desktop: Page) -> None:
    editor = open_editor(desktop)
    desktop.evaluate(
        """() => {
            window.heard = [];
            for (const name of ["input", "change"])
                document.getElementById("article").addEventListener(name, (event) =>
                    heard.push([name, event.target.name, JSON.parse(event.target.value).content.length]));
        }"""
    )
    editor.press("a")
    button(desktop, "Bold").click()
    assert desktop.evaluate("heard") == [["input", "content-document", 1]]
    editor.press("Enter")
    desktop.get_by_role("button", name="Save").focus()
    assert desktop.evaluate("heard") == [
        ["input", "content-document", 1],
        ["input", "content-document", 2],
        ["change", "content-document", 2],
    ]


def test_ctrl_enter_is_left_to_the_form(desktop: Page) -> None:
    editor = open_editor(desktop, doc(paragraph(text("Words"))))
    desktop.evaluate("document.addEventListener('keydown', (event) => (window.heard = event.key))")
    editor.press("Control+Enter")

    assert desktop.evaluate("heard") == "Enter"
    assert kept(desktop) == doc(paragraph(text("Words")))


def test_an_htmx_swap_ends_one_editor_and_starts_the_next(desktop: Page) -> None:
    editor = open_editor(desktop, doc(paragraph(text("Words"))), path="/article-htmx")
    editor.press("Control+End")
    desktop.keyboard.type(" and more")
    expect(desktop.locator("dialog")).to_have_count(1)

    assert saved(desktop) == doc(paragraph(text("Words and more")))
    expect(editor).to_have_count(1)
    expect(focused(editor)).to_have_text("Words and more")
    expect(desktop.locator("dialog")).to_have_count(1)
    editor.press("Control+End")
    desktop.keyboard.type("!")
    desktop.get_by_role("button", name="Save").click()
    expect(desktop.locator("#saved")).to_contain_text("Words and more!")
    focused(editor).press("Control+a")
    desktop.keyboard.press("Delete")
    desktop.get_by_role("button", name="Save").click()
    expect(desktop.get_by_text("This field is required.")).to_be_visible()
    expect(editor).to_have_attribute("contenteditable", "true")


def test_what_is_no_document_of_an_editor_stays_in_the_textarea(desktop: Page) -> None:
    unknown = {"type": "doc", "attrs": {"of": "another"}, "content": [paragraph(text("Words"))]}
    desktop.goto(f"/article?{urlencode({'document': json.dumps(unknown)})}")
    desktop.wait_for_load_state("networkidle")

    expect(desktop.get_by_role("textbox", name="Content")).to_have_value("Words")
    assert kept(desktop) == unknown


PICTURE = EVERYTHING["content"][-2]


@pytest.mark.parametrize(
    ("stored", "typed", "blocks"),
    [
        (None, "", []),
        (doc(paragraph(text("Old")), PICTURE), "\n\n[[2 Picture]]", [PICTURE]),
    ],
)
def test_what_was_typed_before_the_editor_came_is_kept(
    desktop: Page, stored: object, typed: str, blocks: list[Any]
) -> None:
    held: list[Any] = []
    desktop.route(re.compile("editor.js"), lambda route: held.append(route))
    desktop.goto(f"/article?{urlencode({'document': json.dumps(stored)})}")
    desktop.get_by_role("textbox", name="Content").fill(f"First\nline\n\nSecond{typed}")
    held.pop().continue_()
    desktop.wait_for_load_state("networkidle")

    first = paragraph(text("First"), {"type": "hardBreak"}, text("line"))
    assert saved(desktop) == doc(first, paragraph(text("Second")), *blocks)


def test_pictures_have_a_button_only_with_a_media_library(desktop: Page) -> None:
    open_editor(desktop)
    expect(button(desktop, "Picture")).to_have_count(0)

    open_editor(desktop, doc(paragraph(text("Words"))), library="yes")
    desktop.evaluate(
        """() => document.addEventListener("richtext:image", (event) => {
            window.library = event.detail.library;
            event.detail.insert({mediaId: "m1", alt: "The team", src: "/static/icon.svg"});
        })"""
    )
    button(desktop, "Picture").click()
    expect(desktop.get_by_role("img", name="The team")).to_be_visible()

    assert desktop.evaluate("library") == "/library"
    assert {"type": "image", "attrs": {"mediaId": "m1", "alt": "The team"}} in saved(desktop)["content"]


def test_the_editor_is_accessible_and_large_enough_on_every_screen(
    every_look: Page, assert_accessible: Callable[[Page], None]
) -> None:
    editor = open_editor(every_look, EVERYTHING)
    assert_accessible(every_look)
    for one in every_look.get_by_role("toolbar").get_by_role("button").all():
        box = one.bounding_box()
        assert box
        assert box["width"] >= 44
        assert box["height"] >= 44

    editor.press("Control+Shift+k")
    expect(every_look.get_by_role("dialog")).to_be_visible()
    assert_accessible(every_look)
    every_look.keyboard.press("Escape")
    saved(every_look)
    assert_accessible(every_look)


def test_the_toolbar_stays_in_sight_on_a_slow_phone_and_does_not_cover_the_caret(phone: Page) -> None:
    long = doc(*(paragraph(text(f"Line {number}")) for number in range(80)))
    editor = open_editor(phone, long)
    # ProseMirror scrolls only when the caret follows the key within 50 ms; on such a phone it does not.
    phone.context.new_cdp_session(phone).send("Emulation.setCPUThrottlingRate", {"rate": 20})
    editor.press("Control+End")
    for _line in range(70):
        phone.keyboard.press("ArrowUp")

    bar = phone.get_by_role("toolbar").bounding_box()
    caret = phone.evaluate("getSelection().getRangeAt(0).getBoundingClientRect().top")
    assert bar
    assert 0 <= bar["y"] < 200
    assert caret >= bar["y"] + bar["height"]


@pytest.fixture
def without_javascript(browser: Browser, live_server: object) -> Iterator[Page]:
    context = browser.new_context(base_url=str(live_server), java_script_enabled=False)
    yield context.new_page()
    context.close()


def test_without_javascript_a_textarea_keeps_the_document_or_makes_paragraphs(
    without_javascript: Page,
) -> None:
    page = without_javascript
    page.goto(f"/article?{urlencode({'document': json.dumps(EVERYTHING)})}")
    textarea = page.get_by_role("textbox", name="Content")
    expect(textarea).to_have_accessible_description(re.compile("What happened.*blank line.*paragraph"))
    expect(page.get_by_role("toolbar")).to_have_count(0)
    assert saved(page) == EVERYTHING

    textarea.fill("Hello\n\nWorld")
    assert saved(page) == doc(paragraph(text("Hello")), paragraph(text("World")))
