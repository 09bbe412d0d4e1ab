"""What each contestant is asked: addresses, and forms as its own pages would send them."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from datetime import timedelta
from functools import cached_property
from html import unescape
from typing import Any, ClassVar
from urllib.parse import urlencode
from uuid import uuid4

from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from cms.news.resource import news
from config.engines.process import HOST
from core.content.richtext import from_plain_text
from core.crud import edit_session
from core.dynamo.attributes import to_iso
from tests.bench.admin import SESSION
from tests.bench.load import Client, Request
from tests.bench.pages import API_ADDRESS, API_LIST
from tests.bench.servers import Gunicorn
from tests.cast import CAST, session_of
from tests.cms.filling import BEGINNING, key_of
from tests.core.crud.pages import _Form

ROWS = 25
PAGE = 40
WORD = "spielb"
TEXT = "Five sets. " * 200
CSRF = "c" * 32
SECONDS_SIGNED_IN = 24 * 3600


class Contestant(ABC):
    """`requests` answers one list for each client: a read is one request, writes are many different ones."""

    scheme: ClassVar[str] = "http"

    def __init__(self, server: Gunicorn, size: int) -> None:
        self.server, self.size = server, size

    @property
    def name(self) -> str:
        return self.server.name

    @property
    def headers(self) -> Mapping[str, str]:
        return {"Cookie": self.cookies, "Origin": f"{self.scheme}://{HOST}:{self.server.port}"}

    @property
    @abstractmethod
    def cookies(self) -> str: ...

    def page(self, path: str) -> str:
        client = Client(self.server.port, self.headers)
        status, body = client.ask(Request(path))
        client.close()
        assert status == 200, f"{self.name} answers {status} at {path}."
        return body.decode()

    def requests(self, operation: str, clients: int, writes: int) -> list[list[Request]]:
        if operation in ("save", "create"):
            make = self.saves if operation == "save" else self.creates
            return [make(client, writes) for client in range(clients)]
        return [[Request(self.address(operation))]] * clients

    def key(self, client: int) -> Any:
        """The record that a client edits, none of which is on the first pages."""
        return client

    @abstractmethod
    def address(self, operation: str) -> str: ...

    @abstractmethod
    def saves(self, client: int, count: int) -> list[Request]: ...

    @abstractmethod
    def creates(self, client: int, count: int) -> list[Request]: ...


class Fieldhouse(Contestant):
    """As a browser with JavaScript, but without HTMX: every answer is a whole page or a redirect."""

    scheme = "https"
    user = CAST["admin"]

    @cached_property
    def cookies(self) -> str:
        session = session_of(self.user, renew_in=SECONDS_SIGNED_IN)
        return f"__Host-session={session.session_key}; __Host-csrf={CSRF}"

    @property
    def headers(self) -> Mapping[str, str]:
        return {**super().headers, "X-Forwarded-Proto": "https"}

    def key(self, client: int) -> str:
        return key_of(client)

    def address(self, operation: str) -> str:
        return {
            "list": news.list_address,
            "search": f"{news.list_address}?q={WORD}",
            "edit form": news.record_address(self.key(0)),
            "new form": news.new_address,
            API_LIST: API_ADDRESS,
        }.get(operation) or self._last_page

    @cached_property
    def _last_page(self) -> str:
        """The fortieth page, reached as a person would."""
        address = str(news.list_address)
        for _page in range(PAGE - 1):
            found = re.search(r'id="load-more"[^>]*? href="([^"]*)"', self.page(address))
            assert found, "There is no next page."
            address = news.list_address + unescape(found[1])
        return address

    def saves(self, client: int, count: int) -> list[Request]:
        """Publish a changed text again and again; each time the version is one higher."""
        form = self.form(news.record_address(self.key(client)))
        version = int(form.fields["version"][0])
        return [
            self.post(
                form.action,
                form.fields | written(another_text()),
                version=str(version + number),
                then="publish",
            )
            for number in range(count)
        ]

    def creates(self, client: int, count: int) -> list[Request]:
        form = self.form(news.new_address)
        return [self.create(form.fields, f"Nachbericht {uuid4().hex[:12]}") for _number in range(count)]

    def create(self, fields: Mapping[str, Any], title: str) -> Request:
        """A new record needs a key, and a pass that we gave this person for it."""
        key = news.new_key()
        return self.post(
            news.record_address(key),
            {**fields, **written(TEXT)},
            title=title,
            new=edit_session.pass_for(self.user, news, key),
            then="save",
        )

    def form(self, address: str) -> _Form:
        form = _Form("record-form")
        form.feed(self.page(address))
        # A browser with JavaScript sends the document in its place.
        del form.fields["content"]
        return form

    def post(self, address: str, fields: Mapping[str, Any], **changed: str) -> Request:
        body = encode_multipart(BOUNDARY, {**fields, **changed, "once": str(uuid4())}).decode()
        return Request(address, "POST", body, MULTIPART_CONTENT, expect=302)


def another_text() -> str:
    """Saving what is stored already would write nothing."""
    return f"{uuid4()} {TEXT}"


def written(text: str) -> dict[str, str]:
    """A text as the editor sends it."""
    return {"content-document": json.dumps(from_plain_text(text))}


class Admin(Contestant):
    cookies = f"sessionid={SESSION}; csrftoken={CSRF}"
    base = "/admin/admin_of_bench/article/"

    def key(self, client: int) -> int:
        return client + 1

    def address(self, operation: str) -> str:
        return (
            self.base
            + {
                "list": "",
                "page 40": f"?p={PAGE}",
                "search": f"?q={WORD}",
                "edit form": f"{self.key(0)}/change/",
                "new form": "add/",
            }[operation]
        )

    def saves(self, client: int, count: int) -> list[Request]:
        address, title = f"{self.base}{self.key(client)}/change/", f"Spielbericht {client:08}"
        return [self._post(address, title, f"{number} {TEXT}", status="published") for number in range(count)]

    def creates(self, client: int, count: int) -> list[Request]:
        titles = [f"Nachbericht {uuid4().hex[:12]}" for _number in range(count)]
        return [self._post(f"{self.base}add/", title, TEXT, status="draft") for title in titles]

    def _post(self, address: str, title: str, text: str, *, status: str) -> Request:
        fields = {
            "csrfmiddlewaretoken": CSRF,
            "title": title,
            "slug": title.lower().replace(" ", "-"),
            "text": text,
            "excerpt": "Five sets.",
            "published_date_0": "2026-01-01",
            "published_date_1": "12:00:00",
            "authors": "1",
            "status": status,
            "_save": "Save",
        }
        return Request(address, "POST", urlencode(fields), expect=302)


class Floor(Contestant):
    cookies = ""

    def key(self, client: int) -> str:
        return key_of(client)

    def address(self, operation: str) -> str:
        newest_before = self.size - (PAGE - 1) * ROWS
        published = to_iso(BEGINNING + timedelta(seconds=newest_before))
        return {
            "list": "/list",
            "page 40": f"/list?{urlencode({'after': key_of(newest_before), 'published': published})}",
            "edit form": f"/edit?key={self.key(0)}",
            "new form": "/new",
            API_LIST: "/query",
        }[operation]

    def saves(self, client: int, count: int) -> list[Request]:
        return [self._post(f"floor-{client}", another_text()) for _number in range(count)]

    def creates(self, client: int, count: int) -> list[Request]:
        return [self._post(str(uuid4()), TEXT) for _number in range(count)]

    def _post(self, key: str, text: str) -> Request:
        fields = {
            "key": key,
            "title": f"Nachbericht {key[-12:]}",
            "slug": f"floor-{key[-12:]}",
            "text": text,
            "excerpt": "Five sets.",
            "publishAt": to_iso(BEGINNING),
        }
        return Request("/save", "POST", urlencode(fields), expect=302)
