"""What an answer of DynamoDB means: tried again, told to the person, or given up."""

import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest

from core.dynamo import connection, deadline, metering, queries, transactions, transport
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import Conflict, DataError, Invalid, MissingTable, TooLarge, Unavailable
from core.dynamo.support_table import SupportItem
from tests.connecting import connected_to

KEY = {"PK": {"S": "1"}, "SK": {"S": "1"}}
Answer = tuple[int, dict[str, Any]]


class Scripted:
    """An engine whose next answers are written down beforehand; the last one is repeated."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.bodies: list[dict[str, Any]] = []

    @property
    def requests(self) -> int:
        return len(self.bodies)

    def next(self, body: bytes) -> Answer:
        self.bodies.append(json.loads(body))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture(scope="module")
def scripted_endpoint() -> Iterator[tuple[str, Scripted]]:
    script = Scripted()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # headers and body in one packet

        def do_POST(self) -> None:
            status, body = script.next(self.rfile.read(int(self.headers["Content-Length"])))
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        server.block_on_close = False
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", script
        server.shutdown()
        thread.join()


@pytest.fixture
def script(
    scripted_endpoint: tuple[str, Scripted], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Scripted]]:
    """`script(answer, answer)` sets what the engine answers; nothing pauses between attempts."""
    endpoint, scripted = scripted_endpoint
    monkeypatch.setattr(connection.SharedConnection, "first_pause", 0)

    def write(*answers: Answer) -> Scripted:
        scripted.answers, scripted.bodies = list(answers), []
        return scripted

    with connected_to(endpoint):
        yield write


def error(code: str, message: str = "", status: int = 400, **more: Any) -> Answer:
    return status, {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": message, **more}


def cancelled(*codes: str, message: str = "") -> Answer:
    reasons = [{"Code": code, "Message": message} if code != "None" else {"Code": code} for code in codes]
    return error("TransactionCanceledException", "Transaction cancelled", CancellationReasons=reasons)


def outcome(work: Callable[[], object]) -> type[Exception]:
    with pytest.raises(DataError) as refusal:
        work()
    return type(refusal.value)


def read() -> SupportItem | None:
    return queries.get(SupportItem, KEY)


def write() -> None:
    """Two operations of which the first is the one to be told about."""
    second = {"PK": {"S": "1"}, "SK": {"S": "2"}}
    transactions.commit(
        transactions.put_raw(SupportItem, KEY, condition=transactions.absent(SupportItem)),
        transactions.put_raw(SupportItem, second, refused=lambda _stored: AssertionError("not this one")),
    )


@pytest.mark.parametrize(
    "code",
    [
        "ProvisionedThroughputExceededException",
        "ThrottlingException",
        "RequestLimitExceeded",
        "TransactionConflictException",
        "TransactionInProgressException",
    ],
)
def test_contention_is_tried_again_thirty_times(script: Callable[..., Scripted], code: str) -> None:
    engine = script(error(code))
    assert (outcome(read), engine.requests) == (Unavailable, 31)

    engine = script(*[error(code)] * 30, (200, {}))
    assert (read(), engine.requests) == (None, 31)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("InternalServerError", 400),
        ("InternalFailure", 400),
        ("ServiceUnavailable", 400),
        ("RequestTimeout", 400),
        ("SomethingNew", 502),
    ],
)
def test_a_broken_engine_is_asked_three_times_in_all(
    script: Callable[..., Scripted], code: str, status: int
) -> None:
    engine = script(error(code, status=status))

    assert (outcome(read), engine.requests) == (Unavailable, 3)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (error("AccessDeniedException"), Unavailable),
        (error("UnrecognizedClientException"), Unavailable),
        (error("ResourceNotFoundException"), MissingTable),
        (error("ValidationException", "Item size has exceeded the maximum allowed size"), TooLarge),
        (error("ValidationException", "The document path is invalid"), Invalid),
        (error("ValidationException", "The size of the list is odd"), Invalid),
    ],
)
def test_what_another_attempt_would_not_mend_is_told_at_once(
    script: Callable[..., Scripted], answer: Answer, expected: type[Exception]
) -> None:
    engine = script(answer)

    assert (outcome(read), engine.requests) == (expected, 1)


@pytest.mark.parametrize("code", ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"])
def test_a_transaction_cancelled_by_contention_alone_ends_as_unavailable(
    script: Callable[..., Scripted], code: str
) -> None:
    engine = script(cancelled("None", code))

    assert (outcome(write), engine.requests) == (Unavailable, 31)


def test_a_transaction_refused_and_contended_is_tried_again_before_it_is_refused(
    script: Callable[..., Scripted],
) -> None:
    engine = script(cancelled("ConditionalCheckFailed", "TransactionConflict"), (200, {}))
    write()
    assert engine.requests == 2

    engine = script(cancelled("ConditionalCheckFailed", "TransactionConflict"))
    assert (outcome(write), engine.requests) == (Conflict, 31)

    engine = script(cancelled("ConditionalCheckFailed", "None"))
    assert (outcome(write), engine.requests) == (Conflict, 1)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (cancelled("None", "ValidationError", message="Item size to update has exceeded"), TooLarge),
        (cancelled("None", "ValidationError", message="A value is of the wrong type"), Invalid),
        (cancelled("ConditionalCheckFailed"), Conflict),
        (cancelled(), Invalid),
        (error("ValidationException", "The provided expression is wrong"), Invalid),
        (error("IdempotentParameterMismatchException"), Unavailable),
    ],
)
def test_every_other_cancellation_is_an_error_of_ours(
    script: Callable[..., Scripted], answer: Answer, expected: type[Exception]
) -> None:
    engine = script(answer)

    assert (outcome(write), engine.requests) == (expected, 1)


@pytest.mark.parametrize("code", ["AccessDeniedException", "ConditionalCheckFailedException"])
def test_a_write_alone_is_refused_like_a_transaction(script: Callable[..., Scripted], code: str) -> None:
    engine = script(error(code))
    expected = Conflict if code == "ConditionalCheckFailedException" else Unavailable

    alone = transactions.delete(SupportItem, KEY, condition=transactions.exists(SupportItem))

    assert (outcome(lambda: transactions.send(alone)), engine.requests) == (expected, 1)


@pytest.fixture
def deaf() -> Iterator[str]:
    """The address of something that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def test_a_read_waits_no_longer_than_its_request_may(deaf: str) -> None:
    started = time.monotonic()

    with connected_to(deaf), request_deadline(0.1) as remaining:
        connection.warm()
        assert outcome(read) is Unavailable

    assert remaining.used_up
    assert time.monotonic() - started < 30


def test_a_refused_connection_is_tried_three_times_in_all() -> None:
    # Bound, so that nobody else gets the port, but not listening.
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with connected_to(f"http://127.0.0.1:{closed.getsockname()[1]}"), metering.metered() as meter:
            assert outcome(read) is Unavailable

    assert meter.operations == ["GetItem"] * 3


def test_a_request_without_time_left_sends_nothing_and_says_so(
    script: Callable[..., Scripted], caplog: pytest.LogCaptureFixture
) -> None:
    engine = script((200, {}))

    with request_deadline(0):
        assert outcome(read) is Unavailable

    assert engine.requests == 0
    assert "DynamoDB GetItem was not sent: the time of this request is used up" in caplog.text


def test_a_pause_is_charged_to_the_request_and_never_longer_than_it_has_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("core.dynamo.deadline.random.uniform", lambda _least, most: most)
    monkeypatch.setattr("core.dynamo.deadline.time.sleep", slept.append)

    with request_deadline(0.26) as remaining:
        for _pause in range(3):
            deadline.pause(attempt=10)

    assert slept == pytest.approx([0.2, 0.06, 0.0])
    assert remaining.left == pytest.approx(0)


def test_the_deadline_of_a_request_ends_what_others_are_in_the_way_of(
    script: Callable[..., Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, slept = script(cancelled("TransactionConflict")), list[float]()
    monkeypatch.setattr(connection.SharedConnection, "first_pause", deadline.FIRST_PAUSE)
    monkeypatch.setattr("core.dynamo.deadline.random.uniform", lambda _least, most: most)
    monkeypatch.setattr("core.dynamo.deadline.time.sleep", slept.append)
    monkeypatch.setattr(transport, "PROMPT_SECONDS", 60)

    with request_deadline(2.5):
        assert outcome(write) is Unavailable

    assert slept == pytest.approx([0.05, 0.1, *[0.2] * 11, 0.15])
    assert engine.requests == 14


def test_a_transaction_keeps_its_token_however_often_it_is_sent(script: Callable[..., Scripted]) -> None:
    engine = script(*[cancelled("TransactionConflict")] * 5, (200, {}))
    write()

    assert len({body["ClientRequestToken"] for body in engine.bodies}) == 1
    assert engine.requests == 6


def built_by_cold_threads(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, ask: Callable[[], Any]
) -> tuple[list[Any], list[Any]]:
    """What was built, and what eight threads got; whoever builds waits until all others have asked."""
    asked = [Event() for _ in range(8)]
    built: list[Any] = []
    build = getattr(owner, name)

    def slowly(*arguments: Any, **options: Any) -> Any:
        for event in asked:
            event.wait(20)
        built.append(build(*arguments, **options))
        return built[-1]

    def one(event: Event) -> Any:
        event.set()
        return ask()

    with monkeypatch.context() as patched, ThreadPoolExecutor(8) as pool:
        patched.setattr(owner, name, slowly)
        return built, list(pool.map(one, asked))


def test_cold_threads_build_one_client(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = connection.SharedConnection()

    built, clients = built_by_cold_threads(
        monkeypatch, type(shared.session), "create_client", lambda: shared.client
    )

    assert len(built) == 1
    assert all(client is built[0] for client in clients)
    shared.close()


def test_cold_threads_make_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_shared", None)

    built, connections = built_by_cold_threads(
        monkeypatch, connection, "SharedConnection", connection.connection
    )

    assert len(built) == 1
    assert all(made is built[0] for made in connections)


def in_child(work: Callable[[], bool]) -> bool:
    """What the work answers in a forked process; one that hangs or fails answers no."""
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    return os.waitpid(pid, 0)[1] == 0


@pytest.mark.usefixtures("db")
def test_a_forked_process_makes_a_connection_of_its_own() -> None:
    read()
    ours = connection.connection()

    def read_anew() -> bool:
        return read() is None and connection.connection() is not ours

    assert in_child(read_anew)
    assert connection.connection() is ours
    assert read() is None


@pytest.mark.usefixtures("db")
def test_a_fork_while_another_thread_makes_the_connection_does_not_hang() -> None:
    with connection._lock:
        assert in_child(lambda: read() is None)


@pytest.mark.usefixtures("db")
def test_a_reset_closes_the_client_and_the_next_use_makes_a_new_one() -> None:
    read()
    closed = connection.connection()

    connection.reset()

    assert closed._transport is not None
    assert len(closed._transport._pools.pools) == 0
    assert connection.connection() is not closed
    assert read() is None
