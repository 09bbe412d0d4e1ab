"""The form of a webhook."""

from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.club import queries as club
from core.crud.forms import RefusableForm
from core.dynamo.errors import Invalid
from core.webhooks.registry import kinds
from core.webhooks.rules import LONGEST_ADDRESS, check_address

LONGEST_NAME = 60


class WebhookForm(RefusableForm):
    label = forms.CharField(
        label=_("Purpose"), max_length=LONGEST_NAME, help_text=_("For example the name of the program.")
    )
    address = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_ADDRESS,
        help_text=_("Where we send it, such as https://example.org/fieldhouse"),
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
    )
    kinds = forms.MultipleChoiceField(
        label=pgettext_lazy("webhook", "Events"),
        widget=forms.CheckboxSelectMultiple(attrs={"class": "check-line"}),
    )

    def __init__(self, *data: Any, stored: Collection[str] = (), **options: Any) -> None:
        """Offers what happens in the domains that the club uses, and the `stored` kinds."""
        super().__init__(*data, **options)
        field = self.fields["kinds"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
        field.choices = [
            (kind.name, kind.title)
            for kind in kinds().values()
            if kind.name in stored or club.current().is_on(kind.domain)
        ]

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        try:
            check_address(address)
        except Invalid as error:
            raise forms.ValidationError(str(error)) from error
        return address
