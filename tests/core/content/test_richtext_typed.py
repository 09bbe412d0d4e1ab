"""Rich text without JavaScript: what is more than text has a line in brackets, and blocks keep their look."""

from typing import Any

import pytest
from hypothesis import given

from core.content.richtext import from_plain_text, validate
from core.content.richtext.typed import editable_text, with_text
from tests.core.content.documents import (
    ITEM,
    Document,
    cell,
    doc,
    documents,
    nested,
    paragraph,
    table,
    text,
    unhurried,
)

TITLE = {"type": "heading", "attrs": {"level": 2}, "content": [text("Final")]}
BOLD = paragraph(text("We "), text("won", {"type": "bold"}))
PICTURE = {"type": "image", "attrs": {"mediaId": "m1", "alt": "The team"}}
TABLE = table([cell("Team"), cell("Points")], [cell("Blue"), cell("3")])["content"][0]
VIDEO = {"type": "video", "content": [text("Derby")]}
LIST = {"type": "bulletList", "content": [ITEM, ITEM]}
RULE = {"type": "horizontalRule"}
STORED = doc(TITLE, BOLD, PICTURE, LIST, TABLE, VIDEO, RULE)
SHOWN = """Final

We won

[[3 Picture: The team]]

x

x

[[5 Table: Team | Points Blue | 3]]

[[6 Block “video”: Derby]]

[[7 Dividing line]]"""


def test_a_block_that_is_more_than_text_is_a_line_with_its_number() -> None:
    assert editable_text(STORED) == SHOWN


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_changed_paragraph_leaves_all_other_blocks_as_they_are(line_end: str) -> None:
    typed = SHOWN.replace("We won", "We lost\nbadly").replace("\n", line_end)

    lost = paragraph(text("We lost"), {"type": "hardBreak"}, text("badly"))
    assert with_text(STORED, typed) == doc(TITLE, lost, PICTURE, LIST, TABLE, VIDEO, RULE)


def test_a_line_in_brackets_moves_its_block_and_takes_it_away() -> None:
    lines = SHOWN.split("\n\n")
    typed = "\n\n".join([lines[5], *lines[:5]])

    assert with_text(STORED, typed) == doc(TABLE, TITLE, BOLD, PICTURE, LIST)


def test_a_line_in_brackets_is_known_without_blank_lines_around_it_and_by_its_number_alone() -> None:
    assert with_text(STORED, "Hello\n [[5 whatever it says]] \nWorld") == doc(
        paragraph(text("Hello")), TABLE, paragraph(text("World"))
    )


def test_a_number_that_stands_for_no_block_is_text() -> None:
    for typed in ("[[1 Final]]", "[[9 Table]]", "[[Table]]"):
        assert with_text(STORED, typed) == doc(paragraph(text(typed)))


def test_a_list_with_a_changed_item_becomes_paragraphs() -> None:
    assert with_text(doc(LIST), "x\n\ny") == doc(paragraph(text("x")), paragraph(text("y")))


def test_a_list_with_more_than_text_in_it_is_a_line() -> None:
    pictured = {
        "type": "bulletList",
        "content": [{"type": "listItem", "content": [paragraph(text("a")), PICTURE]}],
    }

    assert editable_text(doc(pictured)) == "[[1 List: a]]"
    assert with_text(doc(pictured), "[[1 List: a]]\n\nNew") == doc(pictured, paragraph(text("New")))


@pytest.mark.parametrize("stored", [None, [], "x", {"type": "doc", "content": ["x"]}, nested(10_000)])
def test_where_no_document_was_stored_the_text_becomes_paragraphs(stored: Any) -> None:
    assert with_text(stored, "Hello\n\nWorld") == from_plain_text("Hello\n\nWorld")


@unhurried
@given(documents())
def test_all_other_blocks_stay_when_a_paragraph_is_added(document: Document) -> None:
    stored = validate(document)
    new = paragraph(text("An added paragraph"))
    added = with_text(stored, f"An added paragraph\n\n{editable_text(stored)}")

    shown = [block for block in stored["content"] if editable_text(doc(block))]
    assert added["content"] == [new, *shown]
