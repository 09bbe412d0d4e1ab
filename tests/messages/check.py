"""`make check-messages`: every language has every text, translated and with its placeholders."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import polib

from config.messages import sources
from tests.messages.extract import updated
from tests.messages.outside import texts_outside

PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|(?<!%)%[a-z]|\{\w*\}")
TAG = re.compile(r"</?\w+")


def problems_of(path: Path) -> Iterator[str]:
    name = path.parent.parent.name
    stored, wanted = polib.pofile(str(path), wrapwidth=0), updated(path)
    if str(stored) != str(wanted):
        yield f"{name}: not as the source is now. Run `make messages`."
    for entry in wanted:
        for problem in _problems_in(entry):
            yield f"{name}: {problem}: {entry.msgid!r}" + (f" ({entry.msgctxt})" if entry.msgctxt else "")
    for entry in stored:
        if entry.fuzzy:
            yield f"{name}: fuzzy: {entry.msgid!r}"


def _problems_in(entry: polib.POEntry) -> Iterator[str]:
    if not entry.translated():
        yield "not translated"
        return
    for number, (source, translation) in enumerate(_pairs(entry)):
        # One of something may be told without its number.
        is_one = bool(entry.msgid_plural) and number == 0
        wanted, found = set(PLACEHOLDER.findall(source)), set(PLACEHOLDER.findall(translation))
        if not (found == wanted or (is_one and found < wanted)):
            yield "other placeholders"
        if sorted(TAG.findall(translation)) != sorted(TAG.findall(source)):
            yield "other tags"
        if _edges(translation) != _edges(source):
            yield "begins or ends with other spaces"
        if "python-format" in entry.flags and not _can_be_filled(translation):
            yield "a percent sign that is not doubled"


def _pairs(entry: polib.POEntry) -> Iterator[tuple[str, str]]:
    if not entry.msgid_plural:
        yield entry.msgid, entry.msgstr
    for number, translation in sorted(entry.msgstr_plural.items()):
        yield entry.msgid_plural if number else entry.msgid, translation


def _edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def _can_be_filled(text: str) -> bool:
    try:
        text % dict.fromkeys(re.findall(r"%\((\w+)\)", text), 1)
    except (TypeError, ValueError):
        return False
    return True


def main() -> int:
    problems = [problem for path in sources() for problem in problems_of(path)]
    problems += [f"{each}: not translatable" for each in texts_outside()]
    sys.stdout.writelines(f"{problem}\n" for problem in problems)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
