"""Exports of mongoexport: in each file one JSON document to a line, one list of them, or a single one."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scouting.keys import whole

# By our names, what SuperAlliance calls its collections, and called them in earlier years.
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
    """What is wrong with a file, and where."""


def documents(folder: Path, collection: str) -> list[Document]:
    """The documents of a collection, oldest first; none where there is no file."""
    found = [document for path in files(folder, collection) for document in _documents(path)]
    return sorted(_once(found), key=lambda each: str(each.get("createdAt") or ""))


def files(folder: Path, collection: str) -> list[Path]:
    """The files of a collection, however its name is written; a database may have it under two names.

    Compass puts the name of the database and a point before it.
    """
    names = {_letters(name) for name in COLLECTIONS[collection]}
    exports = (path for path in folder.iterdir() if path.suffix in ENDINGS)
    return sorted(path for path in exports if _letters(path.stem.rpartition(".")[2]) in names)


def _letters(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def _once(found: list[Document]) -> list[Document]:
    """Without the copies that a renamed collection has of documents."""
    by_id = {str(each.get("_id") or number): each for number, each in enumerate(found)}
    return list(by_id.values())


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
        # A single document may be written over several lines.
        yield json.loads(text)
        return
    # Words may have other line breaks in them, which JSON does not mind.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _json(line, f"{path}, line {number}")


def _json(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise Unreadable(f"{place} is not JSON.") from error


def _plain(value: Any) -> Any:
    """Without the wrappers that MongoDB puts around ids, moments and numbers; moments as ISO texts."""
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


def _moment(told: Any) -> str:
    """ISO, also where an old export has milliseconds."""
    if isinstance(told, int | float):
        return datetime.fromtimestamp(told / 1000, UTC).isoformat()
    return str(told)
