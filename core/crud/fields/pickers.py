"""The pickers and the texts with pictures of a form, rows included, and whether what they name exists."""

from collections.abc import Iterator
from typing import NamedTuple

from django import forms

from core.accounts.user import User
from core.crud.fields.picker import PickerField, is_possible
from core.crud.fields.richtext import RichTextField
from core.crud.fields.rows import CHECK_ROWS, Rows
from core.crud.fields.widgets import BoundParts
from core.crud.registry import resource_for
from core.dynamo.errors import Unavailable
from core.dynamo.items import Item
from core.dynamo.registry import RecordRef, records_at


class Picker(NamedTuple):
    """A picker of a form or of one of its rows, or a text with pictures. `known` are the stored keys."""

    bound: forms.BoundField
    field: PickerField | RichTextField
    known: frozenset[str]
    # The name of the form's field: the picker itself, or the rows field around it.
    name: str


def refuse_unknown(form: forms.Form, chooser: User | None) -> None:
    """Add an error to each picker with a newly chosen record that does not exist.

    A record that the user may not view gets the same error, which does not reveal that it exists.
    """
    new = [
        (each, (each.field.to, key))
        for each in pickers_of(form)
        for key in each.field.keys_of(getattr(each.bound.form, "cleaned_data", {}).get(each.bound.name))
        if key not in each.known
    ]
    if not new:
        return
    try:
        records = records_of([place for _each, place in new])
    except Unavailable:
        # The write will raise the same outage, and the form is shown again.
        return
    chosen = {place for place, record in records.items() if _may_choose(chooser, place, record)}
    for each in dict.fromkeys(each for each, place in new if place not in chosen):
        each.bound.form.add_error(each.bound.name, str(each.field.gone))
        if each.bound.form is not form and each.name not in form.errors:
            form.add_error(each.name, str(CHECK_ROWS))


def _may_choose(chooser: User | None, place: RecordRef, record: Item) -> bool:
    entity, _key = place
    return chooser is None or resource_for(entity).may(chooser, "view", record)


def pickers_of(form: forms.Form) -> Iterator[Picker]:
    for name in form.fields:
        bound = form[name]
        field = bound.field
        if isinstance(field, PickerField) or (isinstance(field, RichTextField) and field.to):
            yield Picker(bound, field, frozenset(field.keys_of(bound.initial)), name)
        elif isinstance(bound, BoundParts) and isinstance(bound.parts, Rows):
            yield from _pickers_in_rows(bound)


def _pickers_in_rows(rows: BoundParts) -> Iterator[Picker]:
    """The pickers of all rows, and of the blank row that JavaScript copies."""
    for form in (*rows.parts.forms, rows.parts.blank):
        for each in pickers_of(form):
            stored = (row.get(each.bound.name) for row in rows.initial or ())
            stored_keys = (key for value in stored for key in each.field.keys_of(value))
            yield each._replace(known=frozenset(stored_keys), name=rows.name)


def records_of(places: list[RecordRef]) -> dict[RecordRef, Item]:
    # Strong, because the record may have just been created in the dialog.
    return records_at([place for place in places if is_possible(*place)], strong=True)
