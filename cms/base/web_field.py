"""The field for an address somewhere in the web."""

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

LONGEST = 500


def names_its_host(address: str) -> None:
    """Before an @ a name would stand that looks like the host and is not."""
    if "@" in urlsplit(address).netloc:
        raise ValidationError(_("Enter the address without a name or password before its host."))


class WebAddressField(forms.URLField):
    """Only http and https: what a reader clicks must not be able to be anything else."""

    default_validators = [
        URLValidator(schemes=["http", "https"], message=_("Enter an address that begins with https://.")),
        names_its_host,
    ]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(assume_scheme="https", max_length=LONGEST, empty_value=None, **kwargs)
