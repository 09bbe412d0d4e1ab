"""Links in the editor of rich text, and what is pasted into it."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.richtext_editor import (
    BOLD,
    ITALIC,
    STRIKE,
    button,
    items,
    kept,
    link,
    open_editor,
    saved,
    select_all,
)
from tests.core.content.documents import doc, paragraph, text

pytestmark = pytest.mark.usefixtures("page_with_a_form")


def test_selected_words_become_a_link_that_can_be_changed_and_removed(desktop: Page) -> None:
    editor = open_editor(desktop, doc(paragraph(text("Words"))))
    select_all(desktop)
    desktop.keyboard.press("Control+Shift+k")
    dialog = desktop.get_by_role("dialog", name="Link")
    expect(dialog.get_by_label("Address")).to_be_focused()
    expect(dialog.get_by_label("Text")).to_be_hidden()
    expect(dialog.get_by_role("button", name="Remove link")).to_be_hidden()
    desktop.keyboard.type("club.example/final")
    desktop.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(editor).to_be_focused()
    expect(button(desktop, "Link")).to_have_attribute("aria-pressed", "true")
    assert kept(desktop) == doc(paragraph(text("Words", link("https://club.example/final"))))

    button(desktop, "Link").click()
    expect(dialog.get_by_label("Address")).to_have_value("https://club.example/final")
    dialog.get_by_label("Address").fill("someone@club.example")
    dialog.get_by_role("button", name="Set link").click()
    assert kept(desktop) == doc(paragraph(text("Words", link("mailto:someone@club.example"))))

    button(desktop, "Link").click()
    dialog.get_by_role("button", name="Remove link").click()
    expect(dialog).to_be_hidden()
    expect(editor).to_be_focused()
    assert saved(desktop) == doc(paragraph(text("Words")))


def test_without_a_selection_the_dialog_asks_for_the_text_too(desktop: Page) -> None:
    editor = open_editor(desktop)
    editor.press("Control+Shift+k")
    dialog = desktop.get_by_role("dialog", name="Link")
    dialog.get_by_label("Address").fill("/news")
    dialog.get_by_label("Text").fill("All news")
    dialog.get_by_label("Text").press("Enter")
    expect(dialog).to_be_hidden()
    expect(editor).to_have_text("All news")
    expect(editor).to_be_focused()
    # The editor has the focus a moment before its cursor is behind the link.
    desktop.wait_for_function("() => getSelection().anchorOffset > 0")
    desktop.keyboard.type(" and more")

    assert saved(desktop) == doc(paragraph(text("All news", link("/news")), text(" and more")))


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x", "//evil.example", "a b", ""],
)
def test_the_dialog_refuses_an_address_that_cannot_be_linked_to(desktop: Page, address: str) -> None:
    editor = open_editor(desktop, doc(paragraph(text("Words"))))
    select_all(desktop)
    button(desktop, "Link").click()
    dialog = desktop.get_by_role("dialog", name="Link")
    dialog.get_by_label("Address").fill(address)
    desktop.keyboard.press("Enter")

    expect(dialog.get_by_role("alert")).to_have_text("This address cannot be linked to.")
    expect(dialog.get_by_label("Address")).to_be_focused()
    desktop.keyboard.press("Escape")
    expect(editor).to_be_focused()
    assert kept(desktop) == doc(paragraph(text("Words")))


def paste(editor: Locator, **formats: str) -> None:
    """Paste like a person: by the event that browsers send."""
    editor.evaluate(
        """(element, formats) => {
            const data = new DataTransfer();
            for (const [kind, text] of Object.entries(formats)) data.setData(`text/${kind}`, text);
            const event = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
            element.dispatchEvent(event);
        }""",
        formats,
    )


def test_pasted_html_keeps_only_what_the_schema_knows(desktop: Page) -> None:
    editor = open_editor(desktop)
    paste(
        editor,
        html="""<style>p { color: red }</style><h1 onclick="alert(1)">Big</h1>
        <p style="color:red"><a href="javascript:alert(1)">bad</a>
        <a href="https://club.example" target="_blank" class="x">good</a>
        <img src="https://evil.example/x.png"><b>bo\x0bld</b></p><script>alert(1)</script>""",
        plain="x",
    )

    assert saved(desktop) == doc(
        paragraph(text("Big")),
        paragraph(text("bad "), text("good", link("https://club.example")), text(" "), text("bo ld", BOLD)),
    )


def test_formats_of_google_docs_and_word_are_understood(desktop: Page) -> None:
    editor = open_editor(desktop)
    paste(
        editor,
        html='<b style="font-weight:normal;"><p><span style="font-weight:400">plain </span>'
        '<span style="font-weight:700;font-style:italic">both </span><i>slanted </i>'
        '<span style="text-decoration:line-through">gone</span></p>'
        '<ol start="3"><li><p>three</p></li></ol></b>',
        plain="x",
    )

    assert saved(desktop) == doc(
        paragraph(
            text("plain "),
            text("both ", BOLD, ITALIC),
            text("slanted ", ITALIC),
            text("gone", STRIKE),
        ),
        {"type": "orderedList", "attrs": {"start": 3}, "content": items(paragraph(text("three")))},
    )


def test_a_typed_address_becomes_a_link_and_undo_takes_that_back(desktop: Page) -> None:
    open_editor(desktop)
    desktop.keyboard.type("See (www.club.example/a), or write to board@club.example today")

    assert kept(desktop) == doc(
        paragraph(
            text("See ("),
            text("www.club.example/a", link("https://www.club.example/a")),
            text("), or write to "),
            text("board@club.example", link("mailto:board@club.example")),
            text(" today"),
        )
    )

    open_editor(desktop)
    desktop.keyboard.type("https://club.example/final. ")
    assert kept(desktop) == doc(
        paragraph(text("https://club.example/final", link("https://club.example/final")), text(". "))
    )
    desktop.keyboard.press("Control+z")
    assert "marks" not in kept(desktop)["content"][0]["content"][0]


def test_the_server_links_what_the_editor_did_not(desktop: Page) -> None:
    open_editor(desktop)
    desktop.keyboard.type("www.club.example")

    assert kept(desktop) == doc(paragraph(text("www.club.example")))
    assert saved(desktop) == doc(paragraph(text("www.club.example", link("https://www.club.example"))))


def test_typing_within_a_link_makes_no_other(desktop: Page) -> None:
    there = doc(paragraph(text("https://a.example", link("https://b.example"))))
    editor = open_editor(desktop, there)
    editor.press("End")
    desktop.keyboard.type(" x")

    assert kept(desktop) == doc(paragraph(text("https://a.example", link("https://b.example")), text(" x")))


def test_an_address_pasted_over_words_makes_them_a_link(desktop: Page) -> None:
    editor = open_editor(desktop, doc(paragraph(text("Words"))))
    select_all(desktop)
    paste(editor, plain="https://club.example")

    assert kept(desktop) == doc(paragraph(text("Words", link("https://club.example"))))


def test_the_link_dialog_announces_nothing_to_the_form(desktop: Page) -> None:
    editor = open_editor(desktop)
    desktop.evaluate(
        """() => {
            window.heard = 0;
            for (const name of ["input", "change", "submit"])
                document.getElementById("article").addEventListener(name, () => (heard += 1));
        }"""
    )
    editor.press("Control+Shift+k")
    desktop.get_by_role("dialog").get_by_label("Address").press_sequentially("/news")
    desktop.keyboard.press("Escape")
    expect(editor).to_be_focused()

    assert desktop.evaluate("heard") == 0
