"""Forms of the media library: the fields of a file, and the parameters of the upload requests."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from cms.base.fields import OptionalTextField
from core.crud.forms import RecordForm, RefusableForm
from core.media import names
from core.media.files import FOLDERS
from core.media.processing import KINDS

LONGEST_ALT = 300
MOST_AT_ONCE = 10


class MediaForm(RecordForm):
    alt = OptionalTextField(
        label=_("Description"),
        max_length=LONGEST_ALT,
        rows=2,
        help_text=_("Describes the picture for people who cannot see it, and for search engines."),
    )
    caption = OptionalTextField(
        label=_("Caption"),
        max_length=500,
        rows=2,
        help_text=_("Shown below the picture, for example who is in it and who took it."),
    )
    original_name = forms.CharField(
        label=_("Name"), max_length=names.LONGEST, help_text=_("Used to find the file in the library.")
    )


class UploadForm(RefusableForm):
    """Files that are posted to the server, as browsers without JavaScript do."""

    most = MOST_AT_ONCE
    wrong_number = _("Choose 1 to %(most)d files.")

    @property
    def posted(self) -> list["UploadedFile[Any]"]:
        posted: list[UploadedFile[Any]] = self.files.getlist("files")
        return posted

    def clean(self) -> None:
        if not 1 <= len(self.posted) <= self.most:
            raise ValidationError(self.wrong_number, params={"most": self.most})


class ReplaceForm(UploadForm):
    most = 1
    wrong_number = _("Choose a file.")


class BeginUploadForm(forms.Form):
    """Parameters to begin an upload. `type` is accepted and ignored: the content decides."""

    name = forms.CharField(max_length=500)
    size = forms.IntegerField(min_value=1)
    type = forms.CharField(required=False, max_length=200)
    folder = forms.ChoiceField(required=False, choices=[(folder, folder) for folder in FOLDERS])
    kinds = forms.MultipleChoiceField(required=False, choices=[(kind, kind) for kind in KINDS])
    replaces = forms.CharField(required=False, max_length=100)


class FinishUploadForm(forms.Form):
    """Parameters to finish an upload: its ticket, and name and alternative text."""

    ticket = forms.CharField(max_length=4000)
    name = forms.CharField(label=_("Name"), required=False, max_length=500)
    alt = forms.CharField(label=_("Alternative text"), required=False, max_length=LONGEST_ALT)


class DescriptionForm(forms.Form):
    """The alternative text of a picture."""

    alt = OptionalTextField(max_length=LONGEST_ALT)
