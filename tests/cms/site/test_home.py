"""The first page of the club's website: a bit of everything that is published, and nothing else."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import localdate

from cms.pages.models import Page
from cms.pages.repository import pages
from cms.posts.models import Post
from cms.posts.repository import posts
from cms.roles.models import Role
from cms.roles.repository import roles
from cms.sponsors.repository import sponsors
from core.content.richtext import from_plain_text
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from tests.cast import sign_in
from tests.cms.articles import LONG_AGO, article, in_future
from tests.cms.club import MAKER, make_member, make_sponsor, make_team
from tests.cms.occasions import event, soon
from tests.cms.public import headings, make_picture, operations, page_of, part, text_of
from tests.cms.sams.test_results import OURS, keep_results, keep_team
from tests.the_club import the_club

pytestmark = pytest.mark.usefixtures("db")


def front(status: str = "published") -> Page:
    text = from_plain_text("Come and play.")
    return pages.create(Page(title="Hello", slug="home", status=status, content=text), actor=SYSTEM)


def post(number: int, **fields: object) -> Post:
    told = {
        "url": f"https://social.example/{number}",
        "caption": f"Post {number}",
        "timestamp": LONG_AGO + timedelta(days=number),
    }
    return posts.create(Post(**told | fields), actor=SYSTEM)


def match(number: int, day, *, host=OURS, guest="x", place="Mühlenhalle", winner=None):
    teams = {
        "team1": {"uuid": host, "name": f"Host {number}"},
        "team2": {"uuid": guest, "name": f"Guest {number}"},
    }
    return {
        "uuid": f"m{number}",
        "date": day.isoformat(),
        "time": "19:00",
        "location": {"name": place},
        "_embedded": teams,
        "results": {"winner": winner, "setPoints": "3:0"} if winner else None,
    }


def test_a_club_without_anything_has_a_first_page(client) -> None:
    the_club(name="VC <Auenfeld>")

    page = page_of(client, "/")

    assert headings(page) == ["VC <Auenfeld>"]
    assert "<title>VC &lt;Auenfeld&gt;</title>" in page


def test_the_page_with_the_slug_home_opens_it_and_has_no_other_address(client) -> None:
    item = front()
    assert headings(page_of(client, "/")) == ["Hello"]
    assert "<p>Come and play.</p>" in page_of(client, "/")
    answer = client.get("/home/")
    assert (answer.status_code, answer["Location"]) == (301, "/")

    pages.update(item, {"status": "draft"}, actor=SYSTEM)
    assert headings(page_of(client, "/")) == ["Fieldhouse"]
    assert client.get("/home/").status_code == 404


def test_its_text_shows_its_pictures(client) -> None:
    picture = {"type": "image", "attrs": {"mediaId": make_picture("halle.jpg").id, "alt": "Unsere Halle"}}
    text = from_plain_text("Come and play.")
    text["content"].append(picture)
    pages.create(Page(title="Hello", slug="home", status="published", content=text), actor=SYSTEM)

    assert "halle.jpg" in page_of(client, "/")


@pytest.mark.parametrize(("days", "shown"), [((95, 1, 80, 60), [1, 60, 80]), ((100, 200, 300), [100, 200])])
def test_of_the_news_the_third_and_fourth_are_shown_for_a_quarter_of_a_year_only(client, days, shown) -> None:
    for number in days:
        article(f"Day {number}", published=True, publish_at=now() - timedelta(days=number))

    assert headings(part(page_of(client, "/"), "ul", "news")) == [f"Day {number}" for number in shown]


def test_drafts_and_what_is_for_later_or_expired_is_not_there(client) -> None:
    article("Draft article", publish_at=LONG_AGO)
    article("Later article", published=True, publish_at=in_future())
    event("Draft event", published=False, start_date=soon())
    event("Past event", start_date=now() - timedelta(days=3))
    make_team("Draft team", status="draft")
    make_team("Archived team", status="archived")
    make_sponsor("Expired sponsor", expiry_timestamp=now() - timedelta(seconds=1))

    page = page_of(client, "/")

    assert headings(page) == ["Fieldhouse"]
    for word in ("Draft", "Later", "Past event", "Archived", "Expired"):
        assert word not in page


def test_a_sponsor_is_shown_until_the_second_it_expires(client) -> None:
    item = make_sponsor("Bakery", expiry_timestamp=now() + timedelta(hours=1))
    assert "Bakery" in part(page_of(client, "/"), "ul", "sponsors")

    sponsors.update(item, {"expiry_timestamp": now() - timedelta(seconds=1)}, actor=MAKER)
    assert "Bakery" not in page_of(client, "/")


def test_the_next_four_events_come_in_their_order(client) -> None:
    for days in (40, 10, 30, 20, 50):
        event(f"In {days} days", start_date=soon(days=days))

    assert headings(part(page_of(client, "/"), "ul", "dates")) == [
        "In 10 days",
        "In 20 days",
        "In 30 days",
        "In 40 days",
    ]


def test_home_games_of_two_weeks_are_grouped_by_day_and_place(client) -> None:
    today = localdate()
    make_team(status="published", sbvv_team_id=OURS)
    keep_team()
    keep_results(
        [
            match(1, today + timedelta(days=3)),
            match(2, today + timedelta(days=3)),
            match(3, today + timedelta(days=3), place="Beach"),
            match(4, today + timedelta(days=4), host="them", guest=OURS),
            match(5, today + timedelta(days=15)),
            match(6, today, winner="1"),
        ]
    )

    page = page_of(client, "/")
    games = page[page.index('id="games"') : page.index('id="home-teams"')]

    assert len(headings(games)) == 2
    assert [number for number in range(1, 7) if f"Guest {number}" in games] == [1, 2, 3]
    assert "Host 4" not in games
    assert "Beach" in games


def test_a_home_game_names_our_team_as_we_know_it_and_leads_to_its_page(client) -> None:
    make_team("Damen 1", status="published", sbvv_team_id=OURS)
    keep_team()
    keep_results([match(1, localdate() + timedelta(days=1))])

    games = part(page_of(client, "/"), "ul", "games")

    assert '<a href="/teams/damen1/">Damen 1</a> \N{EN DASH} Guest 1' in games
    assert "Host" not in games


def test_at_most_four_groups_of_home_games_are_shown(client) -> None:
    make_team(status="published", sbvv_team_id=OURS)
    keep_team()
    keep_results([match(number, localdate() + timedelta(days=number)) for number in range(1, 7)])

    page = page_of(client, "/")

    assert [f"Guest {number}" in page for number in range(1, 7)] == [True] * 4 + [False] * 2


def test_posts_elsewhere_are_links_and_only_to_the_web(client) -> None:
    for number in range(5):
        post(number)
    post(9, url="javascript:alert(1)", caption="Hostile")

    shown = part(page_of(client, "/"), "ul", "posts")

    assert 'href="https://social.example/4"' in shown
    assert "javascript:" not in shown
    assert "Post 0" not in shown


def test_of_many_teams_people_and_sponsors_it_shows_the_first_and_says_where_the_others_are(client) -> None:
    for kind, make, shown in (
        ("teams", lambda name: make_team(name, status="published"), 24),
        ("people", make_member, 30),
        ("sponsors", make_sponsor, 20),
    ):
        for number in range(shown):
            make(f"{kind} {number:02}")
        page = page_of(client, "/")
        assert f"{kind} {shown - 1:02}" in page
        assert f'id="more-{kind}"' not in page

        make(f"{kind} {shown:02}")
        page = page_of(client, "/")
        assert f"{kind} {shown:02}" not in page
        assert f'id="more-{kind}" href="{reverse(f"public:{kind}")}">And more {kind}</a>' in page


def test_nobodys_mail_or_phone_is_told(client) -> None:
    make_member("Maya", email="maya@verein.example", phone="0151 555")

    page = page_of(client, "/")

    assert "Maya" in text_of(page)
    assert "maya@verein.example" not in page
    assert "0151" not in page


def test_it_costs_eleven_requests_and_once_it_knows_the_league_ten(client) -> None:
    sign_in(client, "admin")
    costs = []
    front()
    role = roles.create(Role(name="Board", vorstand=True), actor=SYSTEM)
    keep_team()
    keep_results([match(1, localdate() + timedelta(days=1))])
    for first, last in ((0, 2), (2, 40)):
        for number in range(first, last):
            picture, logo, portrait = (make_picture(f"{number}{kind}.jpg") for kind in "abc")
            article(f"News {number}", published=True, publish_at=LONG_AGO)
            event(f"Event {number}", start_date=soon())
            make_member(f"Member {number}", role_ids=[role.id], avatar_id=portrait.id)
            sams = {"sbvv_team_id": OURS} if number == 0 else {}
            make_team(f"Team {number}", status="published", image_ids=[picture.id], **sams)
            make_sponsor(f"Sponsor {number}", logo_id=logo.id)
            post(number)
        costs.append(operations(client, "/"))

    assert costs[0] == ["BatchGetItem"] * 3 + ["Query"] * 8
    # There is more of all by now, and the league is as it was.
    assert costs[1] == ["BatchGetItem"] * 2 + ["Query"] * 8
