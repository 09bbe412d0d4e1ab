"""Rich text as plain text, its excerpt, and a document from what was typed without the editor."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.content.richtext import excerpt, from_plain_text, is_blank, media_ids, plain_text, validate
from tests.core.content.documents import cell, doc, documents, nested, paragraph, table, text, unhurried

ARTICLE = doc(
    {"type": "heading", "attrs": {"level": 2}, "content": [text("Final")]},
    paragraph(text("We "), text("won", {"type": "bold"}), {"type": "hardBreak"}, text("3:1")),
    {
        "type": "bulletList",
        "content": [
            {"type": "listItem", "content": [paragraph(text("one"))]},
            {"type": "listItem", "content": [paragraph(text("two"))]},
        ],
    },
    {"type": "image", "attrs": {"mediaId": "m2", "alt": "Picture"}},
    {"type": "image", "attrs": {"mediaId": "m1"}},
    {
        "type": "blockquote",
        "content": [{"type": "image", "attrs": {"mediaId": "m2"}}, paragraph(text("end"))],
    },
)


def test_blocks_are_divided_by_blank_lines() -> None:
    assert plain_text(ARTICLE) == "Final\n\nWe won\n3:1\n\none\n\ntwo\n\nend"


def test_a_table_has_a_line_for_each_row_and_a_task_its_box() -> None:
    tasks = [
        {"type": "taskItem", "attrs": {"checked": checked}, "content": [paragraph(text(words))]}
        for checked, words in ((True, "Net"), (False, "Balls"))
    ]
    row = [cell("Blue"), {"type": "tableCell", "content": [paragraph(text("3")), paragraph(text("points"))]}]
    code = {"type": "codeBlock", "content": [text("if x:\n    y")]}
    document = doc(
        *table([cell("Team"), cell("")], row)["content"], {"type": "taskList", "content": tasks}, code
    )

    assert plain_text(document) == "Team | \nBlue | 3 points\n\n☑ Net\n\n☐ Balls\n\nif x:\n    y"


def test_pictures_are_named_once_in_their_order() -> None:
    assert media_ids(ARTICLE) == ["m2", "m1"]


@pytest.mark.parametrize(
    "broken", [None, [], "x", {"content": 7}, {"type": "image", "attrs": "m1"}, nested(10_000)]
)
def test_broken_documents_do_no_harm(broken: object) -> None:
    assert plain_text(broken) in {"", "here"}
    assert media_ids(broken) == []
    assert excerpt(broken) in {"", "here"}


def test_blank_lines_make_paragraphs_and_line_ends_make_breaks() -> None:
    assert from_plain_text("\r\nFirst\r\nline\r\n \t\r\n\r\nSecond\x00 \r\n") == doc(
        paragraph(text("First"), {"type": "hardBreak"}, text("line")), paragraph(text("Second"))
    )


def test_no_text_is_one_empty_paragraph() -> None:
    assert from_plain_text(" \n") == doc(paragraph())


def test_a_document_without_text_pictures_and_rules_is_blank() -> None:
    assert is_blank(doc(paragraph(), paragraph(text("  "), {"type": "hardBreak"})))
    assert not is_blank(doc(paragraph(text("x"))))
    assert not is_blank(doc({"type": "horizontalRule"}))
    assert not is_blank(doc({"type": "image", "attrs": {"mediaId": "m1"}}))
    assert not is_blank(doc({"type": "video"}))


def article(words: str) -> dict[str, Any]:
    return doc(paragraph(text(words)))


def test_a_short_text_is_its_own_excerpt_on_one_line() -> None:
    assert excerpt(article("x" * 500)) == "x" * 500
    assert excerpt(doc(paragraph(text("We won"), {"type": "hardBreak"}, text("3:1")))) == "We won 3:1"


def test_an_excerpt_leaves_headings_out_unless_there_is_nothing_else() -> None:
    heading = {"type": "heading", "attrs": {"level": 2}, "content": [text("Final")]}

    assert excerpt(ARTICLE) == "We won 3:1 one two end"
    assert excerpt(doc(heading)) == excerpt(doc(heading, paragraph())) == "Final"


def test_a_long_text_is_cut_after_a_word_within_500_characters() -> None:
    assert excerpt(article("a" * 400 + " " + "b" * 98 + " c")) == "a" * 400 + " " + "b" * 98 + "…"
    assert len(excerpt(article("a" * 400 + " " + "b" * 98 + " c"))) == 500
    assert excerpt(article("a" * 400 + " " + "b" * 99 + " c")) == "a" * 400 + "…"
    assert excerpt(article("First, second and third"), 10) == "First…"


def test_blanks_between_the_words_do_not_count() -> None:
    assert excerpt(article("We" + " " * 2_000 + "won" + " " * 2_000 + "x" * 500)) == "We won…"
    assert excerpt(article(" a" * 250 + " " * 600)) == " ".join("a" * 250)
    assert excerpt(article(" a" * 300)) == " ".join("a" * 250) + "…"


def test_a_single_long_word_is_cut_anywhere() -> None:
    assert excerpt(article("x" * 501)) == "x" * 499 + "…"


@unhurried
@given(documents())
def test_an_excerpt_is_never_longer_than_asked_and_begins_the_text(document: dict[str, Any]) -> None:
    cut = excerpt(document, 20)

    assert len(cut) <= 20
    told = plain_text(document, without="heading") or plain_text(document)
    assert " ".join(told.split()).startswith(cut.removesuffix("…"))


@unhurried
@given(st.text())
def test_typed_text_always_makes_a_valid_document_with_the_same_text(typed: str) -> None:
    document = validate(from_plain_text(typed))

    assert plain_text(document).split() == plain_text(validate(from_plain_text(plain_text(document)))).split()
    assert plain_text(from_plain_text(plain_text(document))) == plain_text(document)
