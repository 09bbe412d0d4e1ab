"""Form of a location."""

from django import forms
from django.utils.translation import gettext_lazy as _

from cms.base.fields import OptionalTextField
from core.crud.forms import RecordForm


class LocationForm(RecordForm):
    name = forms.CharField(label=_("Name"), max_length=200)
    street = OptionalTextField(label=_("Street address"), max_length=200)
    postal = OptionalTextField(
        label=_("Postal code"),
        max_length=20,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    city = OptionalTextField(label=_("Town"), max_length=100)
    description = OptionalTextField(
        label=_("Description"),
        max_length=2000,
        rows=3,
        help_text=_("For example where to park or which entrance to use."),
    )
