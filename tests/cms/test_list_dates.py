"""Lists are sorted by what they show: whoever looks at a date can see the order."""

import re
from datetime import timedelta
from itertools import product

import pytest
from django.test import Client

from cms.news.repository import news
from cms.pages.models import Page
from cms.pages.repository import pages
from core.crud.resource import Resource
from core.dynamo import metering
from tests.cms import rooms
from tests.cms.articles import LONG_AGO, article, in_future
from tests.cms.club import MAKER
from tests.cms.occasions import event, soon

RESOURCES = list(rooms.resources().values())


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource.entity)
def test_every_order_of_every_list_is_by_a_column_that_shows_just_that(resource: Resource) -> None:
    shown = {column.name for column in resource.columns if column.kind == "text" or column.value is None}
    choices = [["", *dict(each.choices)] for each in resource.filters]
    listings = [
        dict(zip([each.name for each in resource.filters], chosen, strict=True))
        for chosen in product(*choices)
    ]

    assert {sort.name for listing in listings for sort in resource.sorts(listing)} <= shown


def shown_times(client: Client, address: str, title: str) -> list[tuple[str, str]]:
    """The first cell of each row and the one of this column, which is left out where there is nothing."""
    page = client.get(address).content.decode().partition('id="rows"')[2].partition("</tbody>")[0]
    rows = [re.sub(r"\s+", " ", row) for row in page.split("<tr>")[1:]]
    return [
        (
            re.findall(r"<a [^>]*>\s*([^<]*?)\s*<", row)[0],
            "".join(re.findall(rf'data-label="{title}">([^<]*)', row)),
        )
        for row in rows
    ]


@pytest.mark.usefixtures("db")
def test_articles_are_sorted_by_the_date_that_readers_see_and_drafts_by_when_they_were_begun(as_role) -> None:
    article("Scheduled", published=True, publish_at=in_future())
    article("Old", published=True, publish_at=LONG_AGO)
    article("Older", published=True, publish_at=LONG_AGO - timedelta(days=1))
    article("Draft")
    article("Old draft", publish_at=LONG_AGO - timedelta(hours=1))
    client = as_role("official")

    listed = shown_times(client, "/cms/news/", "Date")

    assert [title for title, _date in listed] == ["Scheduled", "Draft", "Old", "Old draft", "Older"]
    assert [date for _title, date in listed][2:] == [
        "5 Jan 2026, 18:30",
        "5 Jan 2026, 17:30",
        "4 Jan 2026, 18:30",
    ]
    assert all(date for _title, date in listed)
    assert shown_times(client, "/cms/news/?sort=published_date", "Date") == listed[::-1]
    drafts = shown_times(client, "/cms/news/?status=draft", "Date")
    assert [title for title, _date in drafts] == ["Draft", "Old draft"]


@pytest.mark.usefixtures("db")
def test_all_articles_by_date_are_one_query_of_the_index(as_role) -> None:
    article()

    with metering.metered() as meter:
        news.by_date(newest_first=True)

    assert [(call.operation, call.index) for call in meter.calls] == [("Query", "GSI-Date")]


@pytest.mark.usefixtures("db")
def test_events_that_may_lack_a_date_are_sorted_by_when_they_were_created_and_show_it(as_role) -> None:
    event("Next month", start_date=soon(days=30))
    event("Tomorrow", start_date=soon(days=1))
    event("Some day", published=False, start_date=None)
    client = as_role("official")

    for query in ("", "?status=draft"):
        assert all(date for _title, date in shown_times(client, f"/cms/events/{query}", "Created"))
    created = [title for title, _date in shown_times(client, "/cms/events/", "Created")]
    assert created == ["Some day", "Tomorrow", "Next month"]
    upcoming = shown_times(client, "/cms/events/?status=upcoming", "Starts")
    assert [title for title, _date in upcoming] == ["Tomorrow", "Next month"]
    assert all(date for _title, date in upcoming)


@pytest.mark.usefixtures("db")
def test_pages_show_when_they_were_created(as_role) -> None:
    for title in ("Imprint", "Privacy"):
        pages.create(Page(title=title, slug=title.lower()), actor=MAKER)

    listed = shown_times(as_role("moderator"), "/cms/pages/", "Created")

    assert [title for title, _date in listed] == ["Privacy", "Imprint"]
    assert all(date for _title, date in listed)
