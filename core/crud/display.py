"""Field values as text: in histories, comparisons and read-only pages."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import RIGHTS, may
from core.accounts.user import User
from core.content.richtext import plain_text
from core.content.status import STATUSES
from core.crud.fields import PickerField, RowsField
from core.crud.fields.picker import DELETED, is_possible, keys_of
from core.crud.fields.richtext import RichTextField
from core.crud.fields.rows import is_blank
from core.crud.fields.widgets import BoundParts
from core.crud.forms import RecordForm, Typed, belongs
from core.crud.registry import has_resource, resource_for
from core.crud.resource import Resource
from core.dynamo.errors import Text
from core.dynamo.registry import RecordRef, records_at, repository_for

# The labels of the records that some values refer to.
Names = dict[RecordRef, str]
NOT_VISIBLE = gettext_lazy("(not visible to you)")
EMPTY: tuple[Any, ...] = (None, "", [], {}, set(), ())
# Attributes that many records have and no form sets.
COMMON_FIELDS: dict[str, forms.Field] = {
    "status": forms.ChoiceField(label=gettext_lazy("Status"), choices=STATUSES),
    "slug": forms.Field(label=gettext_lazy("Web address")),
    "published_date": forms.Field(label=gettext_lazy("Publication date")),
}


class InWords(forms.Field):
    """A field whose value `words` turns into text, part by part."""

    def __init__(self, words: Callable[[Any], str], **options: Any) -> None:
        super().__init__(**options)
        self.words = words


class UnparsedText(str):
    """Typed text that its field cannot parse."""


@dataclass(frozen=True)
class Fact:
    title: Text
    text: str


def facts_of(fields: Mapping[str, forms.Field], values: Mapping[str, Any], user: User) -> list[Fact]:
    names = names_in([(each, values.get(name)) for name, each in fields.items()], user)
    return [
        Fact(title_of(each), display_value(each, values.get(name), names)) for name, each in fields.items()
    ]


def names_in(values: Iterable[tuple[forms.Field, Any]], user: User) -> Names:
    """The labels of all records that these values refer to, by one BatchGet."""
    places = {place for each, value in values for place in _places(each, value)}
    records = records_at(sorted(places)) if places else {}
    return {(entity, key): _name(user, entity, record) for (entity, key), record in records.items()}


def title_of(shown_field: forms.Field) -> Text:
    return shown_field.label or ""


def field_of(resource: Resource, name: str) -> forms.Field | None:
    """The field that displays an attribute, made from its title if no form has it; None for internal ones."""
    field = resource.form.base_fields.get(name) or resource.history_fields.get(name)
    if field is not None:
        return field
    column = next((each for each in resource.columns if each.name == name), None)
    if column is not None and column.to:
        return PickerField(to=column.to, many=True, label=cast(str, column.title))
    title = resource.titles.get(name)
    if title is None and name in COMMON_FIELDS:
        return COMMON_FIELDS[name]
    if title is None and name in resource.internal | _index_keys(resource):
        return None
    return forms.Field(label=cast(str, title or name.replace("_", " ").capitalize()))


def display_value(shown_field: forms.Field, value: Any, names: Names = Names()) -> str:  # noqa: B008
    """A value as text; the empty text for an empty value."""
    if value in EMPTY:
        return ""
    if isinstance(value, UnparsedText):
        return value
    if isinstance(shown_field, RichTextField):
        return plain_text(value)
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, datetime):
        return date_format(localtime(value), "DATETIME_FORMAT")
    if isinstance(value, date):
        return date_format(value, "DATE_FORMAT")
    return ", ".join(filter(None, display_parts(shown_field, value, names)))


def display_parts(shown_field: forms.Field, value: Any, names: Names) -> list[str]:
    """The parts of a list value, each as text."""
    parts = _several(value)
    if isinstance(shown_field, InWords):
        return [shown_field.words(each) for each in parts]
    if isinstance(shown_field, PickerField):
        return [names.get((shown_field.to, str(key)), str(DELETED)) for key in parts]
    if isinstance(shown_field, RowsField):
        return [_row_shown(shown_field, row, names) for row in parts]
    if isinstance(shown_field, forms.ChoiceField):
        choices = cast(Iterable[tuple[Any, Any]], shown_field.choices)
        texts = {str(choice): str(text) for choice, text in choices}
        return [texts.get(str(each), str(each)) for each in parts]
    return [_plain_row(each) for each in parts]


def initial_values(form: RecordForm) -> dict[str, Any]:
    """The initial values of the bound fields, which are empty for a field that follows others."""
    return {name: form[name].initial for name in form.fields}


def typed_values(form: RecordForm) -> dict[str, Any]:
    """The values of a bound form: cleaned where valid, else as they were typed."""
    form.is_valid()
    cleaned = getattr(form, "cleaned_data", {})
    return {name: cleaned[name] if name in cleaned else _as_typed(form, name) for name in form.fields}


def part_of(typed: Typed, field_name: str) -> Typed:
    return {name: values for name, values in typed.items() if belongs(name, field_name)}


def _as_typed(form: RecordForm, name: str) -> Any:
    if isinstance(form.fields[name], PickerField):
        return form[name].data
    if isinstance(form.fields[name], RowsField):
        return [_typed_row(row) for row in cast(BoundParts, form[name]).parts.forms if not is_blank(row)]
    posted = cast(QueryDict, form.data)
    texts = (
        text
        for each in posted
        if each == name or not isinstance(form.fields[name], RichTextField)
        if belongs(each, name)
        for text in posted.getlist(each)
    )
    return UnparsedText(" · ".join(filter(None, texts)))


def _typed_row(row: forms.Form) -> dict[str, Any]:
    return {name: row[name].data for name in row.fields}


def _places(shown_field: forms.Field, value: Any) -> Iterator[RecordRef]:
    if isinstance(value, UnparsedText):
        return
    if isinstance(shown_field, PickerField):
        for key in keys_of(value):
            if is_possible(shown_field.to, key):
                yield shown_field.to, key
    elif isinstance(shown_field, RowsField):
        for row in value or ():
            for name, part in shown_field.widget.row.base_fields.items():
                yield from _places(part, row.get(name))


def _name(user: User, entity: str, record: Any) -> str:
    """The label of a record, if the person may see it: posting a key must not reveal it."""
    repository = repository_for(entity)
    if has_resource(entity):
        is_visible = resource_for(entity).may(user, "view", record)
    else:
        # An entity without a resource: by its view right, if there is one.
        right = f"{repository.scope}.{entity}.view"
        is_visible = right in RIGHTS and may(user, right, record)
    return repository.label_of(record) or _("Untitled") if is_visible else str(NOT_VISIBLE)


def _index_keys(resource: Resource) -> set[str]:
    """The attributes that are keys of an index."""
    model = resource.repository.model
    by_stored_name = {each.attr_name: name for name, each in model.get_attributes().items()}
    indexes = model._get_schema()["global_secondary_indexes"]
    return {by_stored_name[key["AttributeName"]] for index in indexes for key in index["key_schema"]}


def _several(value: Any) -> list[Any]:
    if isinstance(value, set | frozenset):
        return sorted(value)
    return list(value) if isinstance(value, list | tuple) else [value]


def _row_shown(rows: RowsField, row: Mapping[str, Any], names: Names) -> str:
    parts = (display_value(part, row.get(name), names) for name, part in rows.widget.row.base_fields.items())
    return " · ".join(filter(None, parts))


def _plain_row(value: Any) -> str:
    return " · ".join(str(part) for part in value.values()) if isinstance(value, dict) else str(value)
