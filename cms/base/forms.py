"""Forms of records with a slug."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from core.content import slugs
from core.crud.forms import RecordForm


class SluggedForm(RecordForm):
    """A form with a slug field, which is empty while the slug is made from the name; then the slug is its
    placeholder, so that it follows changes of the name."""

    # The field that the slug is made from; the fields that are empty while their value was made from others.
    named_by: ClassVar[str] = "title"
    made_fields: ClassVar[tuple[str, ...]] = ("slug",)

    @staticmethod
    def make_slug(name: str) -> str:
        return slugs.slugify(name)

    @staticmethod
    def is_reserved(slug: str) -> bool:
        """Whether the website uses this slug itself."""
        return False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.made_fields:
            if self.get_initial_for_field(self.fields[name], name) == "":
                self.fields[name].widget.attrs["placeholder"] = self.initial.get(name) or ""

    def get_initial_for_field(self, field: forms.Field, field_name: str) -> Any:
        value = super().get_initial_for_field(field, field_name)
        name = self.initial.get(self.named_by) or ""
        if field_name == "slug" and slugs.is_made_from(name, value or "", make=self.make_slug):
            return ""
        return value

    def clean_slug(self) -> str:
        """Refuse a reserved slug, also if it is made from the name."""
        slug: str = self.cleaned_data["slug"]
        if self.is_reserved(slug or self.make_slug(self.cleaned_data.get(self.named_by) or "")):
            raise ValidationError(_("This address is reserved. Choose another one."))
        return slug
