"""What other programs have stored and our schema does not know: kept as it is, never new from a request."""

import json
from typing import Any

import pytest
from django import forms
from django.core.exceptions import ValidationError
from hypothesis import given

from core.content.richtext import validate, validate_stored
from core.content.richtext.reading import fingerprint
from core.crud.fields.richtext import PostedText, RichTextField
from core.crud.pristine import pristine_values
from tests.core.content.documents import (
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
from tests.core.content.hostile import HOSTILE_DOCUMENTS

REFUSED = ["This text contains something that cannot be saved."]
VIDEO = {
    "type": "video",
    "attrs": {"src": "x:y", "size": 1.0, "parts": [{"at": 7}]},
    "content": [text("Derby")],
}
MENTION = {"type": "mention", "attrs": {"id": "p7", "label": "Olga"}}
RED = {"type": "textStyle", "attrs": {"color": "red"}}
GLOW = {"type": "glow"}
CENTRED = {"type": "paragraph", "attrs": {"textAlign": "center"}, "content": [text("Centre")]}
TITLE = {"type": "heading", "attrs": {"level": 1, "id": "top"}, "content": [text("Title")]}
TABLE = table([cell("a", kind="tableHeader"), cell("b")], [cell("c"), cell("d")])["content"][0]
CODE = {"type": "codeBlock", "attrs": {"language": "python"}, "content": [text("x = 1\n\n\ty")]}
IN_A_LIST = {
    "type": "bulletList",
    "content": [{"type": "listItem", "content": [paragraph(text("a")), VIDEO]}],
}
STORED = doc(
    TITLE,
    paragraph(text("We "), text("won", {"type": "bold"}, RED, GLOW), MENTION),
    TABLE,
    CODE,
    VIDEO,
    IN_A_LIST,
    CENTRED,
)


class ArticleForm(forms.Form):
    title = forms.CharField()
    content = RichTextField()


def sent_of(form: ArticleForm) -> dict[str, str]:
    return {name: each[-1] for name, each in pristine_values(form).items() if name != "content"}


def posted(stored: object, **changed: str) -> ArticleForm:
    """The form of a stored document as the editor sends it: without the textarea, unless that is changed."""
    values = sent_of(ArticleForm(initial={"content": stored}))
    values |= {name.replace("_", "-"): value for name, value in changed.items()}
    return ArticleForm(values | {"title": "New title"}, initial={"content": stored})


def saved(stored: object, document: object) -> Any:
    form = posted(stored, content_document=json.dumps(document))
    assert form.is_valid(), form.errors
    return form.cleaned_data["content"]


def edited(*blocks: object) -> Document:
    return doc(paragraph(text("New")), *blocks)


def test_a_document_that_was_not_touched_stays_as_it_is_with_all_that_is_unknown() -> None:
    form = posted(STORED)

    assert form.is_valid()
    assert form.cleaned_data["content"] == STORED
    assert "content" not in form.changed_data


@pytest.mark.parametrize("document", HOSTILE_DOCUMENTS.values(), ids=HOSTILE_DOCUMENTS.keys())
def test_even_a_broken_document_stays_as_it_is_while_only_the_title_is_changed(document: object) -> None:
    form = posted(document)
    form.fields["content"].required = False

    assert form.is_valid(), form.errors
    assert form.cleaned_data["content"] == document


def test_what_is_unknown_is_kept_through_an_edit_of_another_part() -> None:
    assert saved(STORED, edited(*STORED["content"])) == edited(*STORED["content"])


def test_a_browser_writes_whole_numbers_without_a_point_and_they_are_known_again() -> None:
    as_a_browser_writes = json.loads(json.dumps(VIDEO).replace("1.0", "1"))

    assert saved(STORED, edited(as_a_browser_writes)) == edited(VIDEO)


def test_what_is_unknown_can_be_moved_and_deleted() -> None:
    quoted = {"type": "blockquote", "content": [VIDEO]}

    assert saved(STORED, edited(quoted)) == edited(quoted)
    assert saved(STORED, edited(paragraph(MENTION))) == edited(paragraph(MENTION))
    assert saved(STORED, edited()) == edited()


def test_unknown_marks_and_attributes_stay_on_text_that_is_edited() -> None:
    changed = CENTRED | {"content": [text("Right", RED)]}

    assert saved(STORED, edited(changed)) == edited(changed)


@pytest.mark.parametrize(
    "new",
    [
        VIDEO | {"attrs": {"src": "x:z"}},
        VIDEO | {"content": [text("Final")]},
        {"type": "iframe"},
        GLOW,
        ["paragraph", {"textAlign": "center"}],
        paragraph({"type": "mention", "attrs": {"id": "p8"}}),
        paragraph(text("x", {"type": "textStyle", "attrs": {"color": "blue"}})),
        paragraph(text("x", {"type": "onclick"})),
        CENTRED | {"attrs": {"textAlign": "center", "onclick": "x()"}},
        CENTRED | {"attrs": {"textAlign": "right"}},
        {"type": "blockquote", "attrs": {"textAlign": "center"}, "content": [paragraph()]},
        TITLE | {"content": [text("Another")]},
        paragraph(text("x", {"type": "link", "attrs": {"href": "/", "onclick": "x()"}})),
    ],
    ids=lambda new: json.dumps(new)[:60],
)
def test_nothing_unknown_that_was_not_stored_before_is_saved(new: object) -> None:
    form = posted(STORED, content_document=json.dumps(doc(*STORED["content"], new)))

    assert form.errors["content"] == REFUSED


@pytest.mark.parametrize(
    "shown",
    ["", "x", "x:y", fingerprint(VIDEO), f"{fingerprint(VIDEO)}:", f"{fingerprint(VIDEO)}:{'A' * 43}"],
)
def test_a_list_of_what_was_stored_counts_only_with_our_signature(shown: str) -> None:
    form = posted(STORED, content_document=json.dumps(edited(VIDEO)), content_shown=shown)

    assert form.errors["content"] == REFUSED


def test_a_form_that_is_shown_again_does_not_sign_what_was_posted() -> None:
    first = posted(doc(paragraph(text("Known"))), content_document=json.dumps(edited(VIDEO)))
    assert first.errors["content"] == REFUSED

    assert ArticleForm(sent_of(first) | {"title": "Again"}).errors["content"] == REFUSED


def test_a_locked_part_may_not_make_a_document_deeper_than_dynamodb_stores() -> None:
    deep: Any = {"type": "deep"}
    for _level in range(9):
        deep = {"type": "deep", "attrs": {"in": deep}}
    quoted: Any = deep
    for _level in range(10):
        quoted = {"type": "blockquote", "content": [quoted]}

    assert saved(doc(deep), edited(deep)) == edited(deep)
    form = posted(doc(deep), content_document=json.dumps(doc(quoted)))
    assert form.errors["content"] == ["Lists and quotes are nested too deeply. Use at most five levels."]


@pytest.mark.parametrize(
    "document",
    [nested(10_000), {"root": {"children": []}}, {"type": "doc"}, {}, doc(paragraph()) | {"attrs": {"x": 1}}],
)
def test_what_is_no_document_at_all_does_not_break_the_form(document: object) -> None:
    assert RichTextField(required=False).has_changed(document, PostedText("", "")) in (True, False)
    assert validate_or_none(document) is None


def validate_or_none(document: object) -> object:
    try:
        return validate_stored(document)
    except ValidationError:
        return None


@unhurried
@given(documents())
def test_a_known_document_has_nothing_locked(document: Document) -> None:
    assert validate_stored(document) == validate(document)
