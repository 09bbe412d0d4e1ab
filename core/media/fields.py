"""A form field for several photos."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _


class PhotosInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class PhotosField(forms.FileField):
    """Several photos; at most `most`, where that does not depend on those that are stored already."""

    widget = PhotosInput(attrs={"accept": "image/*"})

    def __init__(self, *, most: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.most = most

    def clean(self, data: Any, initial: Any = None) -> list["UploadedFile[Any]"]:
        files = [super(PhotosField, self).clean(each, initial) for each in data or []]
        if self.most is not None and len(files) > self.most:
            raise forms.ValidationError(_("Choose at most %(most)d photos.") % {"most": self.most})
        return files
