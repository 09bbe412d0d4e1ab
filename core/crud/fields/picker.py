"""A field for references to other records, which are searched and never listed in full."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from core.crud.fields.picker_state import Option, PickerState
from core.crud.fields.widgets import Data, HelpfulWidget, texts_in
from core.crud.form_renderer import attributes
from core.crud.frames import FramedWidget, filled
from core.dynamo.errors import NotFound, Text
from core.dynamo.references import MOST_PER_FIELD
from core.dynamo.registry import repository_for

# Without JavaScript a form offers at most all found options and all chosen ones.
MOST_SHOWN = 2 * MOST_PER_FIELD
DELETED = _("(deleted)")
GONE = _("Your choice no longer exists. Choose another one.")
ONE_IS_GONE = _("Something you chose no longer exists. Remove it, then save again.")
TOO_MANY = _("Choose at most %(most)d.")


class PickerWidget(FramedWidget, HelpfulWidget):
    template_name = "core/crud/picker.html"
    buttons = ("find", "up")
    many = False
    state = PickerState()

    def value_from_datadict(self, data: Data, files: Any, name: str) -> list[str]:
        keys = list(dict.fromkeys(key for key in texts_in(data, name) if key))[:MOST_SHOWN]
        raised = data.get(f"{name}-up")
        if raised in keys[1:]:
            place = keys.index(raised)
            keys.insert(place - 1, keys.pop(place))
        return keys

    def value_omitted_from_data(self, data: Data, files: Any, name: str) -> bool:
        """False: a missing value means that the record was removed."""
        return False

    def label_of(self, key: str) -> str:
        return self.state.labels.get(key, str(DELETED))

    def frame(self, name: str, value: object, attrs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        # The attribute would apply to the search box, which may stay empty.
        attrs.pop("required", None)
        identity, state, chosen = attrs.get("id", name), self.state, keys_of(value)
        described_by = [attrs.get("aria-describedby", ""), f"{identity}_status"]
        attrs["aria-describedby"] = " ".join(filter(None, described_by))
        options = [Option(key, self.label_of(key), picture=state.pictures.get(key, "")) for key in chosen]
        found = [option for option in state.found or () if option.key not in chosen]
        by = {
            "many": self.many,
            "most": MOST_PER_FIELD if self.many else 1,
            "kind": "checkbox" if self.many else "radio",
            "can_be_none": bool(chosen) and not self.many and not self.is_required,
            "found_nothing": state.found is not None and not found,
            "disabled": bool(attrs.get("disabled")),
        }
        return by, {
            "name": name,
            "id": identity,
            "attributes": attributes({"attrs": attrs}),
            "text": state.text,
            "pick": state.pick,
            "new": state.new,
            "create": state.create,
            "new_title": state.new_title,
            "chosen": self._options("chosen", options, name, identity),
            "found": self._options("found", found, name, identity),
        }

    def _options(self, partial: str, options: Iterable[Option], name: str, identity: str) -> SafeString:
        html = "".join(
            filled(
                f"{self.template_name}#{partial}",
                by={"many": self.many, "kind": "checkbox" if self.many else "radio", "is_first": not number},
                fill={"name": name, "id": identity, "number": number, **option._asdict()},
            )
            for number, option in enumerate(options)
        )
        return mark_safe(html)  # noqa: S308


class PickerField(forms.Field):
    """Cleans to the key of a record of the entity `to`, or with `many` to a list of at most 20 keys.

    The form checks that these records exist, once for all its pickers: see `HelpedForm`.
    """

    widget: PickerWidget = PickerWidget  # type: ignore[assignment]
    default_error_messages = {"required": _("Choose one from the list.")}

    def __init__(self, *, to: str, many: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.to = to
        self.many = many
        self.widget.many = many

    def keys_of(self, value: object) -> list[str]:
        """The keys in a stored, posted or cleaned value."""
        return keys_of(value)

    def clean(self, value: object) -> list[str] | str | None:
        keys = keys_of(value)
        self.validate(keys)
        most = MOST_PER_FIELD if self.many else 1
        if len(keys) > most:
            raise ValidationError(TOO_MANY, params={"most": most})
        self.run_validators(keys)
        if self.many:
            return keys
        return keys[0] if keys else None

    def label_of(self, key: str) -> str:
        return self.widget.label_of(key)

    @property
    def gone(self) -> Text:
        return ONE_IS_GONE if self.many else GONE

    def has_changed(self, initial: object, data: object) -> bool:
        return not self.disabled and keys_of(initial) != keys_of(data)


def keys_of(value: object) -> list[str]:
    """The distinct keys in a stored or posted value."""
    if isinstance(value, str):
        return [value] if value else []
    return list(dict.fromkeys(str(key) for key in value if key)) if isinstance(value, Iterable) else []


def is_possible(entity: str, key: str) -> bool:
    """Whether the key has a valid form for this entity."""
    try:
        repository_for(entity).raw_key(key)
    except NotFound:
        return False
    return True
