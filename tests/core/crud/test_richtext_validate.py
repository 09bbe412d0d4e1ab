"""What may be saved as rich text, and what is refused with a form error."""

import json
from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from core.content.richtext import RichTextError, validate
from core.content.richtext.reading import DEEPEST, MOST_NODES
from core.content.richtext.validation import LARGEST
from core.crud.fields.richtext import RichTextField
from core.dynamo.attributes import JSONMapAttribute
from core.dynamo.errors import TooLarge
from tests.core.crud.documents import doc, documents, linked, nested, paragraph, text, unhurried


def cell(words: str, *, kind: str = "tableCell", **attributes: object) -> dict[str, Any]:
    spans = {"colspan": 1, "rowspan": 1, "colwidth": None}
    return {"type": kind, "attrs": spans | attributes, "content": [paragraph(text(words))]}


def table(*rows: list[dict[str, Any]]) -> dict[str, Any]:
    return doc({"type": "table", "content": [{"type": "tableRow", "content": row} for row in rows]})


class ArticleForm(forms.Form):
    content = RichTextField()


def errors_of(posted: str) -> list[str]:
    form = ArticleForm({"content-document": posted})
    assert not form.is_valid()
    assert str(form["content"])  # the form is shown again, whatever came
    return list(form.errors["content"])


def test_a_document_with_everything_stays_as_it_is() -> None:
    everything = doc(
        {"type": "heading", "attrs": {"level": 2}, "content": [text("Final")]},
        paragraph(
            text("We "),
            text("won", {"type": "bold"}, {"type": "italic"}, {"type": "strike"}, {"type": "underline"}),
            {"type": "hardBreak"},
            text("!", {"type": "link", "attrs": {"href": "https://club.example", "title": None}}),
        ),
        {
            "type": "orderedList",
            "attrs": {"start": 3},
            "content": [{"type": "listItem", "content": [paragraph(text("third"))]}],
        },
        {"type": "bulletList", "content": [{"type": "listItem", "content": [paragraph()]}]},
        {"type": "blockquote", "content": [paragraph(text("Good game"))]},
        {"type": "horizontalRule"},
        {"type": "image", "attrs": {"mediaId": "0198c1f2-77aa-7000-8000-000000000001", "alt": "The team"}},
        {"type": "image", "attrs": {"src": "https://host.example/a.png", "alt": None, "title": "The hall"}},
        {"type": "codeBlock", "attrs": {"language": "c++"}, "content": [text("x;\n\n\twww.club.example")]},
        {
            "type": "taskList",
            "content": [{"type": "taskItem", "attrs": {"checked": True}, "content": [paragraph()]}],
        },
        *table([cell("Team", kind="tableHeader"), cell("x", colspan=2, rowspan=3, colwidth=[9, 0])])[
            "content"
        ],
        paragraph(text("x = 1", {"type": "bold"}, {"type": "code"})),
    )

    assert validate(everything) == everything


def test_what_was_left_out_is_filled_in_and_marks_get_their_order() -> None:
    given_document = doc(
        {"type": "orderedList", "content": [{"type": "listItem", "content": [paragraph()]}]},
        paragraph(
            text("x", {"type": "bold"}, {"type": "link", "attrs": {"href": "/news", "target": "_blank"}})
        ),
        {"type": "image", "attrs": {"mediaId": "m1"}},
        *table([cell("x", align=None)])["content"],
        {"type": "image", "attrs": {"src": "https://host.example/a.png", "width": 4, "height": None}},
    )

    assert validate(given_document) == doc(
        {
            "type": "orderedList",
            "attrs": {"start": 1},
            "content": [{"type": "listItem", "content": [paragraph()]}],
        },
        paragraph(text("x", {"type": "link", "attrs": {"href": "/news", "title": None}}, {"type": "bold"})),
        {"type": "image", "attrs": {"mediaId": "m1", "alt": ""}},
        *table([cell("x")])["content"],
        {"type": "image", "attrs": {"src": "https://host.example/a.png", "alt": None, "title": None}},
    )


def test_the_answer_shares_nothing_with_the_next_one() -> None:
    items = [{"type": "listItem", "content": [paragraph()]}]
    validate(doc({"type": "orderedList", "content": items}))["content"][0]["attrs"]["start"] = 7

    assert validate(doc({"type": "orderedList", "content": items}))["content"][0]["attrs"] == {"start": 1}


@pytest.mark.parametrize(
    "href",
    [
        "https://club.example/a?b=c#d",
        "HTTP://CLUB.EXAMPLE",
        "http://müllheim.example/ü",
        "mailto:board@club.example",
        "tel:+497631123",
        "/",
        "/news/final?page=2#end",
    ],
)
def test_a_link_may_lead_here(href: str) -> None:
    assert validate(linked(href)) == linked(href)


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


@pytest.mark.parametrize("href", HOSTILE_LINKS, ids=lambda href: ascii(href)[:40])
def test_a_link_may_not_lead_there(href: object) -> None:
    assert errors_of(json.dumps(linked(href))) == [
        "A link must start with http://, https://, mailto: or tel:, or with / for a page of this "
        "site, and must not contain spaces."
    ]


def with_attributes(kind: str, **attributes: object) -> dict[str, Any]:
    return doc({"type": kind, "attrs": attributes, "content": [text("x")]})


ITEM = {"type": "listItem", "content": [paragraph(text("x"))]}
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


@pytest.mark.parametrize("document", HOSTILE_DOCUMENTS.values(), ids=HOSTILE_DOCUMENTS.keys())
def test_a_hostile_document_is_refused(document: object) -> None:
    assert errors_of(json.dumps(document)) == ["This text contains something that cannot be saved."]


@pytest.mark.parametrize("value", [7, None, True, ["x"], {"a": "b"}, "a\x00b", "a\x1bb", "a\ud800b"])
def test_a_text_must_be_readable(value: object) -> None:
    assert errors_of(json.dumps(doc(paragraph({"type": "text", "text": value})))) == [
        "This text contains invisible control characters. Paste it again as plain text."
    ]


@pytest.mark.parametrize(
    "posted",
    [
        "{",
        "x",
        "[" * 10_000,
        '{"type":"doc","content":[' * 5_000 + "]}" * 5_000,
        '{"type":"doc","content":[{"type":"heading","attrs":{"level":NaN}}]}',
        '{"type":"doc","content":[{"type":"heading","attrs":{"level":Infinity}}]}',
        '{"type":"doc","content":[{"type":"heading","attrs":{"level":' + "1" * 5_000 + "}}]}",
    ],
    ids=lambda posted: posted[:75],
)
def test_what_is_not_proper_json_is_refused(posted: str) -> None:
    assert errors_of(posted) == ["This text contains something that cannot be saved."]


TOO_LONG = "This text is too long. Shorten it or split it in two."


def test_five_megabytes_are_refused_before_they_are_read() -> None:
    assert errors_of(json.dumps(doc(paragraph(text("x" * 5_000_000))))) == [TOO_LONG]
    assert errors_of("[" * 5_000_000) == [TOO_LONG]


def test_the_largest_document_is_measured_in_bytes_of_json() -> None:
    frame = len(json.dumps(doc(paragraph(text(""))), separators=(",", ":")))

    assert validate(doc(paragraph(text("x" * (LARGEST - frame)))))
    with pytest.raises(RichTextError, match="too long"):
        validate(doc(paragraph(text("x" * (LARGEST - frame + 1)))))
    with pytest.raises(RichTextError, match="too long"):
        validate(doc(paragraph(text("ü" * (LARGEST // 2)))))


def test_the_number_of_nodes_is_limited() -> None:
    assert validate(doc(*[paragraph()] * (MOST_NODES - 1)))
    with pytest.raises(RichTextError, match="too long"):
        validate(doc(*[paragraph()] * MOST_NODES))


@pytest.mark.parametrize("depth", [DEEPEST + 1, 300, 10_000])
def test_a_document_that_is_nested_too_deeply_is_refused(depth: int) -> None:
    with pytest.raises(RichTextError, match="nested too deeply"):
        validate(nested(depth))


def test_five_lists_in_one_another_can_be_saved_and_six_cannot() -> None:
    def lists(count: int) -> dict[str, Any]:
        block = paragraph(text("x"))
        for _list in range(count):
            block = {"type": "bulletList", "content": [{"type": "listItem", "content": [paragraph(), block]}]}
        return doc(block)

    assert validate(lists(5)) == lists(5)
    with pytest.raises(RichTextError, match="Use at most five levels"):
        validate(lists(6))


def test_the_deepest_document_just_fits_into_dynamodb_even_within_a_map() -> None:
    deepest = validate(nested(DEEPEST))

    assert JSONMapAttribute().serialize({"content": deepest})
    with pytest.raises(TooLarge):
        JSONMapAttribute().serialize({"content": nested(DEEPEST + 1)})


@unhurried
@given(documents())
def test_a_valid_document_is_valid_again_and_the_same(document: dict[str, Any]) -> None:
    valid = validate(document)

    assert validate(valid) == valid
    assert validate(json.loads(json.dumps(valid))) == valid


names = st.sampled_from(["type", "content", "marks", "attrs", "text", "doc", "paragraph", "heading", "link"])
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | names,
    lambda inner: st.lists(inner) | st.dictionaries(names | st.text(), inner),
)


@unhurried
@given(anything)
def test_whatever_is_posted_gets_an_answer_and_never_another_error(content: object) -> None:
    for document in (
        content,
        {"type": "doc", "content": content},
        doc({"type": "paragraph", "content": content}),
    ):
        try:
            valid = validate(document)
        except ValidationError:
            continue
        assert validate(valid) == valid


@pytest.mark.usefixtures("db")
def test_over_http_every_hostile_document_gets_the_form_back(client: Client, settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.core.crud.richtext_page"
    links = [linked(href) for href in HOSTILE_LINKS]

    for document in [*HOSTILE_DOCUMENTS.values(), *links, doc(paragraph(text("x" * 500_000))), nested(300)]:
        response = client.post("/article", {"content-document": json.dumps(document)})
        assert response.status_code == 422, document
        assert 'aria-invalid="true"' in response.text


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(("size", "status"), [(5_000_000, 422), (9_000_000, 400)])
def test_over_http_five_megabytes_are_refused_at_the_field_and_far_more_as_a_whole(
    client: Client, settings: Settings, size: int, status: int
) -> None:
    settings.ROOT_URLCONF = "tests.core.crud.richtext_page"
    assert client.post("/article", {"content-document": "x" * size}).status_code == status
