"""Addresses and documents that must be refused, and anything that JSON can say."""

from typing import Any

from hypothesis import strategies as st

from tests.core.content.documents import ITEM, cell, doc, paragraph, table, text

HOSTILE_LINKS = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "\x01javascript:alert(1)",
    "java\x00script:alert(1)",
    "\u200bjavascript:alert(1)",
    "\u202ejavascript:alert(1)",
    "java&#115;cript:alert(1)",
    "&#106;avascript:alert(1)",
    "javascript&colon;alert(1)",
    "java%73cript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "DATA:text/html;base64,PHNjcmlwdD4=",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "file://host.example/x",
    "ftp://host.example/x",
    "blob:https://club.example/1",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/news\t/../..",
    "https:evil.example",
    "https://",
    "https://[evil",
    "https://evil.example/\njavascript:alert(1)",
    "https://evil.example/a b",
    "mailto:",
    "#top",
    "news",
    "",
    "https://club.example/" + "a" * 2000,
    "https://\ud800",
    None,
    7,
    ["https://club.example"],
    {"href": "https://club.example"},
]


def with_attributes(kind: str, **attributes: object) -> dict[str, Any]:
    return doc({"type": kind, "attrs": attributes, "content": [text("x")]})


HOSTILE_DOCUMENTS: dict[str, object] = {
    "a heading with an event handler": with_attributes("heading", level="1 onclick=alert(1)"),
    "a heading of level 1": with_attributes("heading", level=1),
    "a heading of level 9": with_attributes("heading", level=9),
    "a heading of level true": with_attributes("heading", level=True),
    "a heading of level 2.0": with_attributes("heading", level=2.0),
    "a heading of no level": with_attributes("heading"),
    "a paragraph with a style": with_attributes("paragraph", style="position:fixed"),
    "a heading with an event handler beside its level": with_attributes("heading", level=2, onclick="x()"),
    "a link with an event handler": doc(
        paragraph(text("x", {"type": "link", "attrs": {"href": "/", "onclick": "alert(1)"}}))
    ),
    "a link without an address": doc(paragraph(text("x", {"type": "link"}))),
    "a link with a title that is a list": doc(
        paragraph(text("x", {"type": "link", "attrs": {"href": "/", "title": ["script", 0]}}))
    ),
    "two links at once": doc(
        paragraph(text("x", *({"type": "link", "attrs": {"href": href}} for href in ("/a", "/b"))))
    ),
    "a list that starts at a word": doc({"type": "orderedList", "attrs": {"start": "x"}, "content": [ITEM]}),
    "a list that starts at -1": doc({"type": "orderedList", "attrs": {"start": -1}, "content": [ITEM]}),
    "a picture from elsewhere without encryption": doc(
        {"type": "image", "attrs": {"src": "http://evil.example/x.png"}}
    ),
    "a picture that is data": doc({"type": "image", "attrs": {"src": "data:image/svg+xml,<svg/>"}}),
    "a picture that is a script": doc({"type": "image", "attrs": {"src": "javascript:alert(1)"}}),
    "a picture from two places": doc(
        {"type": "image", "attrs": {"mediaId": "m1", "src": "https://evil.example/x.png"}}
    ),
    "a locked part that was never stored": doc({"type": "lockedBlock", "attrs": {"json": '{"type": "x"}'}}),
    "a locked mark that was never stored": doc(
        paragraph(text("x", {"type": "lockedMark", "attrs": {"json": '{"type": "x"}'}}))
    ),
    "locked attributes that were never stored": with_attributes("paragraph", locked='{"onclick": "x()"}'),
    "code in a language that is a script": with_attributes("codeBlock", language='"><script>'),
    "bold code in a block": doc({"type": "codeBlock", "content": [text("x", {"type": "bold"})]}),
    "a task that is neither done nor open": doc(
        {
            "type": "taskList",
            "content": [{"type": "taskItem", "attrs": {"checked": "yes"}, "content": [paragraph()]}],
        }
    ),
    "a table with a cell over a million rows": table([cell("x", rowspan=1_000_000)]),
    "a table without rows": doc({"type": "table"}),
    "a table with text between its cells": doc(
        {"type": "table", "content": [{"type": "tableRow", "content": [text("x")]}]}
    ),
    "a picture whose id is an address": doc(
        {"type": "image", "attrs": {"mediaId": "javascript:alert(1)", "alt": ""}}
    ),
    "a picture without an id": doc({"type": "image", "attrs": {"alt": "x"}}),
    "a picture whose description is a map": doc({"type": "image", "attrs": {"mediaId": "m", "alt": {}}}),
    "an unknown node": doc({"type": "script", "content": [text("alert(1)")]}),
    "raw HTML": doc({"type": "html", "attrs": {"html": "<script>alert(1)</script>"}}),
    "an unknown mark": doc(paragraph(text("x", {"type": "textStyle", "attrs": {"color": "red"}}))),
    "a node that is named like a method": doc({"type": "__class__"}),
    "__proto__ as a key": doc({"type": "paragraph", "__proto__": {"polluted": True}}),
    "__proto__ as an attribute": with_attributes("paragraph", __proto__={"polluted": True}),
    "constructor as a type": doc({"type": "constructor"}),
    "a list as a type": doc({"type": ["paragraph"]}),
    "no type": doc({"content": []}),
    "text at the root": doc(text("x")),
    "a list item at the root": doc(ITEM),
    "a list without items": doc({"type": "bulletList"}),
    "a document in a document": doc(doc(paragraph())),
    "a paragraph with marks": doc({"type": "paragraph", "marks": [{"type": "bold"}]}),
    "a document with marks": doc(paragraph()) | {"marks": [{"type": "bold"}]},
    "a rule with content": doc({"type": "horizontalRule", "content": [text("x")]}),
    "a text with content": doc(paragraph(text("x") | {"content": [paragraph()]})),
    "an empty text": doc(paragraph(text(""))),
    "the same mark twice": doc(paragraph(text("x", {"type": "bold"}, {"type": "bold"}))),
    "content that is a map": {"type": "doc", "content": {"0": paragraph()}},
    "content that is text": {"type": "doc", "content": '[{"type": "paragraph"}]'},
    "content that is null": {"type": "doc", "content": None},
    "children that are text": {"type": "doc", "content": ["x"]},
    "children that are null": {"type": "doc", "content": [None]},
    "attributes that are a list": doc({"type": "heading", "attrs": [2]}),
    "attributes that are null": doc({"type": "heading", "attrs": None}),
    "marks that are a map": doc(paragraph({"type": "text", "text": "x", "marks": {"type": "bold"}})),
    "marks that are text": doc(paragraph({"type": "text", "text": "x", "marks": ["bold"]})),
    "an empty document": {"type": "doc", "content": []},
    "no document": {"type": "paragraph"},
    "an empty map": {},
    "a list": [],
    "a text": "<script>alert(1)</script>",
    "a number": 7,
    "false": False,
}
names = st.sampled_from(["type", "content", "marks", "attrs", "text", "doc", "paragraph", "heading", "link"])
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | names,
    lambda inner: st.lists(inner) | st.dictionaries(names | st.text(), inner),
)
