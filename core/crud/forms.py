"""The base of every record's form: plain Django forms that know drafts and lead to what must be corrected."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from core.crud.fields import HelpedForm
from core.dynamo.errors import DataError
from core.dynamo.items import Item

# What a form carries beside the record's own fields.
OWN_FIELDS = {"csrfmiddlewaretoken", "version", "copy_version", "form_id", "new", "once", "then"}
CHOICE_PREFIX = "take-"

Typed = dict[str, list[str]]


class RefusableForm(HelpedForm):
    """A form that can show what a service refused, and leads to the first thing to correct."""

    def add_refusal(self, error: DataError) -> int:
        """Show why a service refused, with the focus at its field; returns the status of the answer."""
        has_field = error.field in self.fields
        self.add_error(error.field if has_field else None, str(error))
        self.focus_first_error()
        return error.status_code_at_field if has_field else error.status_code

    def first_error(self) -> str:
        """The first problem, at a field or with the whole form; empty if there is none."""
        return next((str(problems[0]) for problems in self.errors.values()), "")

    def focus_first_error(self) -> None:
        first = next((name for name in self.fields if name in self.errors), None)
        if first:
            self.fields[first].widget.attrs["autofocus"] = True


class RecordForm(RefusableForm):
    """The fields have the names of the record's attributes.

    A draft needs only what `draft_needs` names; everything that is required counts when it is published.
    """

    draft_needs: ClassVar[tuple[str, ...]] = ()
    # The fields shown beside the text on a wide screen, such as dates and authors.
    aside: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        files: MultiValueDict[str, Any] | None = None,
        *,
        initial: Mapping[str, Any] | None = None,
        is_draft: bool = False,
    ) -> None:
        super().__init__(data, files, initial=dict(initial or {}))
        for name, field in self.fields.items():
            _offer_stored(field, self.initial.get(name))
        # Browsers complain about an empty field in words of their own, and drafts may have them.
        self.use_required_attribute = False
        if is_draft:
            for name, field in self.fields.items():
                needed_later = field.required and name not in self.draft_needs
                field.is_needed_to_publish = needed_later  # type: ignore[attr-defined]
                field.required = field.required and name in self.draft_needs

    def _clean_fields(self) -> None:
        """What was not changed stays as it is stored, also where another program has stored it otherwise."""
        super()._clean_fields()  # type: ignore[misc]
        for name, field in self.fields.items():
            stored = self[name].initial
            if stored not in field.empty_values and not _is_changed(field, stored, self[name].data):
                self._errors.pop(name, None)
                self.cleaned_data[name] = stored

    @classmethod
    def initial_of(cls, record: Item) -> dict[str, Any]:
        return {name: getattr(record, name) for name in cls.base_fields}

    def leave_out(self, names: Iterable[str]) -> None:
        """Neither shown nor read: what the record has there stays."""
        for name in names:
            self.fields.pop(name, None)

    def knows(self, posted_name: str) -> bool:
        """Whether what was posted under a name is part of one of the fields."""
        return any(belongs(posted_name, name) for name in self.fields)

    def focus_first_field(self) -> None:
        next(iter(self.fields.values())).widget.attrs["autofocus"] = True

    def main_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in self.aside]

    def side_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.aside if name in self.fields]


def _offer_stored(field: forms.Field, stored: object) -> None:
    """Let a choice keep what another program has stored, which the form does not offer otherwise."""
    if not isinstance(field, forms.ChoiceField) or not isinstance(stored, str):
        return
    if stored and not field.valid_value(stored):
        field.choices = [*field.choices, (stored, stored)]  # type: ignore[misc]


def _is_changed(field: forms.Field, stored: object, data: object) -> bool:
    if isinstance(stored, str) and isinstance(data, str):
        # Browsers end lines in their own way, and fields strip what is typed.
        return _plain(stored) != _plain(data)
    return field.has_changed(stored, data)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def belongs(posted_name: str, field_name: str) -> bool:
    """Whether what was posted under a name is part of this field."""
    return posted_name == field_name or posted_name.startswith(f"{field_name}-")


def typed_in(posted: QueryDict) -> Typed:
    """The record's own fields exactly as they were typed: what a working copy keeps."""
    return {
        name: [str(value) for value in values]
        for name, values in posted.lists()
        if name not in OWN_FIELDS and not name.startswith(CHOICE_PREFIX)
    }


def as_posted(typed: Mapping[str, Iterable[str]]) -> QueryDict:
    """What was typed as a form takes it."""
    posted = QueryDict(mutable=True)
    for name, values in typed.items():
        posted.setlist(name, list(values))
    return posted
