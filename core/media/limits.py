"""The limits of all uploads: the number per person, and the size."""

from typing import BinaryIO

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.dynamo.errors import TooLarge
from core.media.storage import LARGEST_UPLOAD
from core.stores.limits import Limiter

# More than the few hundred pictures of a tournament.
UPLOADS = Limiter("media-upload", 500, 3600, about=gettext_lazy("Uploading files, by person"))


def read_upload(file: BinaryIO) -> bytes:
    """The bytes of an upload; raises TooLarge."""
    data = file.read(LARGEST_UPLOAD + 1)
    if len(data) > LARGEST_UPLOAD:
        raise TooLarge(_("This file is larger than 25 MB."))
    return data
