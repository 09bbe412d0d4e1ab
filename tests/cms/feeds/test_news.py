"""The feed of the news for feed readers: what is published and whose date has come."""

from datetime import timedelta
from email.utils import parsedate_to_datetime
from xml.etree import ElementTree

import pytest
from django.test import Client

from core.dynamo import metering
from tests.cast import sign_in
from tests.cms.articles import LONG_AGO, address_of, article, in_future

pytestmark = pytest.mark.usefixtures("db")
ATOM = "{http://www.w3.org/2005/Atom}"


def channel(client: Client) -> ElementTree.Element:
    answer = client.get("/feeds/news.rss")
    assert answer["Content-Type"] == "application/rss+xml; charset=utf-8"
    root = ElementTree.fromstring(answer.content)  # noqa: S314 - our own file
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    return root.find("channel")


def test_an_article_has_its_title_summary_date_and_an_absolute_link(client) -> None:
    item = article("Derby & <b>mehr</b>", published=True, publish_at=LONG_AGO, text="Fünf Sätze.")

    feed = channel(client)
    (entry,) = feed.findall("item")
    assert entry.findtext("title") == "Derby & <b>mehr</b>"
    assert entry.findtext("description") == "Fünf Sätze."
    assert entry.findtext("link") == "http://testserver/news/derby-b-mehr-b/"
    assert entry.findtext("guid") == f"urn:uuid:{item.id}"
    assert entry.find("guid").get("isPermaLink") == "false"
    assert parsedate_to_datetime(entry.findtext("pubDate")) == LONG_AGO
    assert feed.findtext("title") == "News · Fieldhouse"
    assert feed.findtext("link") == "http://testserver/news/"
    assert feed.findtext("language") == "en"
    assert feed.find(f"{ATOM}link").get("href") == "http://testserver/feeds/news.rss"


def test_only_what_readers_see_is_told_the_newest_first(client) -> None:
    article("Draft", publish_at=LONG_AGO)
    article("Later", published=True, publish_at=in_future())
    archived = article("Archived", published=True, publish_at=LONG_AGO)
    sign_in(Client(), "official").post(address_of(archived, "archive"), {"version": "1"})
    for day in range(35):
        article(f"Day {day:02}", published=True, publish_at=LONG_AGO + timedelta(days=day))

    titles = [entry.findtext("title") for entry in channel(client).findall("item")]

    assert titles == [f"Day {day:02}" for day in range(34, 4, -1)]


def test_it_asks_no_session_and_costs_one_query(client) -> None:
    sign_in(client, "admin")
    article(published=True)

    with metering.metered() as meter:
        answer = client.get("/feeds/news.rss")

    assert meter.operations == ["Query"]
    assert answer["Cache-Control"] == "public, max-age=60"
    assert "Cookie" not in answer.get("Vary", "")


def test_a_host_that_is_not_ours_is_refused(client, settings) -> None:
    settings.ALLOWED_HOSTS = ["fieldhouse.example"]

    assert client.get("/feeds/news.rss", headers={"host": "evil.example"}).status_code == 400


def test_characters_that_a_feed_cannot_hold_do_not_break_it(client) -> None:
    article("Der\x08by\uffff", published=True, publish_at=LONG_AGO, excerpt="Fünf\x0bSätze")

    (entry,) = channel(client).findall("item")
    assert (entry.findtext("title"), entry.findtext("description")) == ("Der by", "Fünf Sätze")


def test_an_empty_feed_is_valid(client) -> None:
    assert channel(client).findall("item") == []
