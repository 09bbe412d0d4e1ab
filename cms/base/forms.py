"""Content with an address of its own on the website."""

from typing import Any, ClassVar

from django import forms

from core.content import slugs
from core.crud.forms import RecordForm


class AddressedForm(RecordForm):
    """The address is empty as long as it is made from the name, so it follows it; it is shown in grey."""

    # The field that the address is made from.
    named_by: ClassVar[str]

    @staticmethod
    def make_slug(name: str) -> str:
        return slugs.slugify(name)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.get_initial_for_field(self.fields["slug"], "slug") == "":
            self.fields["slug"].widget.attrs["placeholder"] = self.initial.get("slug") or ""

    def get_initial_for_field(self, field: forms.Field, field_name: str) -> Any:
        value = super().get_initial_for_field(field, field_name)
        name = self.initial.get(self.named_by) or ""
        if field_name == "slug" and slugs.is_made_from(name, value or "", make=self.make_slug):
            return ""
        return value
