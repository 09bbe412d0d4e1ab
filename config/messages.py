"""The languages of our texts: one file each, `locale/<language>/LC_MESSAGES/django.po`.

gettext reads a compiled file beside it, which is not in the repository: `python -m config.messages` makes
those that are missing or older than their source.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation import get_language_info, to_language

LOCALE = Path(__file__).resolve().parent.parent / "locale"
# The language of the source code, which needs no file.
SOURCE = "en"


def sources() -> list[Path]:
    return sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))


def languages() -> list[tuple[str, str]]:
    """The languages that people can choose, each with its own name: the source, and all that have a file."""
    codes = [SOURCE, *(to_language(source.parent.parent.name) for source in sources())]
    return [(code, str(get_language_info(code)["name_local"])) for code in codes]


def compile_stale() -> None:
    import polib

    for source in _stale():
        # Several processes may do this at once, so each writes a file of its own.
        made = source.with_suffix(f".{os.getpid()}.mo")
        polib.pofile(str(source)).save_as_mofile(str(made))
        made.replace(source.with_suffix(".mo"))


def _stale() -> Iterator[Path]:
    for source in sources():
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            yield source


if __name__ == "__main__":
    compile_stale()
