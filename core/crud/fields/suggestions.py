"""A text field with a datalist of suggestions; other values are valid too."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms.utils import flatatt

from core.crud.fields.widgets import HelpfulWidget
from core.dynamo.errors import Text


class SuggestionsInput(HelpfulWidget, forms.TextInput):
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
