"""A worker answers so many requests at once, lets some wait, and refuses all others at once."""

import http.client
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any
from wsgiref.util import FileWrapper

import pytest
from django.test import Client

from config.backlog import REFUSED, Backlog
from config.engines.dynoxide import Dynoxide
from config.engines.process import free_port
from core.dynamo.faults import FaultProxy, Faults
from tests.awaiting import assert_eventually
from tests.config.processes import serving

FULL = "The site is very busy"


class Held:
    """A WSGI application that answers when it is told to."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.go_on = Event()

    def __call__(self, environ: dict[str, Any], _start_response: object) -> list[bytes]:
        if REFUSED in environ:
            return [b"refused"]
        self.begun.append(environ["PATH_INFO"])
        assert self.go_on.wait(60)
        return [b"answered"]


def ask(backlog: Backlog, path: str, then: Callable[[bytes], None] = lambda _answer: None) -> None:
    answer: Any = backlog({"PATH_INFO": path}, None)
    then(b"".join(answer))
    if hasattr(answer, "close"):
        answer.close()


def test_so_many_are_answered_so_many_wait_and_the_next_is_refused_at_once() -> None:
    application, answers = Held(), list[bytes]()
    backlog = Backlog(application, threads=2, waiting=1)
    under_way = [Thread(target=ask, args=(backlog, f"/{n}", answers.append)) for n in range(3)]
    for thread in under_way:
        thread.start()
    assert_eventually(
        lambda: len(application.begun) == 2 and not backlog._places.acquire(False), "all places are taken"
    )

    ask(backlog, "/further", answers.append)
    assert answers == [b"refused"]
    assert len(application.begun) == 2

    application.go_on.set()
    for thread in under_way:
        thread.join()
    assert answers[1:] == [b"answered"] * 3
    ask(backlog, "/later", answers.append)
    assert answers[-1] == b"answered"


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_health_check_takes_no_place(path: str) -> None:
    backlog = Backlog(lambda environ, _start: [str(REFUSED in environ).encode()], threads=1, waiting=0)
    answers: list[bytes] = []

    ask(backlog, "/", lambda _answer: ask(backlog, path, answers.append))

    assert answers == [b"False"]


def test_a_place_is_held_until_the_answer_was_sent_and_freed_by_an_error() -> None:
    sent: list[bytes] = []

    class Streamed:
        def __iter__(self) -> Iterator[bytes]:
            ask(backlog, "/second", sent.append)
            yield b"streamed"

        def close(self) -> None:
            sent.append(b"closed")

    def application(environ: dict[str, Any], _start: object) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/broken":
            raise ValueError("broken")
        return [b"refused"] if REFUSED in environ else Streamed()

    backlog = Backlog(application, threads=1, waiting=0)
    for _time in range(2):
        with pytest.raises(ValueError, match="broken"):
            ask(backlog, "/broken")
    ask(backlog, "/first", sent.append)

    assert sent == [b"refused", b"streamed", b"closed"]


def test_a_file_is_handed_on_as_it_is_and_holds_a_place_until_it_was_sent(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with (tmp_path / "file").open("rb") as file:
        answer = FileWrapper(file)
        backlog = Backlog(lambda environ, _start: environ.get(REFUSED, answer), threads=1, waiting=1)

        def ask_for_file() -> Any:
            return backlog({"PATH_INFO": "/", "wsgi.file_wrapper": FileWrapper}, None)

        # The second needs a turn, which the first has given back.
        assert [ask_for_file(), ask_for_file(), ask_for_file()] == [answer, answer, True]
        answer.close()
        assert file.closed
        assert ask_for_file() is answer


def test_the_refusal_is_a_page_that_says_when_to_come_again(client: Client) -> None:
    response = client.get("/desk/", **{REFUSED: True})

    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert FULL in response.content.decode()
    assert response["X-Content-Type-Options"] == "nosniff"
    assert client.get("/healthz", **{REFUSED: True}).status_code == 200


@pytest.mark.slow
def test_with_every_thread_hanging_further_clients_are_refused_while_the_others_wait(
    db: Dynoxide, tmp_path: Path
) -> None:
    port, clients = free_port(), 6
    together = Barrier(clients)

    def get(_number: int) -> tuple[float, int, str | None, bool]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        together.wait()
        # Whoever brings a session has it read.
        headers = {"Cookie": "fieldhouse_session=" + "a" * 32}
        connection.request("GET", "/desk/", headers=headers)
        answer = connection.getresponse()
        page = answer.read().decode()
        connection.close()
        return time.monotonic(), answer.status, answer.getheader("Retry-After"), FULL in page

    with (
        FaultProxy(db.endpoint) as proxy,
        serving(
            port,
            tmp_path / "log",
            # Development has no manifest of static files to collect first.
            DEBUG="true",
            DYNAMODB_ENDPOINT=proxy.endpoint,
            WEB_WORKERS="1",
            WEB_THREADS="2",
            WEB_BACKLOG="1",
        ),
    ):
        proxy.faults = Faults(hang=1)
        with ThreadPoolExecutor(clients) as pool:
            answers = sorted(pool.map(get, range(clients)))

    assert [answer[1:3] for answer in answers] == [(503, "5")] * clients
    assert [is_full for *_rest, is_full in answers] == [True] * 3 + [False] * 3
