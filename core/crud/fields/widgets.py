"""The base of the widgets with own buttons, and access to posted values."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.forms.utils import flatatt

from core.dynamo.errors import Text

Data = Mapping[str, Any]


class HelpfulWidget(forms.Widget):
    """A widget with submit buttons of its own, such as "Find", which do not save the form."""

    # The names of the buttons, which follow the name of the field.
    buttons: ClassVar[tuple[str, ...]] = ()

    def wants_help(self, data: Data, name: str) -> bool:
        return any(f"{name}-{button}" in data for button in self.buttons)


class PartsWidget(HelpfulWidget):
    """A widget of small forms, which are posted as `<field>-…`."""

    use_fieldset = True

    def of_stored(self, value: object, name: str) -> Any:
        raise NotImplementedError

    def value_omitted_from_data(self, data: Data, files: Any, name: str) -> bool:
        return False

    def id_for_label(self, id_: str) -> str:
        return ""


class BoundParts(forms.BoundField):
    """Caches the forms of its parts, so that the form shows their errors."""

    @cached_property
    def data(self) -> Any:
        return self.field.widget.value_from_datadict(self.form.data, self.form.files, self.html_name)

    @cached_property
    def parts(self) -> Any:
        if self.form.is_bound and not self.field.disabled:
            return self.data
        return self.field.widget.of_stored(self.initial, self.html_name)

    def value(self) -> Any:
        return self.parts


class SuggestionsInput(HelpfulWidget, forms.TextInput):
    """A text field with a datalist of suggestions; other values are valid too."""

    template_name = "core/crud/suggestions.html"

    def __init__(self, suggestions: Sequence[Text], attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs)
        self.suggestions = suggestions

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, value, attrs)
        widget = context["widget"]
        list_id = f"{widget['attrs'].get('id', name)}_suggestions"
        widget |= {
            "flat_attrs": flatatt(widget["attrs"] | {"list": list_id}),
            "list_id": list_id,
            "suggestions": self.suggestions,
        }
        return context


def texts_in(data: Data, name: str) -> list[str]:
    """All values that were posted under a name."""
    values = data.getlist(name) if hasattr(data, "getlist") else data.get(name, [])
    return [values] if isinstance(values, str) else [str(value) for value in values]
