"""What readers see: published articles whose date has come, at a price of one or two reads and no session."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from core.accounts import directory
from core.dynamo import maintenance, metering, transactions
from core.dynamo.actors import SYSTEM
from tests.cast import CAST, sign_in
from tests.cms.articles import LONG_AGO, address_of, article, in_future
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db")


def titles(page: str) -> list[str]:
    return re.findall(r'<h2 lang="en"><a href="[^"]*">([^<]*)</a>', page)


def test_the_newest_come_first_eight_at_a_time(client) -> None:
    for day in range(20):
        article(f"Day {day:02}", published=True, publish_at=LONG_AGO + timedelta(days=day))

    pages, address = [], "/news/"
    while address:
        page = client.get(address).content.decode()
        pages.append(titles(page))
        older = re.search(r'id="older" rel="next" href="([^"]*)"', page)
        address = f"/news/{older[1]}".replace("&amp;", "&") if older else ""

    days = [f"Day {day:02}" for day in range(19, -1, -1)]
    assert pages[:3] == [days[:8], days[8:16], days[16:]]
    assert [title for page in pages for title in page] == days


def test_only_what_is_published_and_whose_date_has_come_is_shown(client) -> None:
    article("Draft", publish_at=LONG_AGO)
    article("Shown", published=True, publish_at=LONG_AGO)
    article("Later", published=True, publish_at=in_future())
    archived = article("Archived", published=True, publish_at=LONG_AGO)
    sign_in(Client(), "official").post(address_of(archived, "archive"), {"version": "1"})

    assert titles(client.get("/news/").content.decode()) == ["Shown"]
    answers = {
        slug: client.get(f"/news/{slug}/").status_code
        for slug in ("draft", "shown", "later", "archived", "nothing")
    }
    assert answers == {"draft": 404, "shown": 200, "later": 404, "archived": 404, "nothing": 404}


def test_what_an_index_still_shows_after_it_was_unpublished_is_not_found(client, monkeypatch) -> None:
    item = article(published=True)
    stale = news.at_slug("derby")
    news.update(item, {"status": "draft"}, actor=SYSTEM)
    monkeypatch.setattr(news, "at_slug", lambda _slug: stale)

    assert client.get("/news/derby/").status_code == 404


def test_what_an_index_does_not_show_yet_is_found(client, monkeypatch) -> None:
    article(published=True)
    monkeypatch.setattr(news, "at_slug", lambda _slug: None)

    assert client.get("/news/derby/").status_code == 200


def test_an_article_that_another_program_wrote_without_a_date_is_not_shown_and_can_be_mended(as_role) -> None:
    key = "00000000-0000-7000-8000-000000000001"
    raw = {"id": key, "title": "Import", "slug": "import", "status": "published"}
    transactions.commit(transactions.put_raw(News, {name: {"S": value} for name, value in raw.items()}))
    client = as_role("moderator")
    assert client.get("/news/import/").status_code == 404

    form = open_form(client, f"/cms/news/{key}/")
    assert form.fill(content="Text.", publish_at="2026-01-05T18:30").send("publish").status_code == 302

    assert client.get("/news/import/").status_code == 200
    assert news.get(key).stored["entity"] == {"S": "news"}
    assert titles(client.get("/news/").content.decode()) == ["Import"]


def test_an_article_shows_its_text_date_and_authors_and_nothing_of_the_administration(client) -> None:
    user = CAST["official"]
    directory.enter(user.sub, name=user.name, email=user.email, actor=SYSTEM)
    article("Derby & <b>mehr</b>", published=True, publish_at=LONG_AGO, tags=["Herren 1"], text="Fünf Sätze.")

    page = client.get("/news/derby-b-mehr-b/").content.decode()

    assert '<div class="rich-text" hx-disable><p>Fünf Sätze.</p></div>' in page
    assert "<title>Derby &amp; &lt;b&gt;mehr&lt;/b&gt; · Fieldhouse</title>" in page
    assert '<time datetime="2026-01-05T18:30:00+01:00">5 January 2026, 18:30</time>' in page
    assert "by Odile Brandt" in page
    assert "Herren 1" in page
    assert "official@fieldhouse.example" not in page
    assert "<script" not in page
    assert "/cms/" not in page


def test_text_that_should_never_have_been_stored_is_inert(client) -> None:
    hostile = {
        "type": "paragraph",
        "content": [
            {
                "type": "text",
                "text": "<script>alert(1)</script>",
                "marks": [{"type": "link", "attrs": {"href": "javascript:alert(1)"}}],
            }
        ],
    }
    article(published=True, content={"type": "doc", "content": [hostile]}, excerpt="<img src=x>")

    page = client.get("/news/derby/").content.decode()

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "javascript:" not in page
    assert "<img src=x>" not in client.get("/news/").content.decode()


@pytest.mark.parametrize("role", ["stranger", "admin"])
def test_reading_asks_no_session_and_sets_no_cookie_so_pages_can_be_kept(client, role: str) -> None:
    sign_in(client, role)
    article(published=True)

    for address in ("/news/", "/news/derby/"):
        answer = client.get(address)
        assert answer["Cache-Control"] == "public, max-age=60"
        assert "Cookie" not in answer.get("Vary", "")
        assert settings.CSRF_COOKIE_NAME not in answer.cookies
        assert settings.SESSION_COOKIE_NAME not in answer.cookies


def test_what_is_not_found_is_not_kept(client) -> None:
    assert client.get("/news/nothing/")["Cache-Control"] == "no-store"


def test_the_list_costs_one_read_an_article_two_and_a_redirect_three(client) -> None:
    sign_in(client, "admin")
    item = article(published=True)
    news.update(item, {"slug": "a"}, actor=SYSTEM)

    costs = {}
    for address in ("/news/", "/news/a/", "/news/derby/", "/news/nothing/"):
        with metering.metered() as meter:
            client.get(address)
        costs[address] = meter.operations

    assert costs == {
        "/news/": ["Query"],
        "/news/a/": ["Query", "BatchGetItem"],
        "/news/derby/": ["Query", "BatchGetItem", "GetItem"],
        "/news/nothing/": ["Query", "BatchGetItem"],
    }


@pytest.mark.parametrize("token", ["nonsense", "a:b:c", "x" * 5000])
def test_a_forged_place_in_the_list_is_refused(client, token: str) -> None:
    assert client.get("/news/", {"older": token}).status_code == 400


def test_an_empty_list_says_so(client) -> None:
    assert "No news yet." in client.get("/news/").content.decode()


@pytest.mark.parametrize("address", ["/news/", "/news/derby/"])
def test_readers_only_read(client, address: str) -> None:
    assert client.post(address).status_code == 405


def test_an_article_of_another_program_without_a_slug_is_shown_without_a_link(client) -> None:
    stored = dict(news.get(article(published=True).id, strong=True).stored)
    del stored["slug"]
    maintenance.request("PutItem", TableName=News.Meta.table_name, Item=stored | {"id": {"S": "foreign"}})

    page = client.get("/news/").content.decode()
    record = sign_in(Client(), "moderator").get("/cms/news/foreign/").content.decode()

    assert titles(page) == ["Derby"]
    assert '<h2 lang="en">Derby</h2>' in page
    assert "/news/None/" not in page + record
