"""What people call their files."""

import re
import unicodedata

from django.utils.translation import gettext as _

LONGEST = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def file_name(text: str) -> str:
    """The name alone, without the folders that some browsers send and without what nobody can see."""
    last = re.split(r"[/\\]", _CONTROL.sub("", text))[-1]
    return unicodedata.normalize("NFC", last).strip()[:LONGEST] or _("Untitled")


def with_extension(name: str, extension: str) -> str:
    """The name under which a file is saved: its ending says what it is."""
    stem, dot, ending = name.rpartition(".")
    is_ending = bool(stem and dot) and re.fullmatch(r"[A-Za-z0-9]{1,5}", ending)
    return f"{stem if is_ending else name}.{extension}"
