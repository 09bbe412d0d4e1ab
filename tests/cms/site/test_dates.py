"""The dates of the club: what is to come, the next first, and what is over, the latest first."""

import re
from datetime import timedelta

import pytest

from core.dynamo.attributes import now
from tests.cast import sign_in
from tests.cms.occasions import event, soon
from tests.cms.public import headings, operations, page_of, part

pytestmark = pytest.mark.usefixtures("db")


def shown(page: str) -> list[str]:
    return headings(part(page, "ul", "dates"))


def leafed_through(client, address: str) -> list[list[str]]:
    found, more = [], address
    while more:
        page = page_of(client, more)
        found.append(shown(page))
        following = re.search(r'id="more" rel="next" href="([^"]*)"', page)
        more = f"{address}{following[1]}" if following else ""
    return found


def test_what_is_to_come_and_what_is_over_are_two_lists(client) -> None:
    event("Over", start_date=now() - timedelta(days=2))
    event("Now", start_date=now() - timedelta(hours=1))
    event("Soon", start_date=soon(days=2))
    event("Draft", start_date=soon(days=3), published=False)

    assert shown(page_of(client, "/dates/")) == ["Now", "Soon"]
    assert shown(page_of(client, "/dates/past/")) == ["Over"]
    badges = re.findall(r'class="badge status \w+">([^<]*)<', page_of(client, "/dates/"))
    assert badges == ["Going on now"]


@pytest.mark.parametrize(("address", "sign"), [("/dates/", 1), ("/dates/past/", -1)])
def test_they_come_twelve_at_a_time_the_nearest_first(client, address: str, sign: int) -> None:
    days = list(range(1, 31))
    for day in days:
        event(f"Day {day:02}", start_date=now() + sign * timedelta(days=day))

    pages = leafed_through(client, address)

    assert [name for page in pages for name in page] == [f"Day {day:02}" for day in days]
    assert [len(page) for page in pages[:2]] == [12, 12]


@pytest.mark.parametrize("address", ["/dates/?later=forged", "/dates/past/?earlier=forged"])
def test_a_forged_place_in_a_list_is_refused(client, address: str) -> None:
    assert client.get(address).status_code == 400


def test_the_place_in_one_list_is_none_in_the_other(client) -> None:
    for day in range(1, 15):
        event(f"Day {day}", start_date=soon(days=day))
    token = re.search(r"later=([^\"]*)", page_of(client, "/dates/"))[1]

    assert client.get(f"/dates/past/?earlier={token}").status_code == 400


def test_an_empty_list_says_so(client) -> None:
    assert "Nothing planned at the moment." in page_of(client, "/dates/")
    assert "No past dates yet." in page_of(client, "/dates/past/")


@pytest.mark.parametrize("address", ["/dates/", "/dates/past/"])
def test_a_list_costs_one_request_with_five_and_with_fifty_events(client, address: str) -> None:
    sign_in(client, "admin")
    costs = []
    for first, last in ((1, 3), (3, 26)):
        for day in range(first, last):
            event(f"In {day}", start_date=soon(days=day))
            event(f"Before {day}", start_date=now() - timedelta(days=day))
        costs.append(operations(client, address))

    assert costs == [["Query"]] * 2
