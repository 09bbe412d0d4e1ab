"""Somebody else saved first: both versions, side by side, with everything that was typed."""

from dataclasses import dataclass
from typing import Any

from crud.forms import RecordForm


@dataclass(frozen=True)
class Contested:
    """A field that is stored otherwise than it was typed."""

    title: str
    mine: str
    theirs: str


def contested(form: RecordForm, stored: Any) -> list[Contested]:
    theirs = form.initial_of(stored)
    return [
        Contested(str(field.label), str(form.cleaned_data[name] or ""), str(theirs[name] or ""))
        for name, field in form.fields.items()
        if (form.cleaned_data[name] or None) != (theirs[name] or None)
    ]
