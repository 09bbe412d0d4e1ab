"""The tables of a test engine, made and emptied without botocore, which took longer than many a test."""

import json
import socket
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, BinaryIO

from config.engines.dynoxide import Dynoxide
from config.engines.process import HOST
from dynamo import tables

BATCH = 25
PATIENCE_SECONDS = 60
# The engine wants one and believes any.
SIGNATURE = (
    "AWS4-HMAC-SHA256 Credential=test/20260101/eu-central-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=test"
)

Request = tuple[str, dict[str, Any]]


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


def empty(engine: Dynoxide) -> int:
    """Removes every item; returns how many there were."""
    removed = 0
    filled = specs()
    while filled:
        pages = list(_answers(engine, (("Scan", {"TableName": spec.name}) for spec in filled)))
        found = [(spec, page["Items"]) for spec, page in zip(filled, pages, strict=True) if page["Items"]]
        list(_answers(engine, (removal for spec, items in found for removal in _removals(spec, items))))
        removed += sum(len(items) for _spec, items in found)
        filled = [spec for spec, _items in found]
    return removed


def _expiry(attribute: str) -> dict[str, Any]:
    return {"AttributeName": attribute, "Enabled": True}


def _removals(spec: tables.TableSpec, items: list[dict[str, Any]]) -> Iterator[Request]:
    names = [key.name for key in spec.keys]
    deletes = [{"DeleteRequest": {"Key": {name: item[name] for name in names}}} for item in items]
    for first in range(0, len(deletes), BATCH):
        yield "BatchWriteItem", {"RequestItems": {spec.name: deletes[first : first + BATCH]}}


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
