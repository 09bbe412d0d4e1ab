"""Every access pattern of teams, members, places, sponsors, posts and pages is a single request."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from cms.locations.repository import locations
from cms.members.repository import members
from cms.pages.models import Page
from cms.pages.repository import pages
from cms.posts.models import Post
from cms.posts.repository import posts
from cms.sponsors.repository import sponsors
from cms.teams.repository import teams
from core.dynamo import metering
from core.dynamo.attributes import now
from tests.cms.club import MAKER, make_location, make_member, make_sponsor, make_team

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def club() -> None:
    make_team("Herren 1", status="published", sbvv_team_id="sams-1")
    make_team("Damen 1")
    make_member("Svea Nordmann", email="svea@verein.example")
    make_member("Ärmel Zwo")
    make_location("Mühlenhalle")
    make_sponsor("Kornblum", expiry_timestamp=now() + timedelta(days=1))
    make_sponsor("Altmeister", expiry_timestamp=now() - timedelta(seconds=2))
    make_sponsor("Stadtwerke")
    for days, url in ((3, "https://social.example/a"), (1, "https://social.example/b")):
        moment = now() - timedelta(days=days)
        posts.create(Post(url=url, caption="Text", timestamp=moment, type="Image"), actor=MAKER)
    pages.create(Page(title="Impressum", slug="impressum", status="published"), actor=MAKER)
    pages.create(Page(title="Satzung", slug="satzung"), actor=MAKER)


@pytest.mark.usefixtures("club")
@pytest.mark.parametrize(
    ("ask", "found"),
    [
        (lambda: [teams.at_slug("herren1").name], ["Herren 1"]),
        (lambda: labels(teams, teams.by_name()), ["Damen 1", "Herren 1"]),
        (lambda: labels(teams, teams.public()), ["Herren 1"]),
        (lambda: labels(teams, teams.with_status("draft")), ["Damen 1"]),
        (lambda: labels(teams, teams.of_sams_team("sams-1")), ["Herren 1"]),
        (lambda: labels(members, members.by_name()), ["Ärmel Zwo", "Svea Nordmann"]),
        (
            lambda: [each.email for each in members.with_email("Svea@Verein.example").items],
            ["svea@verein.example"],
        ),
        (lambda: labels(locations, locations.by_name()), ["Mühlenhalle"]),
        (lambda: labels(sponsors, sponsors.by_name()), ["Altmeister", "Kornblum", "Stadtwerke"]),
        (lambda: [sponsor.name for sponsor in sponsors.public()], ["Kornblum", "Stadtwerke"]),
        (lambda: [post.url[-1] for post in posts.by_timestamp(newest_first=True).items], ["b", "a"]),
        (lambda: [pages.at_slug("impressum").title], ["Impressum"]),
        (lambda: labels(pages, pages.by_age()), ["Impressum", "Satzung"]),
        (lambda: labels(pages, pages.public()), ["Impressum"]),
    ],
)
def test_it_is_one_query(ask: Callable[[], list[str]], found: list[str]) -> None:
    with metering.metered() as meter:
        assert ask() == found

    assert meter.operations == ["Query"]


def labels(repository, page) -> list[str]:
    return [repository.label_of(item) for item in page.items]
