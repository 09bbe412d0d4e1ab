"""Somebody else saved first: what was typed beside what is stored now, in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _


@dataclass(frozen=True)
class Contested:
    """A field that is stored otherwise than it was typed."""

    title: str
    mine: str
    theirs: str


def contested_fields(form: forms.Form, theirs: Mapping[str, Any]) -> list[Contested]:
    """What `core/crud/contested.html` shows; `theirs` is what the form would begin with now."""
    both = {
        name: (_shown(field, form.cleaned_data[name]), _shown(field, theirs[name]))
        for name, field in form.fields.items()
    }
    return [
        Contested(str(form.fields[name].label), mine, stored)
        for name, (mine, stored) in both.items()
        if mine != stored
    ]


def _shown(field: forms.Field, value: Any) -> str:
    if isinstance(field, forms.ChoiceField):
        chosen = value or ""
        return str(dict(field.choices).get(chosen, chosen))  # type: ignore[arg-type]
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, datetime):
        return date_format(localtime(value), "SHORT_DATETIME_FORMAT")
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    if isinstance(value, list):
        return "\n".join(", ".join(str(part) for part in row.values()) for row in value)
    return "" if value is None else str(value)
