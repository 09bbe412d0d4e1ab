"""Reads mongoexport files: one JSON document per line, a list of documents, or a single one."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scouting.keys import whole

# By our names, the present and earlier names of the collections in SuperAlliance.
COLLECTIONS = {
    "standforms": ("STAND_FORMS", "standForms"),
    "pitforms": ("PIT_FORMS", "pitForms"),
    "commentforms": ("COMMENT_FORMS", "commentForms"),
    "teamselections": ("teamSelection", "teamSelections"),
    "config": ("superAllianceConfig", "config"),
}
ENDINGS = (".json", ".jsonl", ".ndjson")
NUMBERS = {"$numberInt": int, "$numberLong": int, "$numberDouble": float, "$numberDecimal": float}

Document = dict[str, Any]


class Unreadable(Exception):
    """A file cannot be read; the message says where and why."""


def documents(folder: Path, collection: str) -> list[Document]:
    """The documents of a collection, oldest first; empty without a file."""
    found = [document for path in files(folder, collection) for document in _documents(path)]
    # A renamed collection can have duplicates.
    by_id = {str(each.get("_id") or number): each for number, each in enumerate(found)}
    return sorted(by_id.values(), key=lambda each: str(each.get("createdAt") or ""))


def files(folder: Path, collection: str) -> list[Path]:
    """The files of a collection, in any spelling of its name; a database may have it under two names.

    Compass prefixes file names with the name of the database and a dot.
    """
    names = {_letters(name) for name in COLLECTIONS[collection]}
    exports = (path for path in folder.iterdir() if path.suffix in ENDINGS)
    return sorted(path for path in exports if _letters(path.stem.rpartition(".")[2]) in names)


def _letters(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def _documents(path: Path) -> list[Document]:
    found: list[Any] = [_plain(each) for each in _parsed(path)]
    if not all(isinstance(each, dict) for each in found):
        raise Unreadable(f"{path} has something that is no document.")
    return found


def _parsed(path: Path) -> Iterator[Any]:
    text = path.read_text(encoding="utf-8-sig")
    if text.lstrip().startswith("["):
        yield from _json(text, str(path))
        return
    with suppress(ValueError):
        # A single document may span several lines.
        yield json.loads(text)
        return
    # Not splitlines(): texts may contain other line separators, which are valid in JSON.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _json(line, f"{path}, line {number}")


def _json(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise Unreadable(f"{place} is not JSON.") from error


def _plain(value: Any) -> Any:
    """The value without MongoDB wrappers of ids, dates and numbers; dates as ISO text."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, str):
        return whole(value)
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((name, wrapped),) = value.items()
        if name == "$oid":
            return wrapped
        if name == "$date":
            return _moment(_plain(wrapped))
        if name in NUMBERS:
            return NUMBERS[name](wrapped)
    return {name: _plain(each) for name, each in value.items()}


def _moment(value: Any) -> str:
    """The date as ISO text, also if an old export has milliseconds."""
    if isinstance(value, int | float):
        return datetime.fromtimestamp(value / 1000, UTC).isoformat()
    return str(value)
