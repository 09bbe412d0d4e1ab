"""Exports of Payload, made up by code: documents as `payload.find()` gives them."""

import json
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from cms.payload.document import our_id
from core.dynamo.items import Item

CREATED = "2025-06-07T17:02:44.123Z"
TITLES = ("Spielbericht", "Heimsieg", "Jugendturnier", "Hauptversammlung", "Trainingslager")


def lexical(*paragraphs: str) -> dict[str, Any]:
    """A text of plain paragraphs."""
    return root(*({"type": "paragraph", "children": [words(text)], "version": 1} for text in paragraphs))


def root(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"root": {"type": "root", "children": list(blocks), "format": "", "indent": 0, "version": 1}}


def words(text: str, bits: int = 0) -> dict[str, Any]:
    return {"type": "text", "text": text, "format": bits, "mode": "normal", "style": "", "version": 1}


def doc(key: int | str, **values: Any) -> dict[str, Any]:
    return {"id": key, "createdAt": CREATED, "updatedAt": "2025-06-08T08:00:00.000Z"} | values


def article(key: int | str, title: str = "Derby", **values: Any) -> dict[str, Any]:
    usual = {
        "content": lexical("Five sets."),
        "publishedDate": "2025-06-07T10:00:00.000Z",
        "_status": "published",
    }
    return doc(key, title=title, **(usual | values))


def articles(count: int) -> list[dict[str, Any]]:
    """All different; every fifth is a draft, and titles come again and again."""
    return [
        article(
            number,
            TITLES[number % len(TITLES)],
            content=lexical(f"Bericht {number}.", "Fünf Sätze. " * 20),
            publishedDate=f"2025-0{number % 9 + 1}-01T10:00:00.000Z",
            createdAt=f"2025-01-01T00:{number // 60 % 60:02}:{number % 60:02}.{number // 3600:03}Z",
            _status="draft" if number % 5 == 4 else "published",
        )
        for number in range(1, count + 1)
    ]


def write(folder: Path, **collections: Iterable[Any]) -> Path:
    """One file each; `bus_bookings` stands for bus-bookings."""
    folder.mkdir(exist_ok=True)
    for name, documents in collections.items():
        path = folder / f"{name.replace('_', '-')}.json"
        path.write_text(json.dumps({"docs": list(documents), "totalDocs": 0}), encoding="utf-8")
    return folder


def put_file(folder: Path, name: str, data: bytes) -> None:
    (folder / "media").mkdir(parents=True, exist_ok=True)
    (folder / "media" / name).write_bytes(data)


def run(folder: Path, *arguments: str) -> list[str]:
    """What the command says when it succeeds."""
    output = StringIO()
    call_command("import_payload", str(folder), *arguments, stdout=output)
    return output.getvalue().splitlines()


def run_with_problems(folder: Path, *arguments: str) -> list[str]:
    """What it says when it ends with a failing exit code."""
    output = StringIO()
    with pytest.raises(CommandError) as stopped:
        call_command("import_payload", str(folder), *arguments, stdout=output)
    assert stopped.value.returncode == 1
    return output.getvalue().splitlines()


def part(lines: list[str], title: str) -> list[str]:
    """The entries of one part of a report."""
    start = next((place for place, line in enumerate(lines) if line.startswith(title)), None)
    if start is None:
        return []
    rest = lines[start + 1 :]
    end = next((place for place, line in enumerate(rest) if not line.startswith("- ")), len(rest))
    return [line.removeprefix("- ") for line in rest[:end]]


def counts(lines: list[str], collection: str) -> list[int]:
    """imported, there already, left out, refused, missing."""
    row = next(line for line in lines if line.startswith(f"{collection} "))
    return [int(number) for number in row.removeprefix(collection).split()]


def brought(repository: Any, collection: str, key: int | str) -> Any:
    record: Item = repository.get(our_id(collection, str(key)), strong=True)
    return record
