"""Limits how many requests a worker handles at once and how many wait; all others are refused.

gunicorn's threaded worker accepts connections without limit and queues them. So a worker has one thread for
each request that is handled or waits, and two more, which answer health checks and refuse all other requests
at once with 503 (`BacklogMiddleware`).
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from core.common import env

THREADS = env.number("WEB_THREADS", default=8, least=1, most=256)
WAITING = env.number("WEB_BACKLOG", default=32, least=0, most=1024)
SPARE = 2

HEALTH_PATHS = ("/healthz", "/readyz")
REFUSED = "fieldhouse.refused"

Application = Callable[[dict[str, Any], Any], Any]


class Backlog:
    """A WSGI application around another one; a request occupies its place until the response was sent."""

    def __init__(self, application: Application, *, threads: int = THREADS, waiting: int = WAITING) -> None:
        self._application = application
        self._turns = threading.BoundedSemaphore(threads)
        self._places = threading.BoundedSemaphore(threads + waiting)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        if environ.get("PATH_INFO") in HEALTH_PATHS:
            return self._application(environ, start_response)
        if not self._places.acquire(blocking=False):
            environ[REFUSED] = True
            return self._application(environ, start_response)
        self._turns.acquire()
        try:
            answer = self._application(environ, start_response)
        except BaseException:
            self._leave()
            raise
        if not isinstance(answer, environ.get("wsgi.file_wrapper", ())):
            return _Answer(answer, self._leave)
        # gunicorn uses sendfile only for an unwrapped file. Sending occupies a thread, but no turn.
        self._turns.release()
        answer.close = _Answer(answer, self._places.release).close
        return answer

    def _leave(self) -> None:
        self._turns.release()
        self._places.release()


class _Answer:
    """A response iterable that calls `done` when the server closes it."""

    def __init__(self, answer: Iterable[bytes], done: Callable[[], None]) -> None:
        self._answer = answer
        self._close = getattr(answer, "close", None)
        self._done = done

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._answer)

    def close(self) -> None:
        try:
            if self._close is not None:
                self._close()
        finally:
            self._done()
