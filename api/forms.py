"""Bodies through the Django forms of the screens, so that both obey the same rules."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from django import forms

from api.operations import InvalidFields
from api.problems import FieldError
from core.crud.fields.rows import Rows
from core.crud.fields.widgets import BoundParts

F = TypeVar("F", bound=forms.Form)


def valid(form: F, names: Mapping[str, str]) -> F:
    """The form, or InvalidFields. `names` has the fields of the form by their names in the body."""
    if form.is_valid():
        return form
    fields = {field: name for name, field in names.items()}
    errors: list[FieldError] = []
    for field in form.errors:
        pointer = f"/body/{fields[field]}" if field in fields else "/body"
        errors += list(_within(form, field, pointer)) or _at(pointer, form.errors[field])
    raise InvalidFields(errors)


def _within(form: forms.Form, field: str, pointer: str) -> Iterator[FieldError]:
    """What is wrong in the parts of a field that consists of small forms."""
    bound = form[field] if field in form.fields else None
    if not isinstance(bound, BoundParts):
        return
    parts = bound.parts.forms if isinstance(bound.parts, Rows) else [bound.parts]
    for number, part in enumerate(parts):
        place = f"{pointer}/{number}" if isinstance(bound.parts, Rows) else pointer
        for name, problems in part.errors.items():
            yield from _at(f"{place}/{name}" if name in part.fields else place, problems)


def _at(pointer: str, problems: Iterable[object]) -> list[FieldError]:
    return [FieldError(pointer, str(problem)) for problem in problems]
