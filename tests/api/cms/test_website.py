"""What the website shows, for everybody: what its pages show without signing in, and no field more."""

from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.test import Client

from api.limits import VISITORS
from cms.news.repository import news
from core.accounts.personal_tokens import services
from core.dynamo import metering
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now, to_iso
from tests.api.programs import pointers
from tests.cast import CAST, sign_in
from tests.cms.articles import LONG_AGO, article, in_future
from tests.cms.club import MAKER, make_location, make_member, make_sponsor, make_team, training
from tests.cms.occasions import event, soon
from tests.cms.public import make_picture

pytestmark = pytest.mark.usefixtures("db")

WEBSITE = "/api/v1/website"
SITE = "http://testserver"


def got(address: str, **headers: str):
    return Client().get(f"{WEBSITE}/{address}", headers=headers)


def json_of(address: str):
    answer = got(address)
    assert answer.status_code == 200, answer.content
    return answer.json()


def titles(address: str) -> list[str]:
    return [each.get("title") or each["name"] for each in json_of(address)]


def as_html(text: str) -> str:
    return f'<div class="rich-text" hx-disable><p>{text}</p></div>'


# --- News -------------------------------------------------------------------------------------------------


def test_news_come_the_newest_first_with_what_their_cards_show() -> None:
    cover = make_picture("cover.jpg", alt="A spike")
    older = article("Derby", published=True, publish_at=LONG_AGO, image_ids=[cover.id], tags=["men"])
    newer = article("Final", published=True, publish_at=LONG_AGO + timedelta(days=1))

    assert json_of("news") == [
        {
            "id": newer.id,
            "slug": "final",
            "page": f"{SITE}/news/final/",
            "title": "Final",
            "excerpt": "Five sets.",
            "publishedDate": "2026-01-06T17:30:00.000Z",
        },
        {
            "id": older.id,
            "slug": "derby",
            "page": f"{SITE}/news/derby/",
            "title": "Derby",
            "excerpt": "Five sets.",
            "publishedDate": "2026-01-05T17:30:00.000Z",
        },
    ]
    assert [each["picture"] for each in json_of("news?limit=20&pictures=true")["items"]] == [
        None,
        {
            "address": cover.address,
            "thumbnail": cover.address,
            "srcset": "",
            "webpSrcset": "",
            "alt": "A spike",
            "caption": "",
            "width": 900,
            "height": 600,
        },
    ]


def test_an_article_has_what_its_page_shows_by_its_id_and_by_its_slug() -> None:
    picture = make_picture()
    item = article("Derby", published=True, publish_at=LONG_AGO, image_ids=[picture.id], tags=["men"])

    found = json_of(f"news/{item.id}")

    assert found == json_of("news/by-slug/derby")
    assert found.keys() == {
        *("id", "slug", "page", "title", "excerpt", "publishedDate"),
        *("html", "tags", "authors", "pictures"),
    }
    assert (found["html"], found["tags"]) == (as_html("Five sets."), ["men"])
    assert [each["address"] for each in found["pictures"]] == [picture.address]
    assert CAST["official"].sub not in str(found)


def test_an_article_is_found_by_a_slug_that_it_had() -> None:
    item = article("Derby", published=True, publish_at=LONG_AGO)
    news.update(item, {"slug": "final"}, actor=SYSTEM)

    assert json_of("news/by-slug/derby")["slug"] == "final"


def test_drafts_scheduled_and_archived_articles_are_neither_listed_nor_found() -> None:
    hidden = [
        article("Draft", publish_at=LONG_AGO),
        article("Later", published=True, publish_at=in_future()),
        news.update(article("Gone", published=True), {"status": "archived"}, actor=SYSTEM),
    ]

    assert json_of("news") == []
    for item in hidden:
        assert got(f"news/{item.id}").status_code == 404
        assert got(f"news/by-slug/{item.slug}").status_code == 404


def test_what_an_index_still_shows_after_it_was_unpublished_is_not_found(monkeypatch) -> None:
    item = article(published=True)
    stale = news.at_slug("derby")
    news.update(item, {"status": "draft"}, actor=SYSTEM)
    monkeypatch.setattr(news, "at_slug", lambda _slug: stale)

    assert got("news/by-slug/derby").status_code == 404


# --- Events -----------------------------------------------------------------------------------------------


def noon(*, days: int = 10) -> datetime:
    """An event without an end lasts some hours, which are of the same day everywhere in Europe."""
    return soon(days=days).replace(hour=12)


def test_events_are_the_upcoming_ones_the_past_ones_or_those_of_some_days() -> None:
    for title, start in (
        ("Past", noon(days=-9)),
        ("Older", noon(days=-20)),
        ("Next", noon()),
        ("Late", noon(days=40)),
    ):
        event(title, start_date=start)
    event("Draft", published=False, start_date=noon())
    day = noon(days=-10).date(), noon(days=11).date()

    assert titles("events") == titles("events?when=upcoming") == ["Next", "Late"]
    assert titles("events?when=past") == ["Past", "Older"]
    assert titles(f"events?from={day[0]}&to={day[1]}") == ["Past", "Next"]
    assert titles(f"events?from={day[1]}") == ["Late"]
    assert titles(f"events?to={day[0]}") == ["Older"]
    assert titles("events?from=0001-01-01&to=9999-12-31") == ["Older", "Past", "Next", "Late"]


def test_an_event_of_several_days_is_listed_on_each_of_them() -> None:
    event("Camp", start_date=noon(days=10), end_date=noon(days=13))
    days = [noon(days=number).date() for number in (9, 10, 13, 14)]

    assert [titles(f"events?from={day}&to={day}") for day in days] == [[], ["Camp"], ["Camp"], []]


@pytest.mark.parametrize(
    "query", ["when=past&from=2026-01-01", "when=later", "from=yesterday", "to=20260101"]
)
def test_what_says_no_events_is_refused(query: str) -> None:
    answer = got(f"events?{query}")
    assert answer.status_code == 400
    assert pointers(answer)[0].startswith("/query/")


def test_an_event_has_what_its_page_shows_and_of_its_teams_only_published_ones() -> None:
    teams = [make_team("Herren 1", status="published"), make_team("Damen 9", status="draft")]
    given = {"name": "Halle", "city": "Müllheim", "postalCode": "79379"}
    item = event("Party", text="Bring cake.", address=given, team_ids=[team.id for team in teams])

    found = json_of(f"events/{item.id}")

    assert found == json_of("events/by-slug/party")
    assert found == {
        "id": item.id,
        "slug": "party",
        "page": f"{SITE}/events/party/",
        "title": "Party",
        "variant": None,
        "startDate": to_iso(item.start_date),
        "endDate": None,
        "place": "Halle, 79379 Müllheim",
        "html": as_html("Bring cake."),
        "teams": [{"name": "Herren 1", "slug": "herren1"}],
        "pictures": [],
    }
    draft = event("Secret", published=False)
    assert [got(f"events/{place}").status_code for place in (draft.id, "by-slug/secret")] == [404, 404]


# --- Teams ------------------------------------------------------------------------------------------------


def test_a_team_has_its_training_and_the_names_of_its_people_but_not_how_to_reach_them() -> None:
    person = make_member("Maya Rosenthal", email="maya@club.example", phone="+49 151 23456789")
    hall = make_location("Mühlenhalle", street="Am Bach 1", city="Müllheim", description="Key in the box")
    item = make_team(
        status="published",
        coach_ids=[person.id],
        contact_person_ids=[person.id],
        schedules=[training(hall, "montags")],
        sbvv_team_id="1234",
    )

    found = json_of(f"teams/{item.id}")

    assert found == json_of("teams/by-slug/herren1")
    assert found == {
        "id": item.id,
        "slug": "herren1",
        "page": f"{SITE}/teams/herren1/",
        "name": "Herren 1",
        "gender": "men",
        "age": None,
        "league": None,
        "description": None,
        "instagram": None,
        "trainings": [
            {
                "days": ["Mondays"],
                "startTime": "18:00",
                "endTime": "20:00",
                "location": {"name": "Mühlenhalle", "address": "Am Bach 1, Müllheim"},
            }
        ],
        "coaches": ["Maya Rosenthal"],
        "contacts": ["Maya Rosenthal"],
        "pictures": [],
    }
    assert not any(secret in str(found) for secret in ("maya@", "+49", person.id, "Key in the box"))


def test_only_published_teams_are_listed_by_name() -> None:
    for name, status in (("Herren 2", "published"), ("Damen 1", "published"), ("Herren 3", "draft")):
        make_team(name, status=status)

    assert titles("teams") == ["Damen 1", "Herren 2"]
    assert got("teams/by-slug/herren3").status_code == 404


# --- Sponsors ---------------------------------------------------------------------------------------------


def test_sponsors_are_listed_until_they_expire_and_no_cache_keeps_them_longer() -> None:
    make_sponsor("Gone", expiry_timestamp=now() - timedelta(seconds=1))
    make_sponsor("For good", website="javascript:alert(1)")
    item = make_sponsor("Bakery", website="https://bread.example", description="Bread")

    assert got("sponsors")["Cache-Control"] == "public, max-age=60"
    assert json_of("sponsors")[0] == {
        "id": item.id,
        "name": "Bakery",
        "website": "https://bread.example",
        "description": "Bread",
    }
    assert titles("sponsors") == ["Bakery", "For good"]
    assert json_of("sponsors?fields=website")[1] == {"website": None}
    make_sponsor("Soon gone", expiry_timestamp=now() + timedelta(seconds=20))
    seconds = int(got("sponsors")["Cache-Control"].removeprefix("public, max-age="))
    assert seconds < 20


# --- All of them ------------------------------------------------------------------------------------------

LISTS = ["news", "events", "teams", "sponsors"]


def fill(number: int) -> None:
    for each in range(number):
        picture = make_picture(f"{each}.jpg").id
        article(f"Article {each}", published=True, publish_at=LONG_AGO, image_ids=[picture])
        event(f"Event {each}", start_date=soon(), image_ids=[picture])
        make_team(f"Team {each}", status="published", image_ids=[picture])
        make_sponsor(f"Sponsor {each}", logo_id=picture)


@pytest.mark.parametrize("kind", LISTS)
def test_a_list_costs_one_request_for_everybody_and_one_more_with_pictures(kind: str) -> None:
    fill(3)
    person = sign_in(Client(), "official")

    def requests(client: Client, query: str = "") -> list[str]:
        with metering.metered() as meter:
            assert len(client.get(f"{WEBSITE}/{kind}{query}").json()) in (2, 3)
        return meter.operations

    for client in (Client(), person):
        assert requests(client) == requests(client, "?limit=100") == ["Query"]
        assert requests(client, "?limit=20&pictures=true") == ["Query", "BatchGetItem"]


@pytest.mark.parametrize("kind", LISTS)
def test_pictures_come_with_pages_only(kind: str) -> None:
    answer = got(f"{kind}?pictures=true")
    assert (answer.status_code, pointers(answer)) == (400, ["/query/limit"])
    assert json_of(f"{kind}?pictures=true&limit=100") == {"items": [], "nextToken": None}


def test_one_address_reads_it_as_often_as_a_website_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    store = VISITORS._store
    monkeypatch.setattr(store, "_default", type(store._default)(2, 60_000))

    answers = [got(address) for address in ("news", "events/no-such-event", "teams")]
    elsewhere = Client(REMOTE_ADDR="192.0.2.7").get(f"{WEBSITE}/news")

    assert [each.status_code for each in answers] == [200, 404, 429]
    assert 0 < int(answers[-1]["Retry-After"]) <= 70
    assert answers[-1]["Cache-Control"] == "no-store"
    assert elsewhere.status_code == 200


def test_with_a_token_a_list_costs_one_request_more() -> None:
    fill(1)
    token = services.make(CAST["official"], "Website", ["scouting:read"], 30).text
    # With its first use it is renewed.
    got("news", authorization=f"Bearer {token}")
    with metering.metered() as meter:
        assert got("news", authorization=f"Bearer {token}").status_code == 200
    assert meter.operations == ["GetItem", "Query"]


@pytest.mark.parametrize("kind", LISTS)
def test_pages_follow_each_other_to_the_last_for_whoever_has_the_token(kind: str) -> None:
    fill(3)
    whole = json_of(kind)

    first = json_of(f"{kind}?limit=2")
    last = sign_in(Client(), "member").get(f"{WEBSITE}/{kind}?limit=2&nextToken={first['nextToken']}").json()

    assert [first["items"], last["items"]] == [whole[:2], whole[2:]]
    assert last["nextToken"] is None
    other = LISTS[LISTS.index(kind) - 1]
    assert got(f"{other}?limit=2&nextToken={first['nextToken']}").status_code == 400


def test_only_the_fields_that_are_asked_for_are_answered() -> None:
    item = article("Derby", published=True, publish_at=LONG_AGO)

    assert json_of("news?fields=title,nonsense") == [{"title": "Derby"}]
    assert json_of(f"news/{item.id}?fields=title,html") == {"title": "Derby", "html": as_html("Five sets.")}


def test_caches_may_keep_it_a_minute_and_ask_whether_it_changed() -> None:
    item = article("Derby", published=True, publish_at=LONG_AGO)
    for address in ("news", "news?limit=5", f"news/{item.id}", "news/by-slug/derby"):
        answer = got(address)
        assert answer["Cache-Control"] == "public, max-age=60"
        assert "Cookie" not in answer.get("Vary", "")
        assert not answer.cookies
        assert got(address, if_none_match=answer["ETag"]).status_code == 304

    news.update(item, {"title": "Great derby"}, actor=SYSTEM)
    assert got("news", if_none_match=answer["ETag"]).status_code == 200


def test_a_token_that_is_not_valid_is_refused_and_a_session_changes_nothing() -> None:
    article("Draft", by="official")
    article("Shown", by="official", published=True)

    assert got("news", authorization="Bearer nonsense").status_code == 401
    client = sign_in(Client(), "official")
    assert settings.SESSION_COOKIE_NAME in client.cookies
    assert [each["title"] for each in client.get(f"{WEBSITE}/news").json()] == ["Shown"]


def test_it_is_only_read() -> None:
    for address in ("news", "events", "teams", "sponsors", "news/by-slug/derby"):
        assert sign_in(Client(), "admin").post(f"{WEBSITE}/{address}").status_code == 405


def test_the_makers_of_records_are_told_nowhere() -> None:
    fill(1)
    for kind in LISTS:
        text = got(kind).content.decode()
        for secret in (CAST["official"].sub, CAST["official"].name, MAKER.sub, "version", "status", "entity"):
            assert secret not in text
