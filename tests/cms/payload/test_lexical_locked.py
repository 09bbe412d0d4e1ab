"""What Tiptap has no equivalent for is locked or carried as text, and noted in the report."""

import json

import pytest

from cms.payload.lexical import Converted, convert
from core.content.richtext import plain_text, validate_stored
from tests.cms.payload.lexical import (
    CODE,
    SUPERSCRIPT,
    converted,
    node,
    paragraph,
    plain,
    text,
)


def locked(name, lexical, *content):
    """A part that no editor knows: its text for readers, and the Lexical node as it was."""
    kept = {"type": f"payload-{name}", "attrs": {"lexical": json.dumps(lexical, ensure_ascii=False)}}
    return kept | ({"content": list(content)} if content else {})


def test_a_block_is_locked_with_its_text_and_quoted_in_the_notes():
    inside = {"root": node("root", node("paragraph", text("Achtung")))}
    banner = {"type": "block", "fields": {"id": "1", "blockType": "banner", "content": inside, "look": "red"}}
    result = converted(banner)

    assert result.document["content"] == [locked("banner", banner, paragraph(plain("Achtung")))]
    assert result.notes == ["a block “banner” has no equivalent and is locked: “Achtung red”"]
    assert validate_stored(result.document) == result.document


def test_lists_in_a_block_are_quoted_too():
    result = converted({"type": "block", "fields": {"blockType": "gallery", "rows": [{"text": "wichtig"}]}})

    assert result.notes == ["a block “gallery” has no equivalent and is locked: “wichtig”"]


def test_what_else_a_picture_was_told_with_is_noted():
    upload = {"type": "upload", "relationTo": "media", "value": 5, "fields": {"caption": "Die Halle 1987"}}

    assert converted(upload, media={"5": "new-id"}).notes == [
        "a picture was carried without its caption: “Die Halle 1987”"
    ]


def test_a_picture_in_a_locked_part_is_noted():
    upload = {"type": "upload", "relationTo": "media", "value": 5}

    assert converted(node("columns", upload), media={"5": "new-id"}).notes == [
        "the file media 5 stood where only text was carried and was left out",
        "“columns” has no equivalent and is locked",
    ]


@pytest.mark.parametrize(
    "container",
    [
        lambda *blocks: node("columns", *blocks),
        lambda *blocks: node("table", node("tablerow", node("tablecell", *blocks))),
    ],
)
def test_paragraphs_that_are_carried_as_text_do_not_run_together(container):
    result = converted(container(node("paragraph", text("eins")), node("paragraph", text("zwei"))))

    assert plain_text(result.document).split() == ["eins", "zwei"]


def test_what_is_no_node_is_noted():
    result = convert(
        {"root": {"children": ["lost"]}}, link_to=lambda *_place: None, media_id=lambda _key: None
    )

    assert result == Converted(None, ["something that is no part of a document was left out: “lost”"])


def test_an_embedded_record_is_named():
    assert converted({"type": "relationship", "relationTo": "teams", "value": 3}).notes == [
        "the embedded record teams 3 has no equivalent and is locked"
    ]


def test_what_nobody_knows_is_locked_with_its_text():
    unknown = node("unknownConverted", node("paragraph", text("a")))
    result = converted(unknown)

    assert result.document["content"] == [locked("unknownConverted", unknown, paragraph(plain("a")))]
    assert result.notes == ["“unknownConverted” has no equivalent and is locked"]


def test_looks_that_we_do_not_have_are_noted_once():
    result = converted(
        node("paragraph", text("a", CODE), text("b", CODE | SUPERSCRIPT), format="center", indent=1)
    )

    assert plain_text(result.document) == "ab"
    assert result.notes == [
        "text aligned “center” is no longer",
        "indented text is no longer",
        "superscript text is kept, but not shown as such",
    ]


def test_coloured_text_is_noted():
    result = converted(node("paragraph", text("a") | {"style": "color: red"}))

    assert result.notes == ["coloured or sized text lost its look"]


@pytest.mark.parametrize("broken", ["text", ["list"], {"root": 5}, {"root": {"children": "x"}}])
def test_what_is_no_document_is_no_error(broken):
    assert convert(broken, link_to=lambda *_place: None, media_id=lambda _key: None).document is None


@pytest.mark.parametrize("depth", [20, 5_000])
def test_what_is_nested_too_deeply_is_carried_as_text(depth):
    nested = node("paragraph", text("deep down"))
    for _level in range(depth):
        nested = node("quote", nested)
    result = converted(nested)

    assert plain_text(result.document) == "deep down"
    assert result.notes[-1] == "the whole text was carried without its layout"


def test_a_block_within_a_line_is_locked_there():
    badge = {"type": "inlineBlock", "fields": {"blockType": "badge", "label": "Neu", "size": 3}}

    result = converted(node("paragraph", text("a"), badge))

    assert result.document["content"] == [paragraph(plain("a"), locked("badge", badge))]
    assert result.notes == ["a block “badge” has no equivalent and is locked: “Neu”"]
    assert validate_stored(result.document) == result.document


def test_an_unknown_kind_within_a_line_leaves_its_text_with_line_breaks():
    strange = node(
        "mention", text("a"), {"type": "linebreak"}, {"type": "linebreak"}, {"type": "tab"}, text("b")
    )

    result = converted(node("paragraph", strange))

    assert plain_text(result.document) == "a\n\n\tb"
    assert result.notes == ["“mention” within a line has no equivalent and is locked"]
