"""A field that consists of a small form, such as an address; its value is the form's cleaned data."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.datastructures import MultiValueDict

from core.crud.fields.rows import CHECK_ROWS, differs, is_blank
from core.crud.fields.widgets import BoundParts, Data, PartsWidget, texts_in

if TYPE_CHECKING:
    from core.crud.fields.forms import RowForm


class GroupWidget(PartsWidget):
    """The widget of a group; a part is posted as `<field>-<name>`."""

    template_name = "core/crud/group.html"
    part: type["RowForm"]

    def value_from_datadict(self, data: Data, files: Any, name: str) -> "RowForm":
        """The bound part form, without errors until the field is cleaned."""
        posted = {each: texts_in(data, each) for each in data if each.startswith(f"{name}-")}
        form = self.part(MultiValueDict(posted), prefix=name, use_required_attribute=False)
        form.show_as_typed()
        return form

    def of_stored(self, value: object, name: str) -> "RowForm":
        stored = dict(value) if isinstance(value, Mapping) else {}
        return self.part(initial=stored, prefix=name, use_required_attribute=False)

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, None, attrs)
        if context["widget"]["attrs"].get("autofocus"):
            wrong = next((part for part in value.errors if part in value.fields), None)
            first = value.fields[wrong] if wrong else next(iter(value.fields.values()))
            first.widget.attrs["autofocus"] = True
        context["widget"]["parts"] = value
        return context


class GroupField(forms.Field):
    """Cleans to a dict of the parts that were filled in, or to None if all are empty."""

    widget: GroupWidget = GroupWidget  # type: ignore[assignment]

    def __init__(self, part: type["RowForm"], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.widget.part = part

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> BoundParts:
        return BoundParts(form, self, field_name)

    def clean(self, value: object) -> dict[str, Any] | None:
        if not isinstance(value, forms.Form):
            return dict(value) if isinstance(value, Mapping) else None
        if is_blank(value):
            self.validate(None)
            return None
        value.full_clean()
        if value.errors:
            raise ValidationError(CHECK_ROWS)
        return _filled(value.cleaned_data)

    def has_changed(self, initial: object, data: object) -> bool:
        if self.disabled or not isinstance(data, forms.Form):
            return False
        return differs(data, initial if isinstance(initial, Mapping) else {})


def _filled(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in parts.items() if part not in (None, "")}
