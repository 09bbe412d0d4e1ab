"""Form fields for the slug of a record and for addresses on other sites."""

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator, URLValidator
from django.utils.translation import gettext_lazy as _

from core.content import slugs

is_slug = RegexValidator(
    r"\A[a-z0-9]+(-[a-z0-9]+)*\Z", _("Use lowercase letters, digits and single hyphens.")
)
LONGEST_URL = 500
PLAIN_INPUT = {"autocapitalize": "none", "autocomplete": "off", "spellcheck": "false"}
LEFT_EMPTY = _("Leave empty to create it from the title. Earlier addresses keep working after you change it.")


class SlugField(forms.CharField):
    """Left empty, the slug is made from the title: see `cms.base.rules.slug_for`."""

    def __init__(self, *, rule: RegexValidator = is_slug, **kwargs: Any) -> None:
        super().__init__(
            label=_("Web address"),
            required=False,
            max_length=slugs.LONGEST,
            validators=[rule],
            widget=forms.TextInput(attrs=PLAIN_INPUT),
            **{"help_text": LEFT_EMPTY, **kwargs},
        )


def has_no_credentials(address: str) -> None:
    """Text before an @ looks like the host and is not: https://club.example@evil.example."""
    try:
        place = urlsplit(address).netloc
    except ValueError:
        # No address at all, as `URLValidator` says.
        return
    if "@" in place:
        raise ValidationError(_("Enter the address without a user name or password."))


class WebAddressField(forms.URLField):
    """Accepts http and https only, so that a link can never run a script."""

    default_validators = [
        URLValidator(schemes=["http", "https"], message=_("Enter an address that starts with https://.")),
        has_no_credentials,
    ]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(assume_scheme="https", max_length=LONGEST_URL, empty_value=None, **kwargs)


class OptionalTextField(forms.CharField):
    """A text that may be empty, which is then not stored; with `rows` it has several lines."""

    def __init__(self, *, rows: int = 0, **kwargs: Any) -> None:
        if rows:
            kwargs["widget"] = forms.Textarea(attrs={"rows": rows})
        super().__init__(required=False, empty_value=None, **kwargs)
