"""The editors' list: filters and orders that an index gives, badges, names, and what is mine."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from cms.news.repository import news
from core.accounts import directory
from core.dynamo.actors import SYSTEM
from tests.cast import CAST, sign_in
from tests.cms.articles import LONG_AGO, address_of, article, in_future
from tests.core.crud.pages import open_form

pytestmark = pytest.mark.usefixtures("db")


def titles(page: str) -> list[str]:
    return re.findall(r'class="card-title"><a [^>]*>\s*([^<]*?)\s*<', page)


def listed(client: Client, query: str = "") -> list[str]:
    return titles(client.get(f"/cms/news/{query}").content.decode())


@pytest.fixture
def one_of_each(db) -> None:
    """A draft, a published, a scheduled and an archived article, written in this order."""
    article("Draft")
    article("Published", by="moderator", published=True, publish_at=LONG_AGO)
    article("Scheduled", by="moderator", published=True, publish_at=in_future())
    archived = article("Archived", published=True, publish_at=LONG_AGO - timedelta(days=1))
    sign_in(Client(), "moderator").post(address_of(archived, "archive"), {"version": "1"})


@pytest.mark.usefixtures("one_of_each")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Scheduled", "Draft", "Published", "Archived"]),
        ("?sort=published_date", ["Archived", "Published", "Draft", "Scheduled"]),
        ("?status=draft", ["Draft"]),
        ("?status=published", ["Published"]),
        ("?status=scheduled", ["Scheduled"]),
        ("?status=archived", ["Archived"]),
        ("?status=nonsense", ["Scheduled", "Draft", "Published", "Archived"]),
        ("?author=me", ["Draft", "Archived"]),
        ("?author=me&status=draft", ["Draft"]),
        ("?author=me&status=published", []),
        ("?q=sched", ["Scheduled"]),
        ("?q=sched&status=draft", []),
        ("?q=sched&status=scheduled", ["Scheduled"]),
        ("?q=sched&status=published", []),
        ("?q=draft&author=me", ["Draft"]),
        ("?q=sched&author=me", []),
    ],
)
def test_filters_orders_and_words_narrow_the_list(as_role, query: str, found: list[str]) -> None:
    assert listed(as_role("official"), query) == found


def test_the_published_are_ordered_by_their_date_both_ways(as_role) -> None:
    for days in (2, 1, 3):
        article(f"Day {days}", published=True, publish_at=LONG_AGO + timedelta(days=days))
    client = as_role("official")

    assert listed(client, "?status=published") == ["Day 3", "Day 2", "Day 1"]
    assert listed(client, "?status=published&sort=published_date") == ["Day 1", "Day 2", "Day 3"]


def test_a_row_shows_title_state_date_authors_and_that_changes_wait(as_role) -> None:
    for role in ("official", "moderator"):
        user = CAST[role]
        directory.enter(user.sub, name=user.name, email=user.email, actor=SYSTEM)
    item = article(
        published=True, publish_at=LONG_AGO, author_ids=["moderator-sub", "official-sub", "unknown"]
    )
    client = as_role("official")
    open_form(client, address_of(item)).fill(title="Derby won").send()

    page = client.get("/cms/news/").content.decode()

    row = " ".join(re.sub(r"<[^>]*>", " ", page.partition('id="rows"')[2].partition("</tbody>")[0]).split())
    for shown in (
        "Derby",
        "Published",
        "Changed",
        "5 Jan 2026, 18:30",
        "Moritz Feldkamp, Odile Brandt",
    ):
        assert shown in row
    assert "Derby won" not in row


def test_the_list_reads_no_texts() -> None:
    article(published=True)

    for page in (news.by_date(), news.with_status("published"), news.public()):
        (found,) = page.items
        assert (found.content, found.title, found.excerpt) == (None, "Derby", "Five sets.")


def test_load_more_goes_on_where_the_list_stopped(as_role) -> None:
    for number in range(30):
        article(f"Number {number:02}")
    client = as_role("official")

    first = client.get("/cms/news/").content.decode()
    more = re.search(r'id="load-more" href="([^"]*)"', first)[1].replace("&amp;", "&")
    second = client.get(f"/cms/news/{more}").content.decode()

    assert titles(first) == [f"Number {number:02}" for number in range(29, 4, -1)]
    assert titles(second) == [f"Number {number:02}" for number in range(4, -1, -1)]


def test_the_menu_leads_there(as_role) -> None:
    page = as_role("official").get("/cms/news/").content.decode()

    assert re.search(r'<a href="/cms/news/" aria-current="page">', page)
    assert 'href="/cms/events/"' in page
