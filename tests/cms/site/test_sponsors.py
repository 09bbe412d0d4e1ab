"""Who supports the club: shown until the second it expires."""

from datetime import timedelta

import pytest

from core.dynamo.attributes import now
from tests.cast import sign_in
from tests.cms.club import make_sponsor
from tests.cms.public import make_picture, operations, page_of, part, text_of

pytestmark = pytest.mark.usefixtures("db")


def test_they_come_by_name_with_what_they_say(client) -> None:
    logo = make_picture("logo.png", mime_type="image/png")
    make_sponsor("Weingut", website="https://wein.example", logo_id=logo.id)
    make_sponsor("Bäckerei", description="Fresh <b>bread</b>.")

    page = page_of(client, "/sponsors/")

    assert text_of(part(page, "ul", "sponsors")) == "Bäckerei Fresh <b>bread</b>. Weingut"
    assert '<a href="https://wein.example" rel="sponsored nofollow noopener">' in page
    assert f'src="{logo.address}"' in page


def test_who_has_expired_is_not_there(client) -> None:
    make_sponsor("Gone", expiry_timestamp=now() - timedelta(seconds=1))
    make_sponsor("Here", expiry_timestamp=now() + timedelta(hours=1))
    make_sponsor("For good")

    assert text_of(part(page_of(client, "/sponsors/"), "ul", "sponsors")) == "For good Here"


@pytest.mark.parametrize("website", ["javascript:alert(1)", "data:text/html,x", " https://x.example"])
def test_what_is_no_address_in_the_web_is_no_link(client, website: str) -> None:
    make_sponsor("Hostile", website=website)

    assert "<a " not in part(page_of(client, "/sponsors/"), "ul", "sponsors")


def test_sixty_are_on_a_page(client) -> None:
    for number in range(61):
        make_sponsor(f"Sponsor {number:02}", logo_id=make_picture(f"{number:02}.jpg").id)

    first, last = page_of(client, "/sponsors/"), page_of(client, "/sponsors/?page=2")

    shown = part(first, "ul", "sponsors")
    assert shown.count('class="sponsor"') == shown.count("<img") == 60
    assert 'id="more" rel="next" href="?page=2"' in first
    assert text_of(part(last, "ul", "sponsors")) == "Sponsor 60"
    assert 'id="more"' not in last


def test_an_empty_list_says_so(client) -> None:
    assert "No sponsors yet." in page_of(client, "/sponsors/")


def test_it_costs_two_requests_with_five_and_with_more_than_a_hundred_sponsors(client) -> None:
    sign_in(client, "admin")
    costs = []
    for first, last in ((0, 5), (5, 120)):
        for number in range(first, last):
            make_sponsor(f"Sponsor {number}", logo_id=make_picture(f"{number}.jpg").id)
        costs.append(operations(client, "/sponsors/"))

    assert costs == [["BatchGetItem", "Query"]] * 2
