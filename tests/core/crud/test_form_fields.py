"""The fields of a form are copies of those that its class declares, made as Django makes them."""

from copy import deepcopy
from typing import Any

import pytest
from django import forms

from cms.events.forms import EventForm
from cms.news.forms import NewsForm
from core.crud.fields import HelpedForm

OWN = ("widget", "error_messages", "validators")


class Survey(HelpedForm):
    name = forms.CharField(max_length=20)
    kind = forms.ChoiceField(choices=[("a", "A"), ("b", "B")])
    when = forms.SplitDateTimeField()


@pytest.mark.parametrize("form_class", [Survey, NewsForm, EventForm])
def test_they_are_what_django_would_copy(form_class: type[forms.Form]) -> None:
    declared = form_class.base_fields
    as_by_django = {name: deepcopy(field) for name, field in declared.items()}

    for name, field in form_class().fields.items():
        expected = as_by_django[name]
        assert type(field) is type(expected)
        assert without(field, *OWN, "fields", "_choices") == without(expected, *OWN, "fields", "_choices")
        assert field.error_messages == expected.error_messages
        assert without(field.widget, "attrs", "widgets", "choices", "state").keys() == (
            without(expected.widget, "attrs", "widgets", "choices", "state").keys()
        )
        for own in OWN:
            assert getattr(field, own) is not getattr(declared[name], own)
        assert field.widget.attrs is not declared[name].widget.attrs


def without(thing: object, *names: str) -> dict[str, Any]:
    return {name: value for name, value in vars(thing).items() if name not in names}


def test_what_one_form_changes_in_them_no_other_form_has() -> None:
    first, second = Survey(), Survey()
    first.fields["name"].required = False
    first.fields["name"].widget.attrs["autofocus"] = True
    first.fields["name"].error_messages["required"] = "Your name?"
    first.fields["name"].validators.clear()
    first.fields["kind"].choices = []  # type: ignore[attr-defined]
    del first.fields["when"]

    for form in (second, Survey()):
        name: Any = form.fields["name"]
        assert name.required
        assert name.error_messages["required"] == "This field is required."
        assert "autofocus" not in name.widget.attrs
        assert len(name.validators) == 2
        assert form.fields["kind"].choices == [("a", "A"), ("b", "B")]  # type: ignore[attr-defined]
        assert list(form.fields) == ["name", "kind", "when"]


def test_a_form_that_extends_another_has_its_fields_too() -> None:
    class Longer(Survey):
        text = forms.CharField()
        when = None

    assert list(Longer().fields) == ["name", "kind", "text"]
