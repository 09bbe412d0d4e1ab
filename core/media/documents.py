"""PDF documents. They are served as they were sent, so they must at least be what they claim."""

import re

from django.utils.translation import gettext_lazy as _

from core.media.errors import UploadRefused

BEGINNING = b"%PDF-"
MIME_TYPE = "application/pdf"
# Where readers look for the end: after it there may be a line break or two.
END_WITHIN = 1024

_END = re.compile(rb"startxref\s+(\d+)\s+%%EOF[\s\x00]*$")
# A table of objects, or an object that holds one.
_OBJECTS = re.compile(rb"\s*(xref\b|\d+\s+\d+\s+obj\b)")


class BrokenDocument(UploadRefused):
    message = _("This PDF is damaged or incomplete. Open it, save it anew and upload that.")


def check(data: bytes) -> None:
    """From its first byte to its last it is one PDF, whose end leads to its objects."""
    end = _END.search(data[-END_WITHIN:])
    if not re.match(rb"%PDF-[12]\.\d", data) or end is None:
        raise BrokenDocument
    if not _OBJECTS.match(data, int(end.group(1))):
        raise BrokenDocument
