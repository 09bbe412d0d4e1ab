"""The field for an address on the website."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from core.content import slugs

is_slug = RegexValidator(
    r"\A[a-z0-9]+(-[a-z0-9]+)*\Z", _("Use small letters a to z, digits and single dashes between them.")
)
IS_TYPED_PLAIN = {"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}


class SlugField(forms.CharField):
    """Empty as long as the address is made from the title."""

    def __init__(self, *, rule: RegexValidator = is_slug, **kwargs: Any) -> None:
        super().__init__(
            label=_("Web address"),
            required=False,
            max_length=slugs.LONGEST,
            validators=[rule],
            widget=forms.TextInput(attrs=IS_TYPED_PLAIN),
            **kwargs,
        )
