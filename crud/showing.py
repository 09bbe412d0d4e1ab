"""Values of form fields as people read them: in histories, comparisons and read-only pages."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast

from django import forms
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from crud.forms import RecordForm
from crud.richtext import RichTextField, plain_text
from dynamo.errors import Text


@dataclass(frozen=True)
class Fact:
    title: Text
    text: str


def facts(form: RecordForm) -> Iterator[Fact]:
    """What a form would show, for those who may only look."""
    for name, field in form.fields.items():
        yield Fact(field.label or name, shown(field, form.initial.get(name)))


def shown(field: forms.Field, value: Any) -> str:
    """A stored value in words; nothing is an empty text."""
    if value is None or value == "" or value == []:
        return ""
    if isinstance(field, RichTextField):
        return plain_text(value)
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, datetime):
        return date_format(localtime(value), "DATETIME_FORMAT")
    if isinstance(value, date):
        return date_format(value, "DATE_FORMAT")
    if hasattr(field, "label_of"):
        return _joined(field.label_of(key) for key in _several(value))
    if isinstance(field, forms.ChoiceField):
        texts = {str(choice): str(text) for choice, text in cast(Iterable[tuple[Any, Any]], field.choices)}
        return _joined(texts.get(str(each), str(each)) for each in _several(value))
    return _joined(_row(each) for each in _several(value))


def _several(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple | set | frozenset) else [value]


def _row(value: Any) -> str:
    """A row of a list field is shown with its parts side by side."""
    return " · ".join(str(part) for part in value.values()) if isinstance(value, dict) else str(value)


def _joined(texts: Any) -> str:
    return ", ".join(filter(None, texts))
