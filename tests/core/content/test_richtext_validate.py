"""What may be saved as rich text, and what is refused with a form error."""

import json
from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.test import Client
from hypothesis import given
from pytest_django import Settings

from core.content.richtext import RichTextError, validate
from core.content.richtext.reading import DEEPEST, MOST_NODES
from core.content.richtext.validation import LARGEST
from core.crud.fields.richtext import RichTextField
from core.dynamo.attributes import JSONMapAttribute
from core.dynamo.errors import TooLarge
from tests.core.content.documents import (
    cell,
    doc,
    documents,
    linked,
    nested,
    paragraph,
    table,
    text,
    unhurried,
)
from tests.core.content.hostile import HOSTILE_DOCUMENTS, HOSTILE_LINKS, anything


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


@pytest.mark.parametrize("href", HOSTILE_LINKS, ids=lambda href: ascii(href)[:40])
def test_a_link_may_not_lead_there(href: object) -> None:
    assert errors_of(json.dumps(linked(href))) == [
        "A link must start with http://, https://, mailto: or tel:, or with / for a page of this "
        "site, and must not contain spaces."
    ]


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
