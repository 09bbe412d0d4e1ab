"""Another service on loopback: answers what a test tells it, and remembers what it was asked."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from core.stores.http import HttpClient

MINUTE = 60_000
Make = Callable[..., HttpClient]


@dataclass
class Reply:
    body: bytes = b'{"answer": 42}'
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    # Seconds between these header lines and between the pieces of the body, to be slow on purpose.
    drips: int = 0
    pieces: int = 1
    pause: float = 0


class FarSide:
    def __init__(self) -> None:
        self.reply = Reply()
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.dripped = 0
        # Nobody is answered before this is set.
        self.may_answer = threading.Event()
        self.may_answer.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.path)
                outer.headers.append(dict(self.headers))
                outer.may_answer.wait(30)
                reply = outer.reply
                self.send_response(reply.status)
                try:
                    self.drip(reply)
                except OSError:
                    return
                for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                size = -(-len(reply.body) // reply.pieces) or 1
                for start in range(0, len(reply.body), size):
                    try:
                        self.wfile.write(reply.body[start : start + size])
                        self.wfile.flush()
                    except OSError:
                        return
                    time.sleep(reply.pause)

            def drip(self, reply: Reply) -> None:
                for number in range(reply.drips):
                    self.send_header(f"X-Drip-{number}", "x")
                    self.flush_headers()
                    outer.dripped += 1
                    time.sleep(reply.pause)

            def log_message(self, *_arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
