"""The field for an address somewhere in the web."""

from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

LONGEST = 500


class WebAddressField(forms.URLField):
    """Only http and https: what a reader clicks must not be able to be anything else."""

    default_validators = [
        URLValidator(schemes=["http", "https"], message=_("Enter an address that begins with https://."))
    ]

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(assume_scheme="https", max_length=LONGEST, empty_value=None, **kwargs)
