"""Form of a page."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from cms.base.fields import SlugField
from cms.base.forms import AddressedForm
from cms.media.fields import PicturedTextField
from cms.pages.rules import is_reserved
from core.content.slugs import slugify

RESERVED = _("The website uses this address itself. Choose another one.")


class PageForm(AddressedForm):
    draft_needs = ("title",)
    aside = ("slug",)
    named_by = "title"

    title = forms.CharField(label=_("Title"), max_length=200)
    content = PicturedTextField(label=_("Content"), folder="pages")
    slug = SlugField(
        help_text=_(
            "Left empty, it is made from the title. The website's footer leads to “impressum” and"
            " “datenschutz”."
        )
    )

    def clean_slug(self) -> str:
        """Refuse a reserved slug, also if it is made from the title."""
        slug: str = self.cleaned_data["slug"]
        if is_reserved(slug or slugify(self.cleaned_data.get("title") or "")):
            raise ValidationError(RESERVED)
        return slug
