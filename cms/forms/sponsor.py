"""Sponsors."""

from django import forms
from django.utils.translation import gettext_lazy as _

from cms.forms.media import MediaField
from cms.forms.web import WebAddressField
from crud.fields import ClubDateTimeField
from crud.forms import RecordForm


class SponsorForm(RecordForm):
    aside = ("expiry_timestamp",)

    name = forms.CharField(label=_("Name"), max_length=200)
    website = WebAddressField(label=_("Website"), required=False)
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=500,
        empty_value=None,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    logo_id = MediaField(label=_("Logo"), required=False, folder="sponsors")
    expiry_timestamp = ClubDateTimeField(
        label=_("Shown until"),
        required=False,
        help_text=_(
            "After that readers no longer see it, and it is deleted within days. Left empty, it stays."
        ),
    )
