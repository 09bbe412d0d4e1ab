"""The limits of all uploads: how many per person, and how large."""

from typing import BinaryIO

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.dynamo.errors import TooLarge
from core.media.storage import LARGEST_UPLOAD
from core.stores.limits import Limiter

# A tournament has a few hundred pictures; a program that went wild has more.
UPLOADS = Limiter("media-upload", 500, 3600, about=gettext_lazy("Uploading files, by person"))


def read_upload(file: BinaryIO) -> bytes:
    """The bytes of an upload; raises TooLarge."""
    data = file.read(LARGEST_UPLOAD + 1)
    if len(data) > LARGEST_UPLOAD:
        raise TooLarge(_("This file is larger than 25 MB."))
    return data
