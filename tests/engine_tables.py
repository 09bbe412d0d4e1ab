"""The tables of a test engine, made and emptied without botocore, which took longer than many a test."""

import json
import shutil
import socket
import sqlite3
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from config.engines.dynoxide import Dynoxide
from config.engines.process import HOST
from core.dynamo import tables

BATCH = 25
PATIENCE_SECONDS = 60
# The engine wants one and believes any.
SIGNATURE = (
    "AWS4-HMAC-SHA256 Credential=test/20260101/eu-central-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=test"
)

Request = tuple[str, dict[str, Any]]

_databases: dict[Path, sqlite3.Connection] = {}


@cache
def specs() -> list[tables.TableSpec]:
    return tables.specs()


def make(engine: Dynoxide) -> None:
    """Every table as declared, in an engine that has none."""
    made = [("CreateTable", tables.create_request(spec)) for spec in specs()]
    expiring = [
        ("UpdateTimeToLive", {"TableName": spec.name, "TimeToLiveSpecification": _expiry(spec.ttl)})
        for spec in specs()
        if spec.ttl
    ]
    list(_answers(engine, [*made, *expiring]))


def empty(engine: Dynoxide) -> None:
    """Removes every item and stream record in the engine's file: its own answers take many times as long."""
    database = _database(engine)
    database.execute("BEGIN IMMEDIATE")
    for table in _tables_of_items(database):
        database.execute(f'DELETE FROM "{table}"')  # noqa: S608 - a name that the engine gave
    database.execute("COMMIT")


def copy_to(path: Path, engine: Dynoxide) -> Path:
    """The engine's file as it is now, in one piece."""
    _database(engine).execute("VACUUM INTO ?", [str(path)])
    return path


def fill_from(path: Path, engine: Dynoxide) -> None:
    """Put back what such a copy holds, into tables that are empty."""
    database = _database(engine)
    database.execute("ATTACH ? AS kept", [str(path)])
    database.execute("BEGIN IMMEDIATE")
    for table in _tables_of_items(database):
        database.execute(f'INSERT INTO main."{table}" SELECT * FROM kept."{table}"')  # noqa: S608
    database.execute("COMMIT")
    database.execute("DETACH kept")


def restart_with(path: Path | None, engine: Dynoxide) -> None:
    """Go on at the same address with a copy of this file in place of the engine's own, or with nothing."""
    engine.stop()
    if (database := _databases.pop(_file(engine), None)) is not None:
        # It would go on reading the file that is removed here.
        database.close()
    for leftover in _file(engine).parent.glob(f"{_file(engine).name}*"):
        leftover.unlink()
    if path is not None:
        shutil.copy(path, _file(engine))
    engine.restart()


def _tables_of_items(database: sqlite3.Connection) -> list[str]:
    names = (name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))
    return [name for name in names if name == "_stream_records" or not name.startswith(("_", "sqlite_"))]


def _file(engine: Dynoxide) -> Path:
    if engine.db_path is None:
        raise ValueError("This engine has no file.")
    return engine.db_path


def _database(engine: Dynoxide) -> sqlite3.Connection:
    file = _file(engine)
    if file not in _databases:
        _databases[file] = sqlite3.connect(file, isolation_level=None, timeout=PATIENCE_SECONDS)
    return _databases[file]


def close_all() -> None:
    while _databases:
        _databases.popitem()[1].close()


def _expiry(attribute: str) -> dict[str, Any]:
    return {"AttributeName": attribute, "Enabled": True}


def _answers(engine: Dynoxide, requests: Iterable[Request]) -> Iterator[dict[str, Any]]:
    """One connection, all requests at once, then their answers in the same order."""
    sent = [_as_bytes(operation, arguments) for operation, arguments in requests]
    with socket.create_connection((HOST, engine.port), timeout=PATIENCE_SECONDS) as connection:
        answers = connection.makefile("rb")
        # A few at a time, so that neither side waits for the other to read.
        for first in range(0, len(sent), BATCH):
            together = sent[first : first + BATCH]
            connection.sendall(b"".join(together))
            for _request in together:
                yield _read(answers)


def _as_bytes(operation: str, arguments: dict[str, Any]) -> bytes:
    body = json.dumps(arguments).encode()
    lines = [
        "POST / HTTP/1.1",
        f"Host: {HOST}",
        f"Authorization: {SIGNATURE}",
        "Content-Type: application/x-amz-json-1.0",
        "X-Amz-Date: 20260101T000000Z",
        f"X-Amz-Target: DynamoDB_20120810.{operation}",
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _read(answers: BinaryIO) -> dict[str, Any]:
    status, length = answers.readline(), 0
    while (line := answers.readline()) not in (b"\r\n", b""):
        name, _colon, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    body = answers.read(length)
    assert b" 200 " in status, body
    answer: dict[str, Any] = json.loads(body)
    return answer
