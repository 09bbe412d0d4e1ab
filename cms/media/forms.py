"""Pictures and documents: what people say about a file. The file itself comes by an upload."""

from django import forms
from django.utils.translation import gettext_lazy as _

from cms.media.upload_forms import LONGEST_ALT
from core.crud.forms import RecordForm
from core.media.names import LONGEST


class MediaForm(RecordForm):
    alt = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=LONGEST_ALT,
        empty_value=None,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("What the picture shows, for those who cannot see it, and for search engines."),
    )
    caption = forms.CharField(
        label=_("Caption"),
        required=False,
        max_length=500,
        empty_value=None,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Shown below the picture: who is on it, who took it."),
    )
    original_name = forms.CharField(
        label=_("Name"), max_length=LONGEST, help_text=_("By which the library finds it.")
    )
