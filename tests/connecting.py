"""Which engine the application talks to."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.test import override_settings

from core.dynamo import connection

_connections: dict[str, connection.SharedConnection] = {}


@contextmanager
def connected_to(endpoint: str) -> Iterator[None]:
    """Let the application use another engine for a while; its client is kept, for making one takes long."""
    usual = settings.DYNAMODB_ENDPOINT, connection._shared
    settings.DYNAMODB_ENDPOINT, connection._shared = endpoint, _connections.get(endpoint)
    try:
        yield
    finally:
        _connections[endpoint] = connection.connection()
        settings.DYNAMODB_ENDPOINT, connection._shared = usual


@contextmanager
def giving_up_soon() -> Iterator[None]:
    """DynamoDB is given up within a second: only while it hangs, for a busy machine is no slower."""
    with override_settings(DYNAMODB_READ_SECONDS=0.2, DYNAMODB_REQUEST_SECONDS=1):
        yield


def close_all() -> None:
    for kept in _connections.values():
        kept.close()
