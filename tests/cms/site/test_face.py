"""The website has the face of the club: its imprint, its address, its logo in feeds, and pages without it."""

from xml.etree.ElementTree import fromstring

import pytest
from django.test import Client

from cms.pages.models import Page
from cms.pages.repository import pages
from core.content.richtext import from_plain_text
from core.dynamo.actors import SYSTEM
from tests.the_club import the_club

pytestmark = pytest.mark.usefixtures("db")
LOGO = {"name": f"{'0' * 32}.svg", "width": 75, "height": 100}
ADDRESS = f"http://testserver/brand/logo/{LOGO['name']}"


def test_without_settings_and_without_a_page_there_is_no_imprint(client: Client) -> None:
    assert client.get("/impressum/").status_code == 404


def test_the_settings_are_an_imprint_of_their_own(client: Client) -> None:
    the_club(address="Am <Bach> 4\n79999 Auenfeld", email="a@b.example", legal_name="TV Auenfeld e. V.")
    page = client.get("/impressum/").content.decode()

    assert "<title>Imprint · Fieldhouse</title>" in page
    assert "TV Auenfeld e. V.<br>Am &lt;Bach&gt; 4<br>79999 Auenfeld" in page
    assert '<a href="mailto:a@b.example">a@b.example</a>' in page


def test_they_stand_above_the_text_of_the_page(client: Client) -> None:
    text = from_plain_text("Streitschlichtung")
    item = Page(title="Impressum", slug="impressum", status="published", content=text)
    pages.create(item, actor=SYSTEM)
    the_club(address="Am Bach 4")
    page = client.get("/impressum/").content.decode()

    assert page.index('id="imprint"') < page.index("Streitschlichtung")


def test_the_address_is_at_the_end_of_every_page(client: Client) -> None:
    the_club(address="Am Bach 4", phone="07999 1")

    for address in ("/", "/news/", "/teams/"):
        foot = client.get(address).content.decode().partition("<footer")[2]
        assert "Am Bach 4" in foot
        assert "07999 1" in foot


def test_feeds_carry_name_and_logo(client: Client) -> None:
    the_club(name="TV Auenfeld", logo=LOGO)
    feed = fromstring(client.get("/feeds/news.rss").content)  # noqa: S314 - our own
    calendar = client.get("/feeds/all.ics").content.decode().replace("\r\n ", "")

    assert feed.findtext("channel/title") == "News · TV Auenfeld"
    assert feed.findtext("channel/image/url") == ADDRESS
    assert "NAME:TV Auenfeld" in calendar
    assert f"IMAGE;DISPLAY=BADGE;VALUE=URI:{ADDRESS}" in calendar


def test_without_a_logo_feeds_have_none(client: Client) -> None:
    assert b"<image>" not in client.get("/feeds/news.rss").content
    assert b"IMAGE" not in client.get("/feeds/all.ics").content
