"""A program that is told about changes: a small HTTP server on this machine."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Told:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


@dataclass
class Receiver:
    """`answer` is the status for each request, and may wait; `location` is sent with every answer."""

    address: str
    answer: Callable[[Told], int] = lambda _told: 204
    headers: dict[str, str] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)

    def url(self, path: str = "/hook") -> str:
        return f"{self.address}{path}"


@contextmanager
def receiving() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            told = Told(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
            receiver.told.append(told)
            status = receiver.answer(told)
            self.send_response(status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            if "Content-Length" not in receiver.headers:
                self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            pass

        def handle(self) -> None:
            # The sender may not have waited.
            with suppress(OSError):
                super().handle()

    class Server(ThreadingHTTPServer):
        # Thirty connect at once; with the usual five some would be reset.
        request_queue_size = 128

    with Server(("127.0.0.1", 0), Handler) as server:
        receiver = Receiver(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join()
