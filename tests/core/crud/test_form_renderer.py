"""Fields as HTML: what our renderer writes itself is what Django's templates would have written."""

import re
from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy

from core.crud.form_renderer import WRITTEN, FormRenderer

HOSTILE = """"'><script>alert(1)</script>&amp;"""
CHOICES: Any = [
    ("", "---"),
    (HOSTILE, HOSTILE),
    (HOSTILE + "group", [("a", "A"), ("b", HOSTILE)]),
    (1, gettext_lazy("Yes")),
]
WIDGETS = [
    forms.TextInput(attrs={"placeholder": HOSTILE, "autofocus": True, "data-none": False, "maxlength": 5}),
    forms.TextInput(attrs={"type": "tel", HOSTILE: "x"}),
    forms.EmailInput(),
    forms.URLInput(),
    forms.NumberInput(attrs={"min": 0, "step": 0.5}),
    forms.HiddenInput(),
    forms.DateInput(),
    forms.DateTimeInput(),
    forms.TimeInput(),
    forms.CheckboxInput(),
    forms.Textarea(attrs={"rows": 3, "placeholder": HOSTILE}),
    forms.Select(attrs={"data-x": HOSTILE}, choices=CHOICES),
    forms.RadioSelect(attrs={"class": HOSTILE}, choices=CHOICES),
    forms.CheckboxSelectMultiple(choices=CHOICES),
]
VALUES = [None, "", HOSTILE, "1", 1, "two\nlines", mark_safe("<b>safe &amp; sound</b>")]


def without_white_space(html: str) -> str:
    """White space between elements says nothing; within a textarea it does."""
    return re.sub(r"\s+(?=<)(?!</textarea)|(?<=>)(?<!textarea>)\s+", "", html)


@pytest.mark.parametrize("attrs", [{}, {"id": HOSTILE, "aria-describedby": HOSTILE}])
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("widget", WIDGETS, ids=lambda widget: type(widget).__name__)
def test_a_widget_is_what_its_template_makes_of_it(
    widget: forms.Widget, value: object, attrs: dict[str, str]
) -> None:
    given = [value] if isinstance(widget, forms.CheckboxSelectMultiple) else value

    ours = widget.render(HOSTILE, given, attrs, renderer=FormRenderer())
    theirs = widget.render(HOSTILE, given, attrs, renderer=DjangoTemplates())

    assert widget.template_name in WRITTEN
    assert without_white_space(ours) == without_white_space(theirs)
    assert "<script>" not in ours


@pytest.mark.parametrize("wrap_label", [True, False])
def test_one_of_several_choices_is_what_its_template_makes_of_it(wrap_label: bool) -> None:
    for widget in (forms.RadioSelect(choices=CHOICES), forms.CheckboxSelectMultiple(choices=CHOICES)):
        for option in widget.subwidgets("name", HOSTILE, {"id": "id"}):
            context = {"widget": option | {"wrap_label": wrap_label}}
            ours, theirs = (
                renderer.render(option["template_name"], context)
                for renderer in (FormRenderer(), DjangoTemplates())
            )
            assert without_white_space(ours) == without_white_space(theirs)
            assert "<script>" not in ours


class Names(forms.Form):
    plain = forms.CharField(label=HOSTILE, help_text=HOSTILE, required=False)
    marked = forms.CharField(label=gettext_lazy("Yes"), help_text=format_html("<b>{}</b>", HOSTILE))
    ticked = forms.BooleanField(label=HOSTILE, help_text=HOSTILE)
    several = forms.MultipleChoiceField(
        label=HOSTILE, help_text=HOSTILE, choices=CHOICES[:2], widget=forms.CheckboxSelectMultiple
    )


def field_of(name: str, **data: object) -> SafeString:
    form = Names(data, auto_id=f"{HOSTILE}%s") if data else Names(auto_id=f"{HOSTILE}%s")
    return form[name].as_field_group()


@pytest.mark.parametrize("name", Names.base_fields)
@pytest.mark.parametrize("data", [{}, {"plain": HOSTILE, "marked": "", "several": [HOSTILE + "unknown"]}])
def test_no_part_of_a_field_gets_into_the_page_unescaped(name: str, data: dict[str, Any]) -> None:
    html = field_of(name, **data)

    assert "<script>" not in html
    assert f'{escape(HOSTILE)}{name}_helptext"' in html


def test_what_is_marked_safe_is_shown_as_it_is() -> None:
    assert f"<b>{escape(HOSTILE)}</b>" in field_of("marked")


def test_errors_are_what_their_template_makes_of_them() -> None:
    for name in Names.base_fields:
        errors = Names({"several": [HOSTILE + "unknown"]}, auto_id=f"{HOSTILE}%s")[name].errors

        assert errors.render(renderer=FormRenderer()) == errors.render(renderer=DjangoTemplates())
        assert "<script>" not in str(errors)


def test_what_is_wrong_stands_between_the_label_and_the_field() -> None:
    html = field_of("marked", marked="")

    assert html.startswith('<div class="field has-errors">')
    assert html.index("</label>") < html.index("_helptext") < html.index("errorlist") < html.index("<input")
    assert 'aria-invalid="true"' in html


def test_a_checkbox_stands_in_its_label_and_a_group_of_them_in_a_fieldset() -> None:
    assert '<label class="choice"' in field_of("ticked")
    assert "<legend>" in field_of("several")


@pytest.mark.parametrize(("required", "mark"), [(True, ""), (False, "(optional)")])
def test_a_label_says_what_may_stay_empty(required: bool, mark: str) -> None:
    class One(forms.Form):
        name = forms.CharField(required=required)

    assert ("(optional)" in One()["name"].as_field_group()) == bool(mark)


def test_a_widget_that_is_not_written_here_comes_from_its_template() -> None:
    template = forms.ClearableFileInput().template_name

    assert template not in WRITTEN
    assert forms.ClearableFileInput().render("file", None, renderer=FormRenderer()) == (
        '<input type="file" name="file">'
    )
