"""One document of a Payload export: its values by name, and the notes about it for the report."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self
from uuid import UUID, uuid5

from django import forms
from django.core.exceptions import ValidationError

from core.dynamo.attributes import from_iso

# Must never change: with another namespace a repeated import would create every record a second time.
IDS = UUID("6f2d4a1e-7c35-5b8f-9a60-3d1c52e7f048")
# Fields that are internal to Payload, or that every record gets anew here.
BOOKKEEPING = {"id", "createdAt", "updatedAt", "deletedAt", "_status", "globalType", "collection", "__v"}
EMPTY: tuple[Any, ...] = (None, "", [], {})
LONGEST_QUOTE = 80
# Years outside are typing mistakes, and some of them overflow date arithmetic.
YEARS = range(1900, 2201)


class NotImported(Exception):
    """The document cannot be imported; somebody has to correct it."""


class LeftOut(Exception):
    """The document is skipped on purpose; nobody has to act."""


def our_id(collection: str, key: str) -> str:
    """The id of the record here, a UUIDv5: the same for each run of the import."""
    return str(uuid5(IDS, f"{collection}/{key}"))


def key_in(relation: object) -> str:
    """The id in a relation: the value is an id or, if the export was populated, the whole document."""
    if isinstance(relation, dict) and "relationTo" in relation:
        relation = relation.get("value")
    if isinstance(relation, dict):
        relation = relation.get("id")
    is_id = isinstance(relation, int | str) and not isinstance(relation, bool)
    return str(relation) if is_id else ""


@dataclass
class Document:
    """`notes`: what changed in the import or could not be carried over; `_taken`: fields that were read."""

    collection: str
    key: str
    values: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    _taken: set[str] = field(default_factory=set)

    @property
    def id(self) -> str:
        return our_id(self.collection, self.key)

    @property
    def label(self) -> str:
        """The title or name, quoted, for the report."""
        names = (self.values.get(name) for name in ("title", "name", "filename", "traveler", "email"))
        return next((quoted(name) for name in names if isinstance(name, str) and name), "")

    def anew(self) -> Self:
        """A copy without notes and without fields marked as read."""
        return replace(self, notes=[], _taken=set())

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    # --- Values ----------------------------------------------------------------------------------------

    def get(self, *names: str) -> Any:
        """The first value under these names that is not None; `people.coaches` is a field in a group."""
        self._taken.update(names)
        found = (_value_at(self.values, name) for name in names)
        return next((value for value in found if value is not None), None)

    def text(self, *names: str) -> str:
        value = self.get(*names)
        if value is None or isinstance(value, str):
            return value or ""
        self.note(f"“{names[0]}” is not a text and was left out: “{quoted(value)}”")
        return ""

    def moment(self, *names: str) -> datetime | None:
        value = self.get(*names)
        moment = moment_in(value)
        if value and moment is None:
            self.note(f"“{names[0]}” is not a time and was left out: “{quoted(value)}”")
        return moment

    def listed(self, *names: str) -> list[Any]:
        value = self.get(*names)
        if value is None:
            return []
        return value if isinstance(value, list) else [value]

    def needed(self, form: type[forms.Form], field_name: str, value: object) -> Any:
        """The value cleaned by the form field; raises NotImported if it is not valid."""
        try:
            return form.base_fields[field_name].clean(value)
        except ValidationError as error:
            raise NotImported(f"“{field_name}”: {' '.join(error.messages)}") from error

    def needed_text(self, form: type[forms.Form], name: str) -> Any:
        return self.needed(form, name, self.text(name))

    def wanted(self, form: type[forms.Form], field_name: str, value: object) -> Any:
        """The value cleaned by the form field; None and a note if it is not valid."""
        if value in EMPTY:
            return None
        try:
            return form.base_fields[field_name].clean(value)
        except ValidationError as error:
            why = " ".join(error.messages)
            self.note(f"“{field_name}” was left out: “{quoted(value)}” ({why})")
            return None

    def wanted_texts(self, form: type[forms.Form], *names: str) -> dict[str, Any]:
        return {name: self.wanted(form, name, self.text(name)) for name in names}

    # --- Fields that nothing has read ------------------------------------------------------------------

    def note_left_over(self) -> None:
        for name, value in self._left_over():
            if value not in EMPTY and value is not False:
                self.note(f"“{name}” has no place here: “{quoted(value)}”")

    def _left_over(self) -> Iterator[tuple[str, Any]]:
        for name, value in self.values.items():
            if name in BOOKKEEPING or name in self._taken:
                continue
            if isinstance(value, dict):
                inner = ((f"{name}.{part}", each) for part, each in value.items())
                yield from (pair for pair in inner if pair[0] not in self._taken)
            else:
                yield name, value

    def ignore(self, *names: str) -> None:
        """Mark fields as read that are known not to be needed."""
        self._taken.update(names)


def moment_in(value: object) -> datetime | None:
    """The time in an ISO string, cut to milliseconds as stored; None if it is no valid time."""
    try:
        moment = from_iso(value) if isinstance(value, str) else None
    except (ValueError, OverflowError):
        return None
    if moment is None or moment.year not in YEARS:
        return None
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def quoted(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    on_one_line = " ".join(text.split())
    return on_one_line if len(on_one_line) <= LONGEST_QUOTE else on_one_line[:LONGEST_QUOTE] + "…"


def _value_at(values: dict[str, Any], name: str) -> Any:
    group, _dot, inner = name.partition(".")
    value = values.get(group)
    if not inner:
        return value
    return value.get(inner) if isinstance(value, dict) else None
