"""Which engine the application talks to, and for how long it waits for an answer."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from dynamo import connection, transport

_connections: dict[tuple[str, float], connection.SharedConnection] = {}


@contextmanager
def connected_to(endpoint: str, *, read_seconds: float = transport.READ_SECONDS) -> Iterator[None]:
    """Let the application use another engine for a while; its client is kept, for making one takes long."""
    kept = _connections.get((endpoint, read_seconds))
    usual = settings.DYNAMODB_ENDPOINT, transport.READ_SECONDS, connection._shared
    settings.DYNAMODB_ENDPOINT, transport.READ_SECONDS, connection._shared = endpoint, read_seconds, kept
    try:
        yield
    finally:
        _connections[endpoint, read_seconds] = connection.connection()
        settings.DYNAMODB_ENDPOINT, transport.READ_SECONDS, connection._shared = usual


def close_all() -> None:
    for kept in _connections.values():
        kept.close()
