"""Form of a sponsor."""

from datetime import datetime

from django import forms
from django.utils.translation import gettext_lazy as _

from cms.base.fields import OptionalTextField, WebAddressField
from cms.media.fields import MediaField
from core.crud.fields import ClubDateTimeField
from core.crud.forms import RecordForm
from core.dynamo.attributes import now


class SponsorForm(RecordForm):
    aside = ("expiry_timestamp",)

    name = forms.CharField(label=_("Name"), max_length=200)
    website = WebAddressField(label=_("Website"), required=False)
    description = OptionalTextField(label=_("Description"), max_length=500, rows=3)
    logo_id = MediaField(label=_("Logo"), required=False, folder="sponsors")
    expiry_timestamp = ClubDateTimeField(
        label=_("Shown until"),
        required=False,
        help_text=_("Hidden after this time and deleted a few days later. Leave empty to keep it."),
    )

    def clean_expiry_timestamp(self) -> datetime | None:
        """Refuse a new time in the past: the record would be deleted by TTL, without the trash."""
        moment: datetime | None = self.cleaned_data["expiry_timestamp"]
        is_newly_entered = moment != self.initial.get("expiry_timestamp")
        if moment and moment <= now() and is_newly_entered:
            raise forms.ValidationError(
                _("This time is in the past. Choose a later one, or delete the sponsor.")
            )
        return moment
