"""Imprint, privacy and free pages; what is not there is told kindly; what all pages have in common."""

import re
from itertools import pairwise

import pytest
from django.conf import settings
from django.test import Client

from cms.pages.models import Page
from cms.pages.repository import pages
from core.content.richtext import from_plain_text
from core.dynamo.actors import SYSTEM
from tests.cast import sign_in
from tests.cms.articles import LONG_AGO, article
from tests.cms.club import make_sponsor, make_team
from tests.cms.occasions import event
from tests.cms.public import operations, page_of, part, text_of
from tests.the_club import the_club

pytestmark = pytest.mark.usefixtures("db")
LISTS = [
    "/",
    "/news/",
    "/teams/",
    "/dates/",
    "/dates/past/",
    "/tables/",
    "/club/",
    "/club/people/",
    "/sponsors/",
]
RECORDS = ["/news/derby/", "/events/summer-party/", "/teams/herren1/", "/impressum/"]


def make_page(title: str = "Impressum", status: str = "published", **fields: str) -> Page:
    content = from_plain_text("Who we are.")
    page = Page(title=title, **{"slug": title.lower(), **fields}, status=status, content=content)
    return pages.create(page, actor=SYSTEM)


@pytest.fixture
def something_of_each() -> None:
    article(published=True, publish_at=LONG_AGO)
    event()
    make_team(status="published", description="We & you.")
    make_sponsor()
    make_page()


@pytest.mark.parametrize("status", ["published", "draft", "archived"])
def test_a_page_is_there_while_it_is_published(client, status: str) -> None:
    make_page(status=status)

    assert client.get("/impressum/").status_code == (200 if status == "published" else 404)
    assert ("Impressum" in page_of(client, "/club/")) is (status == "published")


def test_all_pages_can_be_found_by_their_titles(client) -> None:
    make_page("Satzung")
    make_page("Impressum")
    make_page("Welcome", slug="home")

    assert (
        text_of(part(page_of(client, "/club/"), "ul", "pages")) == "People Sponsors Tables Impressum Satzung"
    )
    assert operations(client, "/club/") == ["Query"]


@pytest.mark.parametrize("slug", ["teams", "dates", "tables", "club", "sponsors", "news", "desk", "people"])
def test_no_page_takes_the_place_of_another_part_of_the_site(client, slug: str) -> None:
    make_page("Shadow", slug=slug)

    assert "Who we are." not in client.get(f"/{slug}/").content.decode()


@pytest.mark.usefixtures("something_of_each")
@pytest.mark.parametrize("address", [*LISTS, *RECORDS])
@pytest.mark.parametrize("role", ["stranger", "admin"])
def test_every_page_asks_no_session_sets_no_cookie_and_may_be_kept_a_minute(
    client: Client, address: str, role: str
) -> None:
    answer = sign_in(client, role).get(address)

    assert answer.status_code == 200
    assert answer["Cache-Control"] == "public, max-age=60"
    assert "Cookie" not in answer.get("Vary", "")
    assert not answer.cookies
    assert "<script" not in answer.content.decode()
    assert "/cms/" not in answer.content.decode()


@pytest.mark.usefixtures("something_of_each")
@pytest.mark.parametrize("address", [*LISTS, *RECORDS])
def test_every_page_says_what_it_is_to_search_engines_and_those_who_share_it(client, address: str) -> None:
    page = page_of(client, address)

    assert re.search(r"<title>[^<]*Fieldhouse</title>", page)
    assert '<html lang="en">' in page
    assert page.count("<h1") == 1
    assert f'<link rel="canonical" href="http://testserver{address}">' in page
    assert f'<meta property="og:url" content="http://testserver{address}">' in page
    assert 'type="application/rss+xml"' in page
    assert 'type="text/calendar"' in page
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_canonical_address_has_no_query(client) -> None:
    assert '<link rel="canonical" href="http://testserver/teams/">' in page_of(client, "/teams/?gender=x&a=b")


@pytest.mark.parametrize("address", ["/nothing/", "/no/such/page", "/events/nothing/", "/teams/nothing/"])
def test_what_is_not_there_is_told_on_a_page_of_the_website(client, address: str) -> None:
    answer = client.get(address)
    page = answer.content.decode()

    assert answer.status_code == 404
    assert answer["Cache-Control"] == "no-store"
    assert 'class="public-nav"' in page
    assert not answer.cookies


def test_what_is_not_there_in_the_administration_is_told_there(client) -> None:
    page = sign_in(client, "admin").get("/cms/teams/nothing/").content.decode()

    assert 'class="public-nav"' not in page
    assert 'href="/desk/"' in page


@pytest.mark.parametrize("slug", ["%00", "x" * 3000, "<script>", "..", "impressum%20", "IMPRESSUM", "ü"])
def test_other_addresses_find_nothing(client, slug: str) -> None:
    make_page()
    answer = client.get(f"/{slug}/")

    assert answer.status_code == 404
    assert b"<script>" not in answer.content


@pytest.mark.parametrize("address", LISTS)
def test_readers_only_read(client, address: str) -> None:
    assert client.post(address).status_code == 405
    assert settings.CSRF_COOKIE_NAME not in client.cookies


def test_what_the_club_wrote_is_marked_with_its_language_and_the_words_around_it_are_not(client):
    the_club(language="fr")
    article("Victoire", published=True, publish_at=LONG_AGO, text="Cinq sets.")

    page = page_of(client, "/news/victoire/")

    assert '<html lang="en">' in page
    assert '<h1 class="article-title" lang="fr">Victoire</h1>' in page
    assert re.search(r'<div lang="fr"><div class="rich-text"[^>]*><p>Cinq sets.</p></div></div>', page)
    assert page.count('lang="fr"') == 2


@pytest.mark.usefixtures("something_of_each")
@pytest.mark.parametrize(
    ("address", "marked"),
    [
        ("/", []),
        ("/impressum/", []),
        ("/teams/", [("/teams/", "page")]),
        ("/teams/herren1/", [("/teams/", "true")]),
        ("/events/summer-party/", [("/dates/", "true")]),
        ("/club/people/", [("/club/people/", "page")]),
    ],
)
def test_the_navigation_says_where_one_is(client, address: str, marked: list[tuple[str, str]]) -> None:
    navigation = page_of(client, address).partition("</header>")[0]

    assert re.findall(r'<a href="([^"]*)" aria-current="([^"]*)"', navigation) == marked
