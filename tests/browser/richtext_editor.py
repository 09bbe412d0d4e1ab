"""The editor of rich text: its documents, its buttons, what it keeps and what it saves."""

import json
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

BOLD, ITALIC = {"type": "bold"}, {"type": "italic"}
UNDERLINE, STRIKE = {"type": "underline"}, {"type": "strike"}


def items(*paragraphs: object) -> list[dict[str, Any]]:
    return [{"type": "listItem", "content": [one]} for one in paragraphs]


def link(href: str) -> dict[str, Any]:
    return {"type": "link", "attrs": {"href": href, "title": None}}


def open_editor(page: Page, document: object = None, path: str = "/article", **query: str) -> Locator:
    if document is not None:
        query["document"] = json.dumps(document)
    page.goto(f"{path}?{urlencode(query)}")
    return focused(page.get_by_role("textbox", name="Content"))


def focused(editor: Locator) -> Locator:
    """The editor once it runs. It puts the caret 20 ms after it got the focus: faster than any person."""
    expect(editor).to_have_attribute("contenteditable", "true")
    editor.evaluate("element => new Promise((done) => { element.focus(); setTimeout(done, 21); })")
    return editor


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("toolbar", name="Formatting").get_by_role("button", name=name, exact=True)


def in_menu(page: Page, item: str) -> Locator:
    return page.locator("[role=menu]").get_by_text(item, exact=True)


def choose(page: Page, item: str) -> None:
    """An item of the menu of the toolbar."""
    button(page, "Insert").click()
    in_menu(page, item).click()


def kept(page: Page) -> Any:
    """The document in the hidden field."""
    return json.loads(page.locator("[name=content-document]").input_value())


def saved(page: Page) -> Any:
    page.get_by_role("button", name="Save").click()
    return json.loads(page.locator("#saved").text_content() or "")


def select_all(page: Page) -> None:
    page.keyboard.press("Control+a")
