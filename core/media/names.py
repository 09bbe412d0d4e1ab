"""Names of uploaded files."""

import re
import unicodedata

from django.utils.translation import gettext as _

LONGEST = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def file_name(text: str) -> str:
    """The name without folders, which some browsers send, and without control characters."""
    last = re.split(r"[/\\]", _CONTROL.sub("", text))[-1]
    return unicodedata.normalize("NFC", last).strip()[:LONGEST] or _("Untitled")


def with_extension(name: str, extension: str) -> str:
    """The name with the extension of its real type."""
    stem, dot, ending = name.rpartition(".")
    is_ending = bool(stem and dot) and re.fullmatch(r"[A-Za-z0-9]{1,5}", ending)
    return f"{stem if is_ending else name}.{extension}"
