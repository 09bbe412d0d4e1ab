"""The base of the widgets with own buttons, and access to posted values."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms

Data = Mapping[str, Any]


class HelpfulWidget(forms.Widget):
    """A widget with submit buttons of its own, such as "Find", which do not save the form."""

    # The names of the buttons, which follow the name of the field.
    buttons: ClassVar[tuple[str, ...]] = ()

    def wants_help(self, data: Data, name: str) -> bool:
        return any(f"{name}-{button}" in data for button in self.buttons)


def texts_in(data: Data, name: str) -> list[str]:
    """All values that were posted under a name."""
    values = data.getlist(name) if hasattr(data, "getlist") else data.get(name, [])
    return [values] if isinstance(values, str) else [str(value) for value in values]
