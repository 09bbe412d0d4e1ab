"""Pages of many requests are made once a minute; browsers that have a page are told so in a few bytes."""

import re
import time
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.utils.cache import get_max_age

from core.dynamo import metering
from core.dynamo.attributes import now
from tests.cms.articles import LONG_AGO, article
from tests.cms.club import make_sponsor, make_team
from tests.cms.public import page_of
from tests.the_club import the_club

pytestmark = pytest.mark.usefixtures("db")
MEMORY = "django.core.cache.backends.locmem.LocMemCache"


@pytest.fixture
def memory(settings):
    settings.CACHES = {**settings.CACHES, "pages": {"BACKEND": MEMORY, "LOCATION": "tests"}}
    caches["pages"].clear()
    yield
    caches["pages"].clear()


def requests(client, address: str) -> int:
    with metering.metered() as meter:
        page_of(client, address)
    return meter.requests


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("address", ["/", "/teams/", "/teams/herren1/", "/tables/", "/club/people/"])
def test_a_page_of_many_requests_costs_none_the_second_time(client, address: str) -> None:
    make_team(status="published")

    first = requests(client, address)

    assert first > 0
    assert requests(client, address) == 0
    assert requests(client, f"{address}?utm_source=mail") == 0


@pytest.mark.usefixtures("memory")
def test_a_page_is_the_same_for_all_browsers_until_the_club_has_another_language(client) -> None:
    make_team(status="published")
    pages = []
    for club, browser in (("de", "en"), ("de", "de"), ("en", "de"), ("de", "en")):
        the_club(language=club)
        pages.append(client.get("/teams/", headers={"Accept-Language": browser}))

    assert [re.findall(r'<html lang="(\w+)"', page.content.decode()) for page in pages] == [
        ["de"],
        ["de"],
        ["en"],
        ["de"],
    ]
    assert pages[0].content == pages[1].content == pages[3].content


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    "address", ["/feeds/all.ics", "/feeds/herren1.ics", "/feeds/news.rss", "/sitemap.xml"]
)
def test_so_does_a_file_for_other_programs_which_stays_what_it_is(client, address: str, monkeypatch) -> None:
    make_team(status="published")
    made = time.time()
    monkeypatch.setattr(time, "time", lambda: made)
    first = client.get(address)

    with metering.metered() as meter:
        again = client.get(f"{address}?utm_source=mail")

    assert meter.requests == 0
    assert again.content == first.content
    assert again["Age"] == "0"
    for name in ("Content-Type", "Content-Disposition", "Cache-Control", "ETag"):
        assert again.get(name) == first.get(name)


@pytest.mark.usefixtures("memory")
def test_a_page_is_a_minute_old_at_most_wherever_it_was_kept(client, monkeypatch) -> None:
    made = time.time()
    first = client.get("/teams/")
    make_team(status="published")
    monkeypatch.setattr(time, "time", lambda: made + 40.5)
    again = client.get("/teams/")

    assert "Age" not in first
    assert (again["Cache-Control"], again["Age"]) == ("public, max-age=60", "41")
    assert again.content == first.content

    monkeypatch.setattr(time, "time", lambda: made + 61)
    assert "Herren 1" in page_of(client, "/teams/")


@pytest.mark.usefixtures("memory")
def test_a_page_with_a_sponsor_is_kept_until_the_sponsor_expires(client, monkeypatch) -> None:
    made = time.time()
    make_sponsor(expiry_timestamp=now() + timedelta(seconds=40))
    first = client.get("/")
    again = client.get("/")

    assert 30 < get_max_age(first) <= 40
    assert get_max_age(client.get("/sponsors/")) <= 40
    assert again["Cache-Control"] == first["Cache-Control"]
    monkeypatch.setattr(time, "time", lambda: made + 41)
    assert requests(client, "/") > 0


@pytest.mark.usefixtures("memory")
def test_each_choice_and_each_host_has_its_own_page(client) -> None:
    make_team("Herren 1", status="published", gender="men")
    make_team("Damen 1", status="published", gender="woman")
    page_of(client, "/teams/")

    assert "Damen 1" not in page_of(client, "/teams/?gender=men")
    assert "Herren 1" not in page_of(client, "/teams/?gender=woman")
    elsewhere = client.get("/teams/", headers={"Host": "localhost"}).content.decode()
    assert 'href="http://localhost/teams/"' in elsewhere


@pytest.mark.usefixtures("memory")
def test_a_choice_that_does_not_exist_takes_no_room(client) -> None:
    make_team("Herren 1", status="published", gender="men")
    plain = page_of(client, "/teams/")

    for query in ("?gender=x1", "?gender=x2&league=y2", "?league=<script>"):
        assert requests(client, f"/teams/{query}") == 0
        assert page_of(client, f"/teams/{query}") == plain


@pytest.mark.usefixtures("memory")
def test_what_is_not_there_is_not_remembered(client) -> None:
    assert client.get("/teams/herren1/").status_code == 404
    make_team(status="published")

    assert client.get("/teams/herren1/").status_code == 200


@pytest.mark.parametrize("address", ["/", "/news/", "/news/derby/", "/feeds/all.ics"])
def test_who_has_the_page_is_told_that_it_is_the_same(client, address: str) -> None:
    article(published=True, publish_at=LONG_AGO)
    etag = client.get(address)["ETag"]

    again = client.get(address, headers={"If-None-Match": etag})

    assert (again.status_code, again.content) == (304, b"")
    assert again["Cache-Control"] == "public, max-age=60"
    article("New", published=True, publish_at=LONG_AGO)
    changed = client.get(address, headers={"If-None-Match": etag})
    assert changed.status_code == (200 if address in ("/", "/news/") else 304)


def test_pages_of_those_who_are_signed_in_have_no_such_mark(as_role) -> None:
    assert "ETag" not in as_role("member").get("/desk/")
