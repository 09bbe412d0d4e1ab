"""Form of a location."""

from django import forms
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RecordForm


class LocationForm(RecordForm):
    name = forms.CharField(label=_("Name"), max_length=200)
    street = forms.CharField(label=_("Street and number"), required=False, max_length=200, empty_value=None)
    postal = forms.CharField(
        label=_("Postal code"),
        required=False,
        max_length=20,
        empty_value=None,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    city = forms.CharField(label=_("Town"), required=False, max_length=100, empty_value=None)
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=2000,
        empty_value=None,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Such as where to park, or which entrance to take."),
    )
