"""The folder of a Payload export: a JSON file for each collection, and the media files."""

import json
import unicodedata
from functools import cached_property
from pathlib import Path
from typing import Any

from cms.payload.document import Document, key_in, quoted


class Unreadable(Exception):
    """The export or one of its collections cannot be read."""


class Export:
    def __init__(self, folder: Path) -> None:
        if not any(folder.glob("*.json")):
            raise Unreadable(f"{folder} holds no export: there is no file such as news.json.")
        self.folder = folder

    def has(self, collection: str) -> bool:
        return self._path(collection).is_file()

    def values(self, collection: str) -> list[Any]:
        """The raw documents of a collection; empty if it was not exported."""
        if not self.has(collection):
            return []
        path = self._path(collection)
        try:
            content = json.loads(path.read_text(encoding="utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"{path.name} is not readable as JSON: {error}") from error
        found = content.get("docs") if isinstance(content, dict) else content
        if not isinstance(found, list):
            raise Unreadable(f"{path.name} is neither a list nor the answer of payload.find().")
        return found

    def file(self, filename: str) -> Path | None:
        """The media file of this name. Looked up in the folder's listing, so there is no path traversal."""
        return self._files.get(unicodedata.normalize("NFC", filename))

    @cached_property
    def _files(self) -> dict[str, Path]:
        folder = self.folder / "media"
        found = folder.iterdir() if folder.is_dir() else ()
        return {
            unicodedata.normalize("NFC", path.name): path
            for path in found
            if path.is_file() and not path.is_symlink()
        }

    def _path(self, collection: str) -> Path:
        return self.folder / f"{collection}.json"


def documents_in(collection: str, values: list[Any]) -> tuple[list[Document], list[str]]:
    """The documents, oldest first, and a problem for each value that has no usable id."""
    found: dict[str, Document] = {}
    problems = []
    for place, value in enumerate(values, start=1):
        key = key_in(value) if isinstance(value, dict) else ""
        if not key:
            problems.append(f"document {place} of the file has no id")
        elif not _can_be_sent(key):
            problems.append(f"document {place} of the file has an id with half a character: “{quoted(key)}”")
        elif key in found:
            problems.append(f"document {place} of the file has the id {key}, as another one before it")
        else:
            found[key] = Document(collection, key, value)
    return sorted(found.values(), key=lambda document: str(document.values.get("createdAt") or "")), problems


def _can_be_sent(text: str) -> bool:
    """False if the text has a lone surrogate, which JSON allows but UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
