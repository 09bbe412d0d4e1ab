"""The editors' list of events: upcoming, past, drafts and archived ones, each by an index."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from cms.events.models import LONGEST_EVENT
from cms.events.repository import events
from core.dynamo import metering
from core.dynamo.attributes import now
from tests.cast import sign_in
from tests.cms.occasions import address_of, event, soon

pytestmark = pytest.mark.usefixtures("db")


def listed(client: Client, query: str = "") -> list[str]:
    page = client.get(f"/cms/events/{query}").content.decode()
    return re.findall(r'class="card-title"><a [^>]*>\s*([^<]*?)\s*<', page)


@pytest.fixture
def one_of_each(db) -> None:
    event("Draft", published=False, start_date=None)
    event("Past", by="moderator", start_date=soon(days=-3))
    event("Going on", start_date=soon(days=-3), end_date=soon(days=3))
    event("Next month", by="moderator", start_date=soon(days=30))
    event("Next week", start_date=soon(days=7))
    archived = event("Archived", start_date=soon(days=7))
    sign_in(Client(), "moderator").post(address_of(archived, "archive"), {"version": "1"})


@pytest.mark.usefixtures("one_of_each")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Archived", "Next week", "Next month", "Going on", "Past", "Draft"]),
        ("?sort=created_at", ["Draft", "Past", "Going on", "Next month", "Next week", "Archived"]),
        ("?status=upcoming", ["Going on", "Next week", "Next month"]),
        ("?status=upcoming&sort=-start_date", ["Next month", "Next week", "Going on"]),
        ("?status=past", ["Past"]),
        ("?status=draft", ["Draft"]),
        ("?status=archived", ["Archived"]),
        ("?status=upcoming&author=me", ["Going on", "Next week"]),
        ("?status=past&author=me", []),
        ("?q=next&status=upcoming", ["Next month", "Next week"]),
        ("?q=next&status=past", []),
        ("?q=past&status=past", ["Past"]),
    ],
)
def test_filters_and_orders_narrow_the_list(as_role, query: str, found: list[str]) -> None:
    listed_now = listed(as_role("official"), query)

    # Words give no order of their own.
    assert (sorted(listed_now) if "q=" in query else listed_now) == found


def test_what_has_no_end_is_over_after_two_hours() -> None:
    event("Over", start_date=now() - timedelta(hours=2, minutes=1))
    event("Going on", start_date=now() - timedelta(hours=1, minutes=59))

    assert [each.title for each in events.past().items] == ["Over"]
    assert [each.title for each in events.upcoming().items] == ["Going on"]


def test_the_longest_event_is_upcoming_until_its_last_minute() -> None:
    start = now() - LONGEST_EVENT + timedelta(minutes=1)
    event("Season", start_date=start, end_date=start + LONGEST_EVENT)

    assert [each.title for each in events.upcoming().items] == ["Season"]


@pytest.mark.parametrize(
    "access",
    [
        lambda: events.by_age().items,
        lambda: events.with_status("draft").items,
        lambda: events.upcoming().items,
        lambda: events.past().items,
        lambda: events.between(now(), now() + timedelta(days=31)),
        lambda: events.between(now()),
        lambda: events.at_slug("next-week"),
    ],
    ids=["all", "status", "upcoming", "past", "month", "from now", "slug"],
)
@pytest.mark.usefixtures("one_of_each")
def test_every_access_pattern_is_one_query_that_reads_no_texts(access) -> None:
    with metering.metered() as meter:
        found = access()

    assert meter.operations == ["Query"]
    assert all(each.description is None for each in (found if isinstance(found, list) else []))


@pytest.mark.usefixtures("one_of_each")
def test_between_two_moments_is_what_goes_on_in_that_time() -> None:
    def titles(first: int, last: int) -> list[str]:
        return [each.title for each in events.between(soon(days=first), soon(days=last))]

    assert titles(-2, 8) == ["Going on", "Next week"]
    assert titles(-4, -2) == ["Past", "Going on"]
    # What begins at the very end is in the next stretch.
    assert titles(4, 7) == []
    assert titles(7, 8) == ["Next week"]


def test_the_list_costs_the_session_a_query_and_the_names(as_role) -> None:
    client = as_role("official")
    event(start_date=soon())

    for query in ("", "?status=upcoming", "?status=past", "?status=draft"):
        with metering.metered() as meter:
            client.get(f"/cms/events/{query}")
        assert meter.operations[:2] == ["GetItem", "Query"]
        assert len(meter.operations) <= 3


def test_the_menu_leads_there(as_role) -> None:
    page = as_role("official").get("/cms/events/").content.decode()

    assert re.search(r'<a href="/cms/events/" aria-current="page">', page)
