"""The one connection to DynamoDB: a single client for all tables and threads, with time-outs and retries.

PynamoDB's default is a client per model, minutes of waiting and many retries. A client that was used before a
fork corrupts requests, so a child process starts without one.
"""

import logging
import os
import threading
from functools import partial
from typing import Any

import botocore
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as CannotConnect
from django.conf import settings
from pynamodb.connection import Connection
from pynamodb.exceptions import VerboseClientError

from core.dynamo import deadline, metering
from core.dynamo.aws import forget_other_services
from core.dynamo.errors import Invalid, MissingTable, TooLarge, Unavailable
from core.dynamo.transport import CONNECT_SECONDS, Transport

log = logging.getLogger(__name__)

# Their pauses are 3 seconds together: more than a web request has, whose deadline ends them before.
CONTENTION_RETRIES = 30
USER_AGENT = f"Fieldhouse Botocore/{botocore.__version__}"

BROKEN = {"InternalServerError", "InternalFailure", "ServiceUnavailable", "RequestTimeout"}
CONTENDED = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "TransactionConflictException",
    "TransactionInProgressException",
}
CANCELED = "TransactionCanceledException"
CONTENDED_REASONS = {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}
# SerializationException is the answer to a lone surrogate, which JSON can carry and UTF-8 cannot.
INVALID = {"ValidationException", "SerializationException"}
MISSING_TABLE = "ResourceNotFoundException"
# Failed conditions: the caller handles them.
ANSWERS = {CANCELED, "ConditionalCheckFailedException"}


class SharedConnection(Connection):
    """PynamoDB's connection with our time-outs, retries, deadline and metering around every request."""

    contention_retries = CONTENTION_RETRIES
    first_pause = deadline.FIRST_PAUSE

    def __init__(self) -> None:
        super().__init__(
            region=settings.AWS_REGION,
            host=settings.DYNAMODB_ENDPOINT,
            connect_timeout_seconds=CONNECT_SECONDS,
            read_timeout_seconds=settings.DYNAMODB_READ_SECONDS,
            max_pool_connections=settings.DYNAMODB_POOL_SIZE,
            retry_configuration={"total_max_attempts": 1, "mode": "standard"},
        )
        self._client_lock = threading.Lock()
        self._transport: Transport | None = None
        self._prepared: Any = None

    @property
    def breakdown_retries(self) -> int:
        return int(settings.DYNAMODB_MAX_ATTEMPTS) - 1

    @property
    def session(self) -> Any:
        session = super().session
        # botocore would build its user agent anew for every request.
        session.set_default_client_config(Config(user_agent=USER_AGENT))
        forget_other_services(session, "dynamodb")
        return session

    @property
    def client(self) -> Any:
        # Without the lock, cold threads would each build a client (120 ms and 10 MB apiece) and a transport.
        if self._prepared is None:
            with self._client_lock:
                return self._use_transport(super().client)
        client = super().client
        if client is self._prepared:
            return client
        # PynamoDB makes another client as long as there are no credentials.
        with self._client_lock:
            return self._use_transport(client)

    def _use_transport(self, client: Any) -> Any:
        if client is not self._prepared:
            transport = self._transport or Transport(
                self.session, endpoint=client.meta.endpoint_url, pool_size=settings.DYNAMODB_POOL_SIZE
            )
            # PynamoDB has no extension point: it calls this method, and reads the errors that it raises.
            client._make_api_call = partial(transport.call, client)
            self._transport, self._prepared = transport, client
        return client

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
        if self._transport is not None:
            self._transport.close()

    def _make_api_call(self, operation_name: str, operation_kwargs: dict[str, Any]) -> dict[str, Any]:
        if operation_name == "Scan" and deadline.current() is not None:
            raise AssertionError("A Scan inside a web request: give this list an index.")
        failures = contentions = 0
        while True:
            try:
                return self._send(operation_name, operation_kwargs)
            except (ClientError, BotoCoreError) as error:
                if _is_contention(error) and contentions < self.contention_retries:
                    contentions += 1
                    metering.retried("contention")
                elif _is_breakdown(error) and failures < self.breakdown_retries:
                    failures += 1
                    metering.retried("breakdown")
                else:
                    final = self._final(error, operation_name, operation_kwargs)
                    if final is error:
                        # `raise error from error` would lose the cause, which has the stored item.
                        raise
                    raise final from error
                deadline.pause(failures + contentions, first=self.first_pause)

    def _final(
        self, error: ClientError | BotoCoreError, operation_name: str, operation_kwargs: dict[str, Any]
    ) -> Exception:
        """The error to raise for one that is not retried, or not again."""
        code = error.response["Error"]["Code"] if isinstance(error, ClientError) else ""
        reasons = _reasons(error)
        if code in ANSWERS and not (reasons and reasons <= CONTENDED_REASONS):
            return error
        if code in INVALID and _is_about_size(error):
            return TooLarge()
        if code in INVALID:
            log.error("DynamoDB %s was refused as invalid: %s", operation_name, _reason(error))
            return Invalid()
        if code == MISSING_TABLE:
            tables = ", ".join(sorted(_tables(operation_kwargs)))
            log.error(
                "DynamoDB %s failed: a table does not exist, of %s. `manage.py tables create` makes it.",
                operation_name,
                tables,
            )
            return MissingTable()
        log.warning("DynamoDB %s failed: %s", operation_name, _reason(error))
        return give_up()

    def _send(self, operation_name: str, operation_kwargs: dict[str, Any]) -> dict[str, Any]:
        remaining = deadline.current()
        if remaining is not None and remaining.used_up:
            log.warning("DynamoDB %s was not sent: the time of this request is used up", operation_name)
            raise give_up()
        if remaining is not None:
            remaining.sent += 1
        response: dict[str, Any] | None = None
        try:
            response = super()._make_api_call(operation_name, operation_kwargs)
            return response
        finally:
            metering.record(operation_name, operation_kwargs, response)


def give_up() -> Unavailable:
    """The error to raise; the current web request sends nothing to DynamoDB after it."""
    remaining = deadline.current()
    if remaining is not None:
        remaining.failed = True
    return Unavailable()


def _reasons(error: Exception) -> set[str]:
    """The cancellation reasons of a transaction."""
    if not isinstance(error, VerboseClientError):
        return set()
    return {reason.code for reason in error.cancellation_reasons if reason}


def _is_contention(error: Exception) -> bool:
    """Throttled, or refused because of a concurrent write: the same request may be sent again."""
    if not isinstance(error, ClientError):
        return False
    return error.response["Error"]["Code"] in CONTENDED or bool(_reasons(error) & CONTENDED_REASONS)


def _is_breakdown(error: Exception) -> bool:
    """No answer, or a server error."""
    if not isinstance(error, ClientError):
        return isinstance(error, HTTPClientError | CannotConnect)
    # PynamoDB's own error drops the status.
    metadata = getattr(error.__cause__, "response", error.response).get("ResponseMetadata", {})
    return error.response["Error"]["Code"] in BROKEN or int(metadata.get("HTTPStatusCode", 0)) >= 500


def _is_about_size(error: Exception) -> bool:
    message = error.response["Error"].get("Message", "").lower() if isinstance(error, ClientError) else ""
    return "size" in message and "exceed" in message


def _tables(request: dict[str, Any]) -> set[str]:
    """The tables that a request names."""
    written = [part["TableName"] for each in request.get("TransactItems", ()) for part in each.values()]
    return {*request.get("RequestItems", ()), *written, *filter(None, [request.get("TableName")])}


def _reason(error: Exception) -> str:
    """The error for the log; never the item, which may hold personal data."""
    if isinstance(error, ClientError):
        return f"{error.response['Error']['Code']}: {error.response['Error'].get('Message', '')}"
    return type(error.__cause__ or error).__name__


_shared: SharedConnection | None = None
_lock = threading.Lock()


def connection() -> SharedConnection:
    """The connection of this process, made at the first use."""
    global _shared
    shared = _shared
    if shared is None:
        with _lock:
            shared = _shared = _shared or SharedConnection()
    return shared


def reset() -> None:
    """Close the connection: the next use makes a new one from the current settings."""
    global _shared
    forgotten, _shared = _shared, None
    if forgotten is not None:
        forgotten.close()


def _forget_in_child() -> None:
    # The sockets still belong to the parent process, and a thread of it may have held the lock.
    global _shared, _lock
    _shared = None
    _lock = threading.Lock()


def warm() -> None:
    """Build the client before the first request needs it. Call it after a fork, never before."""
    connection().client  # noqa: B018 - reading the property builds it


os.register_at_fork(after_in_child=_forget_in_child)
