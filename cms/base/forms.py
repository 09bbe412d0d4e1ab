"""Forms of records with a slug."""

from typing import Any, ClassVar

from django import forms

from core.content import slugs
from core.crud.forms import RecordForm


class AddressedForm(RecordForm):
    """A form with a slug field, which is empty while the slug is made from the name; then the slug is its
    placeholder."""

    # The field that the slug is made from.
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
