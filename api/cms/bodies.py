"""Bodies of content, from the forms of its pages: their schemas, and what a browser would post of them."""

import json
from collections.abc import Callable, Collection, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from django import forms
from django.utils.translation import override
from pydantic import BeforeValidator, Field, create_model

from api.fields import NOT_BLANK, SENT, TEXT, Day, SentMoment, limits, whole
from cms.events.forms import PostalCodeField
from cms.events.models import postal_code
from core.crud.fields import ClubDateTimeField, GroupField, PickerField, RowsField, TagsField
from core.crud.fields.richtext import RichTextField
from core.crud.forms import RecordForm
from core.dynamo.references import MOST_PER_FIELD

Posted = dict[str, list[Any]]


class Kind(NamedTuple):
    """How a kind of field is sent: its type, and what a browser posts of a value that is not null."""

    type_of: Callable[[Any], Any]
    posted: Callable[[str, Any, Any], Posted]


def body_of(title: str, form: type[RecordForm], names: Mapping[str, str], needed: Collection[str]) -> Any:
    """The schema of a body with the fields of a form; `names` has their attributes by their names in it."""
    by_attribute = {attribute: name for name, attribute in names.items()}
    return _schema(title, form, needed, by_attribute, form.draft_needs)


def posted_of(name: str, field: forms.Field, value: Any) -> Posted:
    """What a browser posts of a field with this value. A time stays one: local times may come twice."""
    kind = _kind_of(field)
    return {name: [""]} if value is None and kind is not GROUP else kind.posted(name, field, value)


# --- The kinds --------------------------------------------------------------------------------------------


Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", examples=["18:00"])]
Key = Annotated[str, Field(min_length=1, max_length=200)]
Keys = Annotated[list[Key], Field(max_length=MOST_PER_FIELD)]
Tag = Annotated[str, Field(pattern=r"^[^,\r\n]*$")]
Text = Annotated[dict[str, Any], Field(description="The text as a document of the editor (ProseMirror).")]


def _one(name: str, _field: Any, value: Any) -> Posted:
    return {name: [value]}


def _several(name: str, _field: Any, value: Any) -> Posted:
    return {name: list(value)}


def _posted_flag(name: str, _field: Any, value: bool) -> Posted:
    return {name: ["on"]} if value else {}


def _choices(field: Any) -> Any:
    return Literal[tuple(value for value, _title in field.choices if value)]


def _part_of(field: Any) -> Any:
    form = field.widget.part if isinstance(field, GroupField) else field.widget.row
    needed = [name for name, part in form.base_fields.items() if part.required]
    return _schema(form.__name__.replace("Form", "Sent"), form, needed, {})


def _posted_parts(name: str, form: Any, parts: Mapping[str, Any]) -> Posted:
    posted: Posted = {}
    for part, value in parts.items():
        posted |= posted_of(f"{name}-{part}", form.base_fields[part], value)
    return posted


def _posted_group(name: str, field: Any, value: Mapping[str, Any] | None) -> Posted:
    return _posted_parts(name, field.widget.part, value or {})


def _posted_rows(name: str, field: Any, rows: list[Mapping[str, Any]]) -> Posted:
    posted: Posted = {f"{name}-rows": [str(number) for number in range(len(rows))]}
    for number, row in enumerate(rows):
        posted |= _posted_parts(f"{name}-{number}", field.widget.row, row)
    return posted


def _text(field: forms.Field) -> Any:
    text = Annotated[str, limits(field)]
    return Annotated[text, Field(min_length=1, pattern=NOT_BLANK) if field.required else Field(pattern=TEXT)]


GROUP = Kind(_part_of, _posted_group)
KINDS: Mapping[type[forms.Field], Kind] = {
    RichTextField: Kind(
        lambda _field: Text, lambda name, _field, value: {f"{name}-document": [json.dumps(value)]}
    ),
    PickerField: Kind(
        lambda field: Keys if field.many else Key,
        lambda name, field, value: {name: value if field.many else [value]},
    ),
    TagsField: Kind(lambda _field: list[Tag], lambda name, _field, value: {name: ["\n".join(value)]}),
    ClubDateTimeField: Kind(lambda _field: SentMoment, _one),
    GroupField: GROUP,
    RowsField: Kind(
        lambda field: Annotated[list[_part_of(field)], Field(max_length=field.max_rows)],  # type: ignore[misc]
        _posted_rows,
    ),
    # A stored number has lost its leading zero.
    PostalCodeField: Kind(lambda _field: str | int, lambda name, _field, value: {name: [postal_code(value)]}),
    forms.MultipleChoiceField: Kind(lambda field: list[_choices(field)], _several),  # type: ignore[misc]
    forms.ChoiceField: Kind(_choices, _one),
    forms.BooleanField: Kind(lambda _field: bool, _posted_flag),
    forms.IntegerField: Kind(lambda field: Annotated[int, limits(field), BeforeValidator(whole)], _one),
    forms.DateField: Kind(lambda _field: Day, _one),
    forms.TimeField: Kind(lambda _field: Clock, _one),
    forms.CharField: Kind(_text, _one),
}
TYPED_OTHERWISE = (ClubDateTimeField, TagsField)
# They have no null: a list is empty, and a flag is true or false.
NEVER_NULL = (RowsField, TagsField, forms.MultipleChoiceField, forms.BooleanField)


def _kind_of(field: forms.Field) -> Kind:
    return next(KINDS[each] for each in type(field).__mro__ if each in KINDS)


def _schema(
    title: str,
    form: Any,
    needed: Collection[str],
    names: Mapping[str, str],
    draft_needs: Collection[str] = (),
) -> Any:
    fields: dict[str, Any] = {}
    for name, field in form.base_fields.items():
        # A draft may lack what is required to publish it.
        is_required = field.required and (not draft_needs or name in draft_needs)
        kind = _kind_of(field).type_of(field)
        has_null = not (is_required or isinstance(field, NEVER_NULL) or getattr(field, "many", False))
        # A factory: what is left out is not sent, and has no default.
        options: dict[str, Any] = {} if name in needed else {"default_factory": lambda: None}
        about = Field(**options, description=_description(field))
        fields[names.get(name, name)] = (kind | None if has_null else kind, about)
    return create_model(title, __config__=SENT, **fields)


def _description(field: forms.Field) -> str | None:
    """The help of the page, in English, if it is not about how something is typed there."""
    with override(None):
        return None if isinstance(field, TYPED_OTHERWISE) else str(field.help_text) or None
