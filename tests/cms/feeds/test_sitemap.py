"""What search engines are told: where published content is, and what is not for them."""

from xml.etree import ElementTree

import pytest
from django.test import Client

from cms.feeds import views
from cms.pages.models import FRONT, Page
from cms.pages.repository import pages
from core.dynamo import metering
from core.dynamo.actors import SYSTEM
from tests.cast import sign_in
from tests.cms.articles import LONG_AGO, article, in_future
from tests.cms.filling import fill
from tests.cms.occasions import event
from tests.cms.trainings import team

pytestmark = pytest.mark.usefixtures("db")
LISTS = {"/", "/news/", "/dates/", "/tables/", "/teams/", "/club/", "/club/people/", "/sponsors/"}
NAMES = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def places(client: Client) -> dict[str, str | None]:
    """The addresses, with when each was changed."""
    answer = client.get("/sitemap.xml")
    assert answer["Content-Type"] == "application/xml; charset=utf-8"
    root = ElementTree.fromstring(answer.content)  # noqa: S314 - our own file
    assert root.tag == f"{NAMES}urlset"
    return {
        place.findtext(f"{NAMES}loc").removeprefix("http://testserver"): place.findtext(f"{NAMES}lastmod")
        for place in root
    }


def test_it_names_what_is_published_with_absolute_addresses(client) -> None:
    item = article(published=True, publish_at=LONG_AGO)
    event()
    team("Herren 1")
    pages.create(Page(title="Impressum", slug="impressum", status="published"), actor=SYSTEM)

    found = places(client)

    assert set(found) - LISTS == {
        "/news/derby/",
        "/events/summer-party/",
        "/teams/herren1/",
        "/impressum/",
    }
    assert found["/news/derby/"] == f"{item.updated_at:%Y-%m-%dT%H:%M:%SZ}"


def test_the_first_page_is_named_once(client) -> None:
    pages.create(Page(title="Willkommen", slug=FRONT, status="published"), actor=SYSTEM)

    assert client.get("/sitemap.xml").content.decode().count("<loc>http://testserver/</loc>") == 1


def test_nothing_else_is_named(client) -> None:
    article("Draft", publish_at=LONG_AGO)
    article("Later", published=True, publish_at=in_future())
    event("Draft", published=False)
    team("Herren 2", status="draft")
    pages.create(Page(title="Satzung", slug="satzung", status="draft"), actor=SYSTEM)

    assert set(places(client)) == LISTS


def test_every_address_that_it_names_can_be_read(client) -> None:
    article(published=True, publish_at=LONG_AGO)
    event()
    team("Herren 1")

    assert {client.get(address).status_code for address in places(client)} == {200}


def test_the_newest_news_fill_it_up_to_its_limit_at_a_bounded_price(client, monkeypatch) -> None:
    monkeypatch.setattr(views, "PER_REQUEST", 20)
    fill(0, 130)
    event()
    with metering.metered() as meter:
        found = places(client)

    # One request each for pages, teams and events, five for news.
    assert meter.operations == ["Query"] * 8
    assert len(found) == len(LISTS) + 1 + 5 * 20
    assert "/news/spielbericht-00000129/" in found
    assert "/news/spielbericht-00000029/" not in found

    monkeypatch.setattr(views, "MOST_ADDRESSES", 10)
    assert len(places(client)) == 10


def test_there_are_never_more_addresses_than_search_engines_take() -> None:
    assert views.MOST_ADDRESSES <= 50_000
    assert sum(views.MOST_REQUESTS.values()) <= 10


def test_robots_find_the_sitemap_and_leave_the_administration_alone(client) -> None:
    with metering.metered() as meter:
        answer = client.get("/robots.txt")

    lines = answer.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert "Disallow: /cms/" in lines
    assert "Sitemap: http://testserver/sitemap.xml" in lines
    assert answer["Content-Type"].startswith("text/plain")
    assert meter.operations == []


def test_it_asks_no_session(client) -> None:
    sign_in(client, "admin")

    for address in ("/sitemap.xml", "/robots.txt"):
        answer = client.get(address)
        assert answer["Cache-Control"] == "public, max-age=60"
        assert "Cookie" not in answer.get("Vary", "")
