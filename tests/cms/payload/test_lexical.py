"""Lexical documents of Payload become Tiptap documents that our schema accepts, with all of their text."""

import pytest

from cms.payload.lexical import Converted, convert
from core.content.richtext import media_ids, plain_text
from tests.cms.payload.lexical import (
    BOLD,
    ITALIC,
    STRIKE,
    UNDERLINE,
    blocks_of,
    cell,
    converted,
    link,
    node,
    paragraph,
    plain,
    text,
)


def test_the_bits_of_a_text_become_marks():
    content = blocks_of(node("paragraph", text("a", BOLD | ITALIC), text("b", STRIKE | UNDERLINE), text("c")))

    assert content == [paragraph(plain("a", "bold", "italic"), plain("b", "strike", "underline"), plain("c"))]


def test_line_breaks_and_tabs_are_kept():
    content = blocks_of(
        node("paragraph", text("a"), {"type": "linebreak"}, text("b"), {"type": "tab"}, text("c"))
    )

    assert plain_text({"type": "doc", "content": content}) == "a\nb\tc"


@pytest.mark.parametrize(("tag", "level"), [("h2", 2), ("h3", 3), ("h4", 4)])
def test_a_heading_keeps_its_level(tag, level):
    assert blocks_of(node("heading", text("a"), tag=tag)) == [
        {"type": "heading", "attrs": {"level": level}, "content": [plain("a")]}
    ]


@pytest.mark.parametrize(("tag", "level"), [("h1", 2), ("h5", 4), ("h6", 4)])
def test_a_heading_that_we_do_not_have_gets_the_nearest_level_and_a_note(tag, level):
    result = converted(node("heading", text("a"), tag=tag))

    assert result.document["content"][0]["attrs"] == {"level": level}
    assert result.notes == [f"a heading {tag[1]} became a heading {level}"]


def test_a_quote_holds_a_paragraph():
    assert blocks_of(node("quote", text("a"))) == [{"type": "blockquote", "content": [paragraph(plain("a"))]}]


def test_a_list_within_a_list_belongs_to_the_item_before_it():
    inner = node("list", node("listitem", text("c")), listType="number", start=3)
    outer = node("list", node("listitem", text("a")), node("listitem", inner), listType="bullet")

    assert blocks_of(outer) == [
        {
            "type": "bulletList",
            "content": [
                {
                    "type": "listItem",
                    "content": [
                        paragraph(plain("a")),
                        {
                            "type": "orderedList",
                            "attrs": {"start": 3},
                            "content": [{"type": "listItem", "content": [paragraph(plain("c"))]}],
                        },
                    ],
                }
            ],
        }
    ]


def test_a_list_that_begins_with_a_list_gets_a_blank_item():
    inner = node("list", node("listitem", text("a")), listType="bullet")

    (content,) = blocks_of(node("list", node("listitem", inner), listType="bullet"))

    assert content["content"][0]["content"][0] == paragraph()
    assert plain_text(content) == "a"


def test_a_check_list_becomes_tasks():
    inner = node("list", node("listitem", text("c"), checked=True), listType="check")
    done, open_ = node("listitem", text("a"), checked=True), node("listitem", text("b"), checked=False)

    def task(checked, words, *more):
        return {
            "type": "taskItem",
            "attrs": {"checked": checked},
            "content": [paragraph(plain(words)), *more],
        }

    nested = {"type": "taskList", "content": [task(True, "c")]}
    assert blocks_of(node("list", done, open_, node("listitem", inner), listType="check")) == [
        {"type": "taskList", "content": [task(True, "a"), task(False, "b", nested)]}
    ]


def test_a_link_becomes_a_mark_on_its_text():
    content = blocks_of(node("paragraph", link("a", url="https://example.org/x")))

    assert content[0]["content"][0]["marks"] == [
        {"type": "link", "attrs": {"href": "https://example.org/x", "title": None}}
    ]


def test_an_address_without_its_scheme_is_completed():
    content = blocks_of(node("paragraph", link("a", url="www.example.org")))

    assert content[0]["content"][0]["marks"][0]["attrs"]["href"] == "https://www.example.org"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " JaVa\tScript:alert(1)",
        "data:text/html,x",
        "//evil.example",
        "a.example:alert(1)",
        "",
    ],
)
def test_a_hostile_link_is_left_out_and_named(url):
    result = converted(node("paragraph", link("harmless", url=url)))

    assert result.document["content"] == [paragraph(plain("harmless"))]
    assert result.notes == [f"the link to “{url.strip()}” was left out"]


def test_a_link_to_a_record_leads_to_its_new_address():
    to_news = {"linkType": "internal", "doc": {"relationTo": "news", "value": {"id": 7, "title": "x"}}}

    content = blocks_of(node("paragraph", link("a", **to_news)), places={("news", "7"): "/news/derby/"})

    assert content[0]["content"][0]["marks"][0]["attrs"]["href"] == "/news/derby/"


def test_a_link_to_a_record_that_is_gone_is_named():
    to_news = {"linkType": "internal", "doc": {"relationTo": "news", "value": 8}}

    assert converted(node("paragraph", link("a", **to_news))).notes == [
        "the link to news 8 leads nowhere and was left out"
    ]


def test_a_picture_keeps_its_place_and_its_words():
    upload = {"type": "upload", "relationTo": "media", "value": {"id": 5, "alt": "Das Team"}, "fields": {}}

    assert blocks_of(node("paragraph", text("a")), upload, media={"5": "new-id"}) == [
        paragraph(plain("a")),
        {"type": "image", "attrs": {"mediaId": "new-id", "alt": "Das Team"}},
    ]


def test_a_picture_that_is_missing_is_named():
    result = converted({"type": "upload", "relationTo": "media", "value": 5})

    assert result == Converted(None, ["the file media 5 was not found and was left out"])


def test_a_file_of_another_collection_is_no_picture_of_the_media_library():
    result = converted({"type": "upload", "relationTo": "documents", "value": 5}, media={"5": "new-id"})

    assert result.notes == ["the file documents 5 was not found and was left out"]


def test_a_rule_is_kept():
    assert blocks_of({"type": "horizontalrule"}) == [{"type": "horizontalRule"}]


def test_a_table_is_kept_with_its_header_cells_and_spans():
    head = node("tablerow", cell(node("paragraph", text("a")), headerState=1, colSpan=2))
    row = node("tablerow", cell(node("paragraph", text("c")), headerState=0, rowSpan=0), cell())

    def kept(kind, colspan, *content):
        attrs = {"colspan": colspan, "rowspan": 1, "colwidth": None}
        return {"type": kind, "attrs": attrs, "content": list(content)}

    assert blocks_of(node("table", head, row)) == [
        {
            "type": "table",
            "content": [
                {"type": "tableRow", "content": [kept("tableHeader", 2, paragraph(plain("a")))]},
                {
                    "type": "tableRow",
                    "content": [
                        kept("tableCell", 1, paragraph(plain("c"))),
                        kept("tableCell", 1, paragraph()),
                    ],
                },
            ],
        }
    ]


def test_an_empty_table_is_left_out():
    assert converted(node("table", node("tablerow"))) == Converted(None, [])


def test_a_block_of_code_is_code():
    code = {"type": "block", "fields": {"blockType": "Code", "language": "ts", "code": "a\r\n  b"}}

    assert blocks_of(code) == [
        {"type": "codeBlock", "attrs": {"language": "ts"}, "content": [plain("a\n  b")]}
    ]


def test_a_picture_in_a_table_is_kept():
    upload = {"type": "upload", "relationTo": "media", "value": 5}

    (table,) = blocks_of(node("table", node("tablerow", cell(upload))), media={"5": "new-id"})

    assert media_ids(table) == ["new-id"]


def test_the_depth_of_a_list_is_no_indent():
    inner = node("list", node("listitem", text("a"), indent=1), listType="bullet")

    assert blocks_of(node("list", node("listitem", text("b")), node("listitem", inner), listType="bullet"))


@pytest.mark.parametrize("empty", [None, {}, {"root": node("root")}])
def test_nothing_stays_nothing(empty):
    assert convert(empty, link_to=lambda *_place: None, media_id=lambda _key: None) == Converted(None, [])


@pytest.mark.parametrize("tag", ["hx", "", None, 3, []])
def test_a_heading_of_no_known_level_becomes_one_of_the_highest(tag):
    assert converted(node("heading", text("a"), tag=tag)).document["content"][0]["attrs"] == {"level": 2}


@pytest.mark.parametrize("doc", ["7", 7, ["news", 7]])
def test_an_internal_link_that_names_no_document_is_left_out_with_a_note(doc):
    result = converted(node("paragraph", link("a", linkType="internal", doc=doc)))

    assert result.document["content"] == [paragraph(plain("a"))]
    assert result.notes == ["the link to   leads nowhere and was left out"]


def test_a_block_between_the_items_of_a_list_becomes_an_item():
    mixed = node("list", node("paragraph", text("a")), node("listitem", text("b")), listType="bullet")

    items = [{"type": "listItem", "content": [paragraph(plain(words))]} for words in ("a", "b")]
    assert blocks_of(mixed) == [{"type": "bulletList", "content": items}]


def test_an_empty_list_leaves_nothing():
    assert blocks_of(node("list", listType="bullet"), node("paragraph", text("a"))) == [paragraph(plain("a"))]


def test_the_alternative_text_of_a_picture_needs_no_note():
    upload = {"type": "upload", "relationTo": "media", "value": 5, "fields": {"alt": "The hall"}}

    assert converted(upload, media={"5": "new-id"}).notes == []
