"""The site for the browser tests: its static files come from memory, and the browser may keep them."""

from contextlib import closing
from typing import Any

from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.http import HttpRequest, HttpResponse
from pytest_django.live_server_helper import LiveServer


class KeptFiles(StaticFilesHandler):
    """Otherwise each page asks for some thirty files anew; in production the browser keeps them too."""

    kept: dict[str, tuple[bytes, str]] = {}

    def serve(self, request: HttpRequest) -> Any:
        if request.path not in self.kept:
            with closing(super().serve(request)) as found:
                self.kept[request.path] = (b"".join(found), found["Content-Type"])
        content, kind = self.kept[request.path]
        return HttpResponse(content, content_type=kind, headers={"Cache-Control": "max-age=3600"})


def start() -> LiveServer:
    server = LiveServer("localhost", start=False)
    server.thread.static_handler = KeptFiles
    server.start()
    return server
