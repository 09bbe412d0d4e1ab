"""A field of repeatable rows: each row is a small form, and the value is a list of their cleaned data."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from core.crud.fields.widgets import BoundParts, Data, PartsWidget, texts_in

if TYPE_CHECKING:
    from core.crud.fields.forms import RowForm

NUMBER = re.compile(r"0|[1-9][0-9]{0,4}")
# Placeholder for the number in the blank row, which JavaScript replaces in each copy.
BLANK = "__row__"
CHECK_ROWS = _("Correct the fields marked below.")
TOO_MANY = _("You can add at most %(most)d rows. Remove some.")
TOO_FEW = ngettext_lazy("Add at least %(least)d row.", "Add at least %(least)d rows.", "least")

RawRow = dict[str, list[str]]


@dataclass(frozen=True)
class Rows:
    """The rows of one form. `focus` is the button to focus: its name and the number of the row."""

    forms: Sequence["RowForm"]
    blank: "RowForm"
    too_many: bool = False
    focus: tuple[str, int] | None = None


class RowsWidget(PartsWidget):
    """A row is posted as `<field>-<number>-<name>`; `<field>-rows` lists the numbers in their order."""

    template_name = "core/crud/rows.html"
    buttons = ("add", "remove", "up", "down")
    row: type["RowForm"]
    min_rows = 0
    max_rows = 20

    def wants_help(self, data: Data, name: str) -> bool:
        return super().wants_help(data, name) or any(
            form.wants_help() for form in self.value_from_datadict(data, None, name).forms
        )

    def value_from_datadict(self, data: Data, files: Any, name: str) -> Rows:
        numbers = _numbers(data, name)
        rows = [_raw_row(data, f"{name}-{number}-") for number in numbers[: self.max_rows]]
        focus = None
        if f"{name}-add" in data and len(rows) < self.max_rows:
            rows.append({})
            focus = ("first", len(rows) - 1)
        for button in ("remove", "up", "down"):
            pressed = data.get(f"{name}-{button}")
            if pressed in numbers[: self.max_rows]:
                focus = _press(button, rows, numbers.index(pressed))
        posted = [self._posted(row, f"{name}-{place}") for place, row in enumerate(rows)]
        if focus and focus[0] == "first":
            first = next(iter(posted[-1].fields.values()))
            first.widget.attrs["autofocus"] = True
        return Rows(posted, self._blank(name), too_many=len(numbers) > self.max_rows, focus=focus)

    def of_stored(self, value: object, name: str) -> Rows:
        """The rows of a stored value, with blank rows up to `min_rows`."""
        stored = [dict(row) for row in value] if isinstance(value, Sequence) else []
        stored += [{} for _row in range(self.min_rows - len(stored))]
        forms = [
            self.row(initial=row, prefix=f"{name}-{place}", use_required_attribute=False)
            for place, row in enumerate(stored)
        ]
        return Rows(forms, self._blank(name))

    def get_context(self, name: str, value: object, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, None, attrs)
        rows = value if isinstance(value, Rows) else self.of_stored(value, name)
        if context["widget"]["attrs"].get("autofocus"):
            _focus_first_error(rows)
        context["widget"] |= {
            "rows": rows,
            "title": self.row.title,
            "blank": BLANK,
            "max_rows": self.max_rows,
            "is_full": len(rows.forms) >= self.max_rows,
        }
        return context

    def _posted(self, row: RawRow, prefix: str) -> "RowForm":
        """The bound form of a row, without errors until the field is cleaned."""
        data = MultiValueDict({f"{prefix}-{name}": values for name, values in row.items()})
        form = self.row(data, prefix=prefix, use_required_attribute=False)
        form.show_as_typed()
        return form

    def _blank(self, name: str) -> "RowForm":
        return self.row(prefix=f"{name}-{BLANK}", use_required_attribute=False)


class RowsField(forms.Field):
    """Cleans to a list of the rows' cleaned data, without blank rows."""

    widget: RowsWidget = RowsWidget  # type: ignore[assignment]

    def __init__(self, row: type["RowForm"], *, min_rows: int = 0, max_rows: int = 20, **kwargs: Any) -> None:
        super().__init__(**{"required": min_rows > 0, **kwargs})
        self.min_rows, self.max_rows = min_rows, max_rows
        self.widget.row = row
        self.widget.min_rows, self.widget.max_rows = min_rows, max_rows

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> BoundParts:
        return BoundParts(form, self, field_name)

    def clean(self, value: object) -> list[dict[str, Any]]:
        if not isinstance(value, Rows):
            return [dict(row) for row in value] if isinstance(value, Sequence) else []
        if value.too_many:
            raise ValidationError(TOO_MANY, params={"most": self.max_rows})
        filled = [form for form in value.forms if not is_blank(form)]
        for form in filled:
            form.full_clean()
        if any(form.errors for form in filled):
            raise ValidationError(CHECK_ROWS)
        # `min_rows` applies only if the field is required: a draft needs no rows.
        if self.required and len(filled) < self.min_rows:
            raise ValidationError(TOO_FEW, params={"least": self.min_rows})
        return [form.cleaned_data for form in filled]

    def has_changed(self, initial: object, data: object) -> bool:
        if self.disabled or not isinstance(data, Rows):
            return False
        stored = [dict(row) for row in initial] if isinstance(initial, Sequence) else []
        filled = [form for form in data.forms if not is_blank(form)]
        if data.too_many or len(filled) != len(stored):
            return True
        return any(differs(form, row) for form, row in zip(filled, stored, strict=True))


def is_blank(form: forms.Form) -> bool:
    """Whether the row is empty; a preselected value counts as filled in."""
    return not any(bound.field.has_changed(None, bound.data) for bound in form)


def differs(form: forms.Form, row: Mapping[str, Any]) -> bool:
    return any(bound.field.has_changed(row.get(bound.name), bound.data) for bound in form)


def _numbers(data: Data, name: str) -> list[str]:
    """The numbers of the rows in the order of `<field>-rows`; rows that it does not list follow by number."""
    beginning = re.compile(rf"{re.escape(name)}-({NUMBER.pattern})-")
    named = [number for number in texts_in(data, f"{name}-rows") if NUMBER.fullmatch(number)]
    others = {match[1] for match in map(beginning.match, data) if match}
    return list(dict.fromkeys([*named, *sorted(others, key=int)]))


def _raw_row(data: Data, beginning: str) -> RawRow:
    return {name.removeprefix(beginning): texts_in(data, name) for name in data if name.startswith(beginning)}


def _press(button: str, rows: list[RawRow], place: int) -> tuple[str, int]:
    """Move or remove the row of the pressed button; returns the button to focus."""
    row = rows.pop(place)
    if button == "remove":
        return ("remove", min(place, len(rows) - 1)) if rows else ("add", 0)
    place = max(place - 1, 0) if button == "up" else min(place + 1, len(rows))
    rows.insert(place, row)
    return button, place


def _focus_first_error(rows: Rows) -> None:
    for form in rows.forms:
        for name in form.errors:
            if name in form.fields:
                form.fields[name].widget.attrs["autofocus"] = True
                return
