"""Refuses texts of invisible characters, which would make an empty title or name."""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

# Unicode's Default_Ignorable_Code_Point, and the blank Braille pattern.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


def refuse_invisible(form: forms.Form) -> None:
    """Add an error to a text that is empty or too short without its invisible characters.

    The characters stay in the value: emoji and some scripts need them.
    """
    for name, value in list(form.cleaned_data.items()):
        field = form.fields.get(name)
        if isinstance(field, forms.CharField) and isinstance(value, str) and INVISIBLE.search(value):
            try:
                _check(form, name, field, value)
            except ValidationError as error:
                form.add_error(name, error)


def _check(form: forms.Form, name: str, field: forms.CharField, value: str) -> None:
    seen: Any = field.clean(INVISIBLE.sub("", value))
    if seen in field.empty_values:
        form.cleaned_data[name] = seen
