"""Form of a social media post."""

from django import forms
from django.utils.translation import gettext_lazy as _

from cms.base.fields import WebAddressField
from cms.media.fields import MediaField
from core.crud.fields import ClubDateTimeField, PickerField
from core.crud.forms import RecordForm

TYPES = (("Image", _("Picture")), ("Video", _("Video")))
LONGEST_CAPTION = 2200


class PostForm(RecordForm):
    aside = ("timestamp", "type", "team_id")

    url = WebAddressField(label=_("Link to the post"))
    caption = forms.CharField(
        label=_("Text"), max_length=LONGEST_CAPTION, widget=forms.Textarea(attrs={"rows": 5})
    )
    image_id = MediaField(label=_("Picture"), required=False)
    timestamp = ClubDateTimeField(label=_("Posted"))
    type = forms.ChoiceField(label=_("Kind"), choices=TYPES)
    team_id = PickerField(label=_("Team"), to="team", required=False)
