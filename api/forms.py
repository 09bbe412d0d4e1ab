"""Bodies through the Django forms of the screens, so that both obey the same rules."""

from collections.abc import Mapping
from typing import TypeVar

from django import forms

from api.operations import InvalidFields
from api.problems import FieldError

F = TypeVar("F", bound=forms.Form)


def valid(form: F, names: Mapping[str, str]) -> F:
    """The form, or InvalidFields. `names` has the fields of the form by their names in the body."""
    if form.is_valid():
        return form
    fields = {field: name for name, field in names.items()}
    raise InvalidFields(
        [
            FieldError(f"/body/{fields[field]}" if field in fields else "/body", str(problem))
            for field, problems in form.errors.items()
            for problem in problems
        ]
    )
