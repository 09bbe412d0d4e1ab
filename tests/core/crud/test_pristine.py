"""What a browser would send of a form that nobody has touched."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django import forms

from core.content.richtext import from_plain_text
from core.crud.fields import ClubDateTimeField, PickerField, RowForm, RowsField, TagsField
from core.crud.fields.richtext import RichTextField
from core.crud.forms import RecordForm, as_posted
from core.crud.pristine import pristine_values

LETTERS = [("a", "A"), ("b", "B"), ("c", "C")]


class Video(RowForm):
    name = forms.CharField()
    is_live = forms.BooleanField(required=False)


class EveryForm(RecordForm):
    """One of each kind of field that records use."""

    text = forms.CharField(required=False)
    long = forms.CharField(required=False, widget=forms.Textarea, strip=False)
    flag = forms.BooleanField(required=False)
    letter = forms.ChoiceField(choices=LETTERS)
    letters = forms.MultipleChoiceField(choices=LETTERS, required=False)
    radio = forms.ChoiceField(choices=LETTERS, widget=forms.RadioSelect, required=False)
    document = RichTextField(required=False)
    moment = ClubDateTimeField(required=False)
    role = PickerField(to="role", required=False)
    roles = PickerField(to="role", many=True, required=False)
    tags = TagsField(required=False)
    videos = RowsField(Video)


FULL: dict[str, Any] = {
    "text": "\"Fish\" & <chips> 'n' peas",
    "long": "\n  Begins with a blank line,\n</textarea><b>ends with one\n",
    "flag": True,
    "letter": "b",
    "letters": ["a", "c"],
    "radio": "c",
    "document": from_plain_text("One & <two>\n\nThree"),
    "moment": datetime(2026, 7, 1, 12, 30, 59, 123000, tzinfo=UTC),
    "role": "1",
    "roles": ["3", "2"],
    "tags": ["cup", "derby & more"],
    "videos": [{"name": "Derby", "is_live": True}, {"name": "Cup <1>", "is_live": False}],
}


@pytest.mark.parametrize("initial", [FULL, {"letter": "a"}], ids=["full", "empty"])
def test_it_changes_nothing(initial: dict[str, Any]) -> None:
    typed = pristine_values(EveryForm(initial=initial))

    assert EveryForm(as_posted(typed), initial=initial).changed_data == []


def test_each_value_is_sent_as_it_stands_in_the_page() -> None:
    typed = pristine_values(EveryForm(initial=FULL))

    assert typed["text"] == [FULL["text"]]
    assert typed["long"] == [FULL["long"]]
    assert (typed["flag"], typed["letters"], typed["roles"]) == (["on"], ["a", "c"], ["3", "2"])
    assert typed["videos-1-name"] == ["Cup <1>"]
    assert "videos-1-is_live" not in typed


def test_a_select_in_which_nothing_was_chosen_sends_its_first_option() -> None:
    typed = pristine_values(EveryForm())

    assert typed["letter"] == ["a"]
    assert "letters" not in typed
    assert "radio" not in typed
