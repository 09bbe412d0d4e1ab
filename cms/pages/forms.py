"""Form of a page."""

from django import forms
from django.utils.translation import gettext_lazy as _

from cms.base.fields import SlugField
from cms.base.forms import SluggedForm
from cms.media.fields import PicturedTextField
from cms.pages.rules import is_reserved


class PageForm(SluggedForm):
    draft_needs = ("title",)
    aside = ("slug",)
    is_reserved = staticmethod(is_reserved)

    title = forms.CharField(label=_("Title"), max_length=200)
    content = PicturedTextField(label=_("Content"), folder="pages")
    slug = SlugField(
        help_text=_(
            "Leave empty to create it from the title. The footer of the website links to “impressum” "
            "and “datenschutz”."
        )
    )
