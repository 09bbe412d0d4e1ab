"""A text of characters that cannot be seen is no text, in every form of every app."""

import pytest
from django import forms

from core.crud.forms import RecordForm


class TitleForm(RecordForm):
    title = forms.CharField(min_length=3, max_length=20)
    subtitle = forms.CharField(required=False)


def errors_of(title):
    return dict(TitleForm({"title": title}).errors)


@pytest.mark.parametrize(
    "blank",
    [
        "\u200b" * 6,
        "\ufeff\ufeff\ufeff",
        "\u2060 \u200d \u2060",
        "\u3164\u3164\u3164",
        "\u2800" * 4,
        "\u00ad" * 5,
    ],
)
def test_what_cannot_be_seen_is_no_title(blank):
    assert errors_of(blank) == {"title": ["This field is required."]}


def test_only_what_can_be_seen_counts_for_the_shortest_title():
    assert errors_of("a\u200b\u200b\u200bb") == {
        "title": ["Ensure this value has at least 3 characters (it has 2)."]
    }


@pytest.mark.parametrize(
    "title",
    [
        "👩\u200d👩\u200d👧 fest",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "Nu\u00addel",
        "❤\ufe0f❤\ufe0f❤\ufe0f",
    ],
)
def test_what_is_put_together_with_such_characters_stays_as_it_was_typed(title):
    form = TitleForm({"title": title})

    assert form.is_valid()
    assert form.cleaned_data["title"] == title


def test_where_nothing_is_needed_it_is_nothing():
    form = TitleForm({"title": "Netz", "subtitle": "\u200b\u200b"})

    assert form.is_valid()
    assert form.cleaned_data["subtitle"] == ""


def test_a_draft_without_a_visible_title_is_a_draft_without_a_title():
    form = TitleForm({"title": "\u200b" * 4}, is_draft=True)

    assert form.is_valid()
    assert form.cleaned_data["title"] == ""
