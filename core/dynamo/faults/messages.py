"""The DynamoDB protocol as far as the proxy speaks it: HTTP with JSON both ways."""

import json
import select
import socket
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, BinaryIO, NamedTuple, Self

Json = dict[str, Any]

# What a batch hands back is called.
BATCHES = {"BatchGetItem": "UnprocessedKeys", "BatchWriteItem": "UnprocessedItems"}
ERROR_PREFIX = "com.amazonaws.dynamodb.v20120810#"


@dataclass(frozen=True)
class Message:
    """One HTTP request or answer; both are a first line, headers and a body of known length."""

    first_line: str
    headers: dict[str, str]
    body: bytes

    @classmethod
    def read(cls, stream: BinaryIO) -> Self | None:
        """The next message of a connection, or None when the other side has closed it."""
        first_line = stream.readline().decode("latin-1").strip()
        headers = {}
        while line := stream.readline().decode("latin-1").strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        length = int(headers.get("content-length", 0))
        body = stream.read(length)
        return cls(first_line, headers, body) if first_line and len(body) == length else None

    @property
    def operation(self) -> str:
        return self.headers.get("x-amz-target", "").rpartition(".")[2]

    @property
    def succeeded(self) -> bool:
        return self.first_line.split()[1] == "200"

    @cached_property
    def payload(self) -> Json:
        """Read once, so it must not be changed."""
        with suppress(ValueError):
            payload = json.loads(self.body)
            if isinstance(payload, dict):
                return payload
        return {}

    def with_payload(self, payload: Json) -> "Message":
        headers = {name: value for name, value in self.headers.items() if name != "x-amz-crc32"}
        return replace(self, headers=headers, body=json.dumps(payload).encode())

    def calling(self, operation: str, payload: Json) -> "Message":
        """Another request with the same headers, and so the same credentials."""
        headers = {**self.headers, "x-amz-target": f"DynamoDB_20120810.{operation}"}
        return replace(self, headers=headers).with_payload(payload)

    def encode(self) -> bytes:
        headers = {**self.headers, "content-length": str(len(self.body))}
        lines = [self.first_line, *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + self.body


def refusal(status: str, error: str, message: str, **details: Any) -> Message:
    """An error response in the format of AWS."""
    headers = {"content-type": "application/x-amz-json-1.0", "x-amzn-requestid": uuid.uuid4().hex.upper()}
    body = {"__type": ERROR_PREFIX + error, "message": message, **details}
    return Message(f"HTTP/1.1 {status}", headers, json.dumps(body).encode())


def cancellation(reasons: list[Json]) -> Message:
    """The answer to a transaction that was cancelled, with a reason for each of its parts."""
    codes = ", ".join(reason["Code"] for reason in reasons)
    text = f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"
    return refusal("400 Bad Request", "TransactionCanceledException", text, CancellationReasons=reasons)


Call = Callable[[str, Json], Message]
Send = Callable[[Message], Message]


class EngineConnection:
    """A kept-alive connection to the engine, opened by its first request."""

    def __init__(self, connect: Callable[[], socket.socket]) -> None:
        self._connect = connect
        self._socket: socket.socket | None = None

    def close(self) -> None:
        if self._socket:
            self._stream.close()
            self._socket.close()

    def send(self, request: Message) -> Message:
        if self._socket is None or self._was_left(self._socket):
            self.close()
            self._socket = self._connect()
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._stream = self._socket.makefile("rb")
        self._socket.sendall(request.encode())
        answer = Message.read(self._stream)
        if answer is None:
            raise ConnectionResetError("The engine closed the connection without an answer.")
        return answer

    @staticmethod
    def _was_left(idle: socket.socket) -> bool:
        # Between two requests the socket is readable only if the engine closed it, as after a restart.
        poll = select.poll()
        poll.register(idle, select.POLLIN)
        return bool(poll.poll(0))

    def calls_like(self, request: Message) -> Call:
        """A function for further calls with the credentials of this request."""
        return lambda operation, payload: self.send(request.calling(operation, payload))


def batch_entries(request: Message) -> list[tuple[str, Json]]:
    """The table and the key or write of each entry of a batch request."""
    return _entries_of(request.payload.get("RequestItems", {}))


def _entries_of(groups: Json) -> list[tuple[str, Json]]:
    return [
        (table, entry)
        for table, group in groups.items()
        for entry in (group["Keys"] if isinstance(group, dict) else group)
    ]


def grouped_like(request: Message, entries: list[tuple[str, Json]]) -> Json:
    """Some entries of a batch in the shape of its RequestItems, with each table's own settings."""
    by_table: Json = {}
    for table, entry in entries:
        by_table.setdefault(table, []).append(entry)
    groups = request.payload["RequestItems"]
    for table, chosen in by_table.items():
        if isinstance(groups[table], dict):
            by_table[table] = {**groups[table], "Keys": chosen}
    return by_table


def handing_back(request: Message, answer: Message, left: list[tuple[str, Json]]) -> Message:
    """The answer to a batch of which these entries were not done either."""
    if not answer.succeeded:
        return answer
    name = BATCHES[request.operation]
    entries = [*_entries_of(answer.payload.get(name, {})), *left]
    return answer.with_payload({**answer.payload, name: grouped_like(request, entries)})


class Part(NamedTuple):
    """One read or write of a request; its body has the Key, or the Item of a Put."""

    kind: str
    table: str
    body: Json


def parts(request: Message) -> list[Part]:
    """What a request reads and writes by key, in its own order; nothing for all other requests."""
    payload = request.payload
    match request.operation:
        case "GetItem" | "PutItem" | "UpdateItem" | "DeleteItem":
            return [Part(request.operation.removesuffix("Item"), payload["TableName"], payload)]
        case "TransactGetItems" | "TransactWriteItems":
            return [
                Part(kind, body["TableName"], body)
                for entry in payload["TransactItems"]
                for kind, body in entry.items()
            ]
        case "BatchGetItem":
            return [Part("Get", table, {"Key": key}) for table, key in batch_entries(request)]
        case "BatchWriteItem":
            return [
                Part(kind.removesuffix("Request"), table, body)
                for table, entry in batch_entries(request)
                for kind, body in entry.items()
            ]
        case _:
            return []


def written_items(request: Message) -> list[tuple[str, Json]]:
    """The table and the item or key of everything a request writes."""
    return [
        (part.table, part.body.get("Item") or part.body["Key"])
        for part in parts(request)
        if part.kind in ("Put", "Update", "Delete")
    ]
