"""Every page with its example records in German, then in English, then in German again.

German is marked here: what comes out of gettext stands in «marks». So a text of ours without them was never
translated, or kept in another language, and a mark in an English page was kept from a German one.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import Resolver404, resolve
from pytest_django import Settings

from tests.cast import sign_in
from tests.messages.outside import NOT_READ, SHOWN_ATTRIBUTES
from tests.messages.texts import texts
from tests.security.test_routes import ROUTES
from tests.the_club import the_club

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("db", "marked_german")]
BEGIN = ("/desk/", "/")
# Pages of one route look alike.
MOST_OF_A_ROUTE = 2
# Of the example records: what a game asks, and the season of a team of one's own.
DATA = {"Default", "Elsewhere", "General", "Level", "None", "Where"}
# For programmers, in English: it is the text of openapi.json.
IN_ENGLISH = ("/api/",)


class Page(HTMLParser):
    """The texts that people see and that are not in marks, and the links."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.unmarked: list[str] = []
        self.links: list[str] = []
        self._unread: list[str] = []
        # A text may go on after a tag, such as a link in it.
        self._marks = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in NOT_READ:
            self._unread.append(tag)
        if tag == "a" and given.get("href", "").startswith(("/", "?")):
            self.links.append(given["href"])
        for name in given.keys() & SHOWN_ATTRIBUTES:
            self._read(given[name])

    def handle_endtag(self, tag: str) -> None:
        if self._unread and tag == self._unread[-1]:
            self._unread.pop()

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self._read(data)

    def _read(self, text: str) -> None:
        for part in re.split("([«»])", text):
            self._marks += {"«": 1, "»": -1}.get(part, 0)
            if not self._marks:
                self.unmarked.append(" ".join(part.split()))


def english_in(html: str, ours: set[str]) -> set[str]:
    """The texts of ours in a German page that are as in English."""
    parts = {part for text in Page(html).unmarked for part in (text, *re.split("[·,:()]", text))}
    return {part for part in parts if part.strip(" .…0123456789") in ours}


def route_of(address: str) -> str:
    try:
        return str(resolve(urlsplit(address).path).route)
    except Resolver404:
        return ""


def walk(client: Client) -> Iterator[tuple[str, str]]:
    """The addresses and German pages that are linked from page to page, at most some of each route."""
    waiting, seen = [*BEGIN, *ROUTES], {*BEGIN, *ROUTES}
    by_route: dict[str, int] = {}
    while waiting:
        address = waiting.pop(0)
        page = page_at(client, address, "de")
        if page:
            yield address, page
        for link in Page(page).links:
            target = urljoin(address, link).partition("#")[0]
            route = route_of(target)
            if route and target not in seen and by_route.get(route, 0) < MOST_OF_A_ROUTE:
                by_route[route] = by_route.get(route, 0) + 1
                seen.add(target)
                waiting.append(target)


def page_at(client: Client, address: str, language: str) -> str:
    """The HTML there; empty if it is something else."""
    response = client.get(address, headers={"Accept-Language": language})
    is_page = response.get("Content-Type", "").startswith("text/html") and not address.startswith(IN_ENGLISH)
    page = response.content.decode() if is_page else ""
    response.close()
    return page


def test_no_page_has_a_text_of_another_language(client: Client, settings: Settings) -> None:
    the_club(language="de")
    call_command("demo", verbosity=0)
    settings.COGNITO_ENDPOINT = settings.COGNITO_DOMAIN = "http://127.0.0.1:9"
    sign_in(client, "admin")
    ours = {text.msgid for _file, text in texts() if re.search("[a-z]{2}", text.msgid)} - DATA

    german = dict(walk(client))
    the_club(language="en")
    english = {address: page_at(client, address, "en") for address in german}
    the_club(language="de")
    again = {address: page_at(client, address, "de") for address in german}

    assert len({route_of(address) for address in german}) > 170
    assert {address: found for address, page in german.items() if (found := english_in(page, ours))} == {}
    assert {address for address, page in english.items() if "«" in page} == set()
    assert {address: found for address, page in again.items() if (found := english_in(page, ours))} == {}
