"""Validation of PDF documents, which are served unchanged."""

import re

from django.utils.translation import gettext_lazy as _

from core.media.errors import UploadRefused

BEGINNING = b"%PDF-"
MIME_TYPE = "application/pdf"
# PDF readers search the end marker in this many last bytes.
END_WITHIN = 1024

_END = re.compile(rb"startxref\s+(\d+)\s+%%EOF[\s\x00]*$")
# A cross-reference table, or the object with a cross-reference stream.
_OBJECTS = re.compile(rb"\s*(xref\b|\d+\s+\d+\s+obj\b)")


class BrokenDocument(UploadRefused):
    message = _("This PDF is damaged or incomplete. Open it, save it again and upload the new file.")


def check(data: bytes) -> None:
    """Raise BrokenDocument unless the data is one complete PDF whose trailer points to its objects."""
    end = _END.search(data[-END_WITHIN:])
    if not re.match(rb"%PDF-[12]\.\d", data) or end is None:
        raise BrokenDocument
    if not _OBJECTS.match(data, int(end.group(1))):
        raise BrokenDocument
