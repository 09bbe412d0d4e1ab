"""Slugs made from titles."""

import re
import unicodedata
from collections.abc import Callable

LONGEST = 80
UNTITLED = "untitled"

# Umlauts are written out as in German; other accents are dropped by NFKD. The last letters have no
# decomposition in Unicode.
SPELLED_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d"}
    | {"þ": "th", "\N{LATIN SMALL LETTER DOTLESS I}": "i"}
)


def slugify(text: str) -> str:
    """Lower-case letters, digits and single dashes, at most 80, cut at a dash and never empty."""
    # NFC first: an umlaut may also be a letter and a combining diaeresis.
    spelled_out = unicodedata.normalize("NFC", text).lower().translate(SPELLED_OUT)
    plain = unicodedata.normalize("NFKD", spelled_out).encode("ascii", "ignore").decode().lower()
    return shortened(re.sub(r"[^a-z0-9]+", "-", plain).strip("-"), LONGEST) or UNTITLED


def numbered(slug: str, number: int) -> str:
    """The slug with a number at its end, for another record with the same title."""
    ending = f"-{number}"
    return shortened(slug, LONGEST - len(ending)) + ending


def is_made_from(title: str, slug: str, *, make: Callable[[str], str] = slugify) -> bool:
    """Whether a slug was made from the title, perhaps with a number; otherwise a person entered it."""
    made = make(title)
    number = re.fullmatch(r".*-([2-9]|[1-9][0-9]+)", slug)
    return slug == made or (number is not None and slug == numbered(made, int(number[1])))


def shortened(slug: str, longest: int) -> str:
    if len(slug) <= longest:
        return slug
    beginning = slug[: longest + 1]
    whole_words, _dash, _half_a_word = beginning.rpartition("-")
    return (whole_words or beginning[:longest]).strip("-")
