"""The field of tags: commas or lines in, a list of words out."""

import pytest
from django import forms

from core.crud.fields import TagsField


class ArticleForm(forms.Form):
    tags = TagsField(most=3, longest=10, required=False)


def cleaned(text: str) -> list[str]:
    form = ArticleForm({"tags": text})
    assert form.is_valid(), form.errors
    tags: list[str] = form.cleaned_data["tags"]
    return tags


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("", []),
        (" , \r\n,", []),
        ("Youth,Derby", ["Youth", "Derby"]),
        ("Youth\r\nDerby\n", ["Youth", "Derby"]),
        ("  Youth \t team , Derby,", ["Youth team", "Derby"]),
        ("Youth, youth, YOUTH, Derby", ["Youth", "Derby"]),
        ("Straße, strasse", ["Straße"]),
    ],
)
def test_tags_are_trimmed_and_kept_once_in_their_order(text: str, tags: list[str]) -> None:
    assert cleaned(text) == tags


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a, b, c, d", "You can add at most 3. You entered 4."),
        ("ok, much too long", "“much too l…” is too long. Use at most 10 characters."),
        ("a\x00b", "Use letters, spaces and punctuation only."),
    ],
)
def test_what_cannot_be_kept_is_refused_and_comes_back_as_typed(text: str, error: str) -> None:
    form = ArticleForm({"tags": text})

    assert form.errors["tags"] == [error]
    assert form["tags"].value() == text


def test_a_required_field_needs_one_tag() -> None:
    form = ArticleForm({"tags": " ,"})
    form.fields["tags"].required = True

    assert form.errors["tags"] == ["This field is required."]


def test_stored_tags_are_shown_on_one_line_and_only_a_real_change_counts() -> None:
    form = ArticleForm(initial={"tags": ["Youth", "Derby"]})
    assert form["tags"].value() == "Youth, Derby"
    assert ArticleForm(initial={"tags": None})["tags"].value() == ""

    assert not ArticleForm({"tags": "Youth\nDerby"}, initial={"tags": ["Youth", "Derby"]}).has_changed()
    assert not ArticleForm({"tags": ""}, initial={"tags": None}).has_changed()
    assert ArticleForm({"tags": "Derby, Youth"}, initial={"tags": ["Youth", "Derby"]}).has_changed()
