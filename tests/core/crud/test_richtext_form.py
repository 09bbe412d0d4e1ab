"""The form field of rich text: JSON from the editor, plain text from the textarea without it."""

import json
from typing import Any

import pytest
from django import forms
from django.utils.html import escape
from hypothesis import given

from core.content.richtext import validate
from core.crud.fields.richtext import RichTextField
from tests.core.content.documents import Document, doc, documents, linked, paragraph, text, unhurried

STORED = doc(
    {"type": "heading", "attrs": {"level": 2}, "content": [text("Final")]},
    paragraph(text("We "), text("won", {"type": "bold"}), {"type": "hardBreak"}, text("3:1")),
)


class ArticleForm(forms.Form):
    content = RichTextField(help_text="What happened?")
    note = RichTextField(required=False)


def cleaned(**posted: str) -> Any:
    form = ArticleForm({"note": "x"} | {name.replace("_", "-"): value for name, value in posted.items()})
    assert form.is_valid(), form.errors
    return form.cleaned_data["content"]


def test_the_editor_sends_the_document_alone() -> None:
    assert cleaned(content_document=json.dumps(STORED)) == STORED


def test_unchanged_plain_text_keeps_the_document_as_it_was() -> None:
    typed = "Final\r\n\r\nWe won\r\n3:1"

    assert cleaned(content=typed, content_document=json.dumps(STORED)) == STORED


def test_a_block_with_changed_plain_text_becomes_a_paragraph() -> None:
    typed = "Final\r\n\r\nWe won\r\n3:2"

    assert cleaned(content=typed, content_document=json.dumps(STORED)) == doc(
        STORED["content"][0], paragraph(text("We won"), {"type": "hardBreak"}, text("3:2"))
    )


def test_plain_text_alone_is_enough() -> None:
    assert cleaned(content="Hello") == doc(paragraph(text("Hello")))
    assert cleaned(content="Hello", content_document="{broken") == doc(paragraph(text("Hello")))


@pytest.mark.parametrize(
    "posted",
    [
        {},
        {"content": " \r\n"},
        {"content-document": ""},
        {"content-document": json.dumps(doc(paragraph()))},
        {"content": "", "content-document": json.dumps(STORED)},
    ],
)
def test_nothing_written_is_refused_where_text_is_required(posted: dict[str, str]) -> None:
    form = ArticleForm(posted)

    assert not form.is_valid()
    assert form.errors["content"] == ["This field is required."]
    assert form.cleaned_data["note"] is None


def test_a_refused_document_comes_back_as_it_was_sent() -> None:
    sent = json.dumps(linked("javascript:alert(1)"))
    page = str(ArticleForm({"content-document": sent})["content"])

    assert f'value="{escape(sent)}"' in page
    assert ">\nhere</textarea>" in page
    assert 'aria-invalid="true"' in page


def test_text_that_was_typed_comes_back_as_it_was_typed() -> None:
    page = str(ArticleForm({"content": "a\r\n\r\n<b>", "content-document": "{broken"})["content"])

    assert ">\na\r\n\r\n&lt;b&gt;</textarea>" in page


def test_half_a_character_does_not_break_the_page() -> None:
    page = str(ArticleForm({"content-document": '{"type":"text","text":"a\\ud800b"}'})["content"])

    assert ">\na b</textarea>" in page.encode().decode()


def test_a_stored_document_is_shown_as_its_plain_text_and_kept_beside_it() -> None:
    page = str(ArticleForm(initial={"content": STORED})["content"])

    assert ">\nFinal\n\nWe won\n3:1</textarea>" in page
    assert 'name="content-document"' in page
    assert 'aria-describedby="id_content_helptext id_content_plain"' in page
    assert "required" not in page.split("<template>")[0]


def test_a_stored_document_that_is_not_json_does_not_break_the_form() -> None:
    assert str(ArticleForm(initial={"content": {"type": "doc", "content": [b"\x00"]}})["content"])


def test_plain_text_that_is_too_long_is_refused() -> None:
    form = ArticleForm({"content": "x" * 200_000})

    assert form.errors["content"] == ["This text is too long. Shorten it or split it in two."]


def test_only_a_real_change_counts_as_one() -> None:
    def changed(initial: Document | None, **posted: str) -> bool:
        data = {name.replace("_", "-"): value for name, value in posted.items()}
        return "content" in ArticleForm(data, initial={"content": initial}).changed_data

    assert not changed(STORED, content_document=json.dumps(STORED))
    assert not changed(STORED, content="Final\r\n\r\nWe won\r\n3:1", content_document=json.dumps(STORED))
    assert not changed(None, content="", content_document="")
    assert not changed(None, content_document=json.dumps(doc(paragraph())))
    assert changed(STORED, content="Final", content_document=json.dumps(STORED))
    assert changed(STORED, content_document="{broken")
    assert changed(None, content="Final")


def test_a_disabled_field_keeps_what_is_stored() -> None:
    form = ArticleForm({"content": "new"}, initial={"content": STORED})
    form.fields["content"].disabled = True

    assert form.is_valid()
    assert form.cleaned_data["content"] == STORED
    assert form.changed_data == []


def test_the_button_for_pictures_needs_a_media_library() -> None:
    form = ArticleForm()
    assert "data-media-library" not in str(form["content"])

    form.fields["content"].widget.media_library = "/media/choose"  # type: ignore[attr-defined]
    assert 'data-media-library="/media/choose"' in str(form["content"])


@unhurried
@given(documents())
def test_what_the_form_shows_comes_back_unchanged_with_and_without_the_editor(document: Document) -> None:
    stored = validate(document)
    widget = RichTextField().widget
    _by, shown = widget.frame("content", stored, {"id": "id_content"})
    as_a_browser_sends = shown["text"].replace("\n", "\r\n")
    field = RichTextField(required=False)

    for posted in (
        {"content-document": shown["document"]},
        {"content-document": shown["document"], "content": as_a_browser_sends},
    ):
        typed = widget.value_from_datadict(posted, {}, "content")
        assert field.clean(typed) in (stored, None)
        assert not field.has_changed(stored, typed)
