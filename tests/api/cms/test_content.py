"""All content for those who write it: drafts and scheduled articles too, by status, as the tables hold it."""

from datetime import timedelta
from typing import Any

import pytest

from cms.news.repository import news
from core.accounts.personal_tokens import services
from core.content.richtext import from_plain_text
from core.dynamo import metering
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now, to_iso
from core.dynamo.connection import SharedConnection
from core.dynamo.faults import FaultProxy, Faults
from tests.api.programs import Program, pointers
from tests.cast import CAST
from tests.cms.articles import LONG_AGO, article, in_future
from tests.cms.club import (
    make_location,
    make_member,
    make_page,
    make_post,
    make_role,
    make_sponsor,
    make_team,
)
from tests.cms.occasions import booking, day, event, soon

pytestmark = pytest.mark.usefixtures("db")

CONTENT = "/api/v1/cms"
LISTS = ["news", "events", "teams", "members", "roles", "sponsors", "locations", "posts", "pages", "bus"]


def one_of_each() -> None:
    article(), event(), make_team(), make_member(), make_sponsor()
    make_location(description="Key in the box"), make_role(), make_post(), make_page(), booking(day(1))


def one_more(kind: str, number: int) -> None:
    name = f"Number {number}"
    makers = {
        "news": article,
        "events": event,
        "teams": make_team,
        "members": make_member,
        "roles": make_role,
        "sponsors": make_sponsor,
        "locations": make_location,
        "posts": make_post,
        "pages": make_page,
    }
    booking(day(number)) if kind == "bus" else makers[kind](name)


def got(address: str, role: str = "moderator", **headers: str):
    return Program(role).get(f"{CONTENT}/{address}", **headers)


def json_of(address: str, role: str = "moderator"):
    answer = got(address, role)
    assert answer.status_code == 200, answer.content
    return answer.json()


def titles(address: str) -> list[str]:
    return [each.get("title") or each["name"] for each in json_of(address)]


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What is sent to DynamoDB."""
    sent, send = [], SharedConnection._send
    monkeypatch.setattr(
        SharedConnection,
        "_send",
        lambda self, name, request: sent.append(request) or send(self, name, request),
    )
    return sent


def test_news_are_listed_by_status_the_newest_first() -> None:
    article("Draft", publish_at=LONG_AGO)
    article("Shown", published=True, publish_at=LONG_AGO + timedelta(days=1))
    article("Later", published=True, publish_at=in_future())
    news.update(article("Gone", published=True, publish_at=LONG_AGO), {"status": "archived"}, actor=SYSTEM)

    assert titles("news")[:2] == ["Later", "Shown"]
    assert set(titles("news")[2:]) == {"Draft", "Gone"}
    found = {
        status: titles(f"news?status={status}") for status in ("draft", "scheduled", "published", "archived")
    }
    assert found == {"draft": ["Draft"], "scheduled": ["Later"], "published": ["Shown"], "archived": ["Gone"]}
    assert got("news?status=secret").status_code == 400


def test_events_and_teams_are_listed_by_status() -> None:
    for title, start in (
        ("Past", soon(days=-9)),
        ("Older", soon(days=-20)),
        ("Next", soon()),
        ("Late", soon(days=40)),
    ):
        event(title, start_date=start)
    event("Draft", published=False)
    for name, status in (("Herren 2", "published"), ("Damen 1", "draft")):
        make_team(name, status=status)

    found = {
        status: titles(f"events?status={status}") for status in ("upcoming", "past", "draft", "archived")
    }
    assert found == {
        "upcoming": ["Next", "Late"],
        "past": ["Past", "Older"],
        "draft": ["Draft"],
        "archived": [],
    }
    assert titles("events") == ["Draft", "Late", "Next", "Older", "Past"]
    assert [titles("teams"), titles("teams?status=draft")] == [["Damen 1", "Herren 2"], ["Damen 1"]]


def test_sponsors_and_locations_are_listed_by_name_also_those_that_have_expired() -> None:
    make_sponsor("Gone", expiry_timestamp=now() - timedelta(seconds=1)), make_sponsor("Bakery")
    make_location("Mühlenhalle"), make_location("Beach")

    assert [titles("sponsors"), titles("locations")] == [["Bakery", "Gone"], ["Beach", "Mühlenhalle"]]


def test_lists_have_the_filters_of_their_pages() -> None:
    mine, theirs = article("Mine", by="moderator"), article("Theirs")
    make_team("Herren 1"), make_team("Damen 1", gender="woman")
    make_sponsor("Gone", expiry_timestamp=now() - timedelta(seconds=1)), make_sponsor("Bakery")
    board = make_role("Board", vorstand=True)
    make_member("Chair", role_ids=[board.id]), make_member("Helper")
    make_post("Video", type="Video"), make_post("Picture")
    make_page("Statutes"), make_page("Imprint", status="published")
    own, other = booking(day(1), by="moderator"), booking(day(2))

    assert [each["id"] for each in json_of("news?author=me")] == [mine.id]
    assert [each["id"] for each in json_of("news?author=me", "official")] == [theirs.id]
    assert titles("teams?gender=woman") == ["Damen 1"]
    assert titles("sponsors?state=expired") == ["Gone"]
    assert titles("members?group=board") == ["Chair"]
    assert titles("roles?vorstand=no") == []
    assert [each["caption"] for each in json_of("posts?type=Video")] == ["Video"]
    assert titles("pages?status=published") == ["Imprint"]
    assert [each["id"] for each in json_of("bus?booker=me")] == [own.id]
    assert [each["id"] for each in json_of("bus")] == [own.id, other.id]
    assert json_of("bus?when=past") == []
    assert got("bus?when=secret").status_code == 400


def test_an_article_is_what_its_table_holds_with_its_version_as_etag() -> None:
    item = article("Derby", publish_at=LONG_AGO, tags=["men"])

    answer = got(f"news/{item.id}?strong=true")

    assert answer["ETag"] == '"1"'
    assert answer["Cache-Control"] == "no-store"
    assert answer.json() == {
        "id": item.id,
        "entity": "news",
        "title": "Derby",
        "slug": "derby",
        "oldSlugs": [],
        "status": "draft",
        "content": from_plain_text("Five sets."),
        "excerpt": "Five sets.",
        "publishAt": "2026-01-05T17:30:00.000Z",
        "publishedDate": "2026-01-05T17:30:00.000Z",
        "firstPublishedAt": None,
        "authorIds": [CAST["official"].sub],
        "imageIds": [],
        "tags": ["men"],
        "sharedToMastodon": False,
        "createdAt": to_iso(item.created_at),
        "updatedAt": to_iso(item.updated_at),
        "version": 1,
    }
    assert got(f"news/{item.id}", if_none_match='"1"').status_code == 304
    assert json_of(f"news/{item.id}?fields=title,nonsense") == {"title": "Derby"}
    assert json_of("news?fields=title,status") == [{"title": "Derby", "status": "draft"}]


def test_each_kind_is_found_by_its_id_with_all_that_its_list_has() -> None:
    one_of_each()
    for kind in LISTS:
        (row,) = json_of(kind)
        found = json_of(f"{kind}/{row['id']}")
        assert found.items() >= row.items()
        assert found["version"] == 1
        assert got(f"{kind}/no-such-record").status_code == 404


def test_a_team_tells_who_its_people_are_and_not_how_to_reach_them() -> None:
    person = make_member(email="maya@club.example", phone="+49 151 23456789")
    item = make_team(contact_person_ids=[person.id])

    for address in ("teams", f"teams/{item.id}"):
        text = got(address, "official").content.decode()
        assert person.id in text
        assert "maya@" not in text
        assert "+49" not in text


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        ("admin", LISTS),
        ("moderator", LISTS),
        ("official", [kind for kind in LISTS if kind not in ("sponsors", "pages")]),
        ("member", ["roles", "bus"]),
        ("guest", []),
    ],
)
def test_it_is_for_those_who_may_view_it_on_the_pages(role: str, allowed: list[str]) -> None:
    one_of_each()
    ids = {kind: json_of(kind)[0]["id"] for kind in LISTS}

    lists = [kind for kind in LISTS if got(kind, role).status_code == 200]
    records = [kind for kind in LISTS if got(f"{kind}/{ids[kind]}", role).status_code == 200]

    assert lists == records == allowed
    assert {got(kind, role).status_code for kind in {*LISTS} - {*allowed}} <= {403}


def test_nobody_reads_it_without_signing_in() -> None:
    item = article()
    for address in ("news", f"news/{item.id}", "events", "teams", "sponsors", "locations"):
        assert got(address, "stranger").status_code == 401


@pytest.mark.parametrize("kind", LISTS)
def test_a_list_of_a_hundred_costs_one_request_and_with_a_token_one_more(kind: str) -> None:
    for number in range(100):
        one_more(kind, number)
    program = Program(token=services.make(CAST["moderator"], "Sheet", ["cms:read"], 30).text)
    # With its first use it is renewed.
    program.get(f"{CONTENT}/{kind}?limit=1")

    for query in ("", "?limit=100"):
        with metering.metered() as meter:
            answer = program.get(f"{CONTENT}/{kind}{query}").json()
        assert len(answer["items"] if query else answer) == 100
        assert meter.operations == ["GetItem", "Query"]


@pytest.mark.parametrize("kind", LISTS)
def test_of_a_list_only_the_fields_are_read_that_were_asked_for(
    kind: str, requests: list[dict[str, Any]]
) -> None:
    one_of_each()
    (row,) = json_of(kind)
    assert json_of(f"{kind}?fields=id,createdAt") == [{name: row[name] for name in ("id", "createdAt")}]

    names = set(requests[-1]["ExpressionAttributeNames"].values())
    assert {"id", "createdAt", "version"} <= names
    assert not names & {"title", "name", "driver", "caption", "slug", "updatedAt"}


def test_a_filter_sees_what_was_not_asked_for() -> None:
    make_team("Herren 1"), make_team("Damen 1", gender="woman")

    assert json_of("teams?gender=woman&fields=name") == [{"name": "Damen 1"}]
    assert [len(json_of("news?author=me&fields=id")), len(json_of("bus?when=past&fields=id"))] == [0, 0]


def test_what_a_list_lacks_is_read_from_the_table_in_one_more_request() -> None:
    for number in range(3):
        article(f"Article {number}", publish_at=LONG_AGO + timedelta(days=number), text=f"Text {number}.")

    with metering.metered() as meter:
        page = json_of("news?limit=2&fields=title,content")

    assert page["items"] == [
        {"title": f"Article {number}", "content": from_plain_text(f"Text {number}.")} for number in (2, 1)
    ]
    assert meter.operations[-2:] == ["Query", "BatchGetItem"]
    rest = json_of(f"news?limit=2&fields=content&nextToken={page['nextToken']}")
    assert rest == {"items": [{"content": from_plain_text("Text 0.")}], "nextToken": None}


def test_what_a_person_may_not_read_is_not_read_by_its_name_either() -> None:
    make_member("Maya", email="maya@club.example", phone="+49 151 23456789")
    asked = "members?limit=5&fields=name,email,phone"

    (hidden,), (shown,) = (json_of(asked, role)["items"] for role in ("official", "moderator"))
    assert hidden == {"name": "Maya", "email": None, "phone": None}
    assert shown == {"name": "Maya", "email": "maya@club.example", "phone": "+49 151 23456789"}


def test_a_thousand_texts_are_not_answered_at_once() -> None:
    answer = got("news?fields=title,content")

    assert (answer.status_code, pointers(answer)) == (400, ["/query/limit"])


@pytest.mark.parametrize("kind", LISTS)
def test_a_list_is_read_consistently_where_that_is_asked_for(
    kind: str, requests: list[dict[str, Any]]
) -> None:
    one_of_each()
    rows = json_of(kind)
    assert json_of(f"{kind}?strong=true") == rows

    (table,) = requests[-1]["RequestItems"].values()
    assert table["ConsistentRead"] is True


def test_a_list_that_is_read_consistently_has_what_its_index_does_not_know_yet(proxy: FaultProxy) -> None:
    item = article("Before")
    proxy.faults = Faults(stale_index=1, lag=60_000)
    news.update(news.get(item.id, strong=True), {"title": "After"}, actor=SYSTEM)

    assert titles("news") == ["Before"]
    assert titles("news?strong=true") == ["After"]


def test_pages_follow_each_other_to_the_last() -> None:
    for number in range(3):
        article(f"Article {number}", publish_at=LONG_AGO + timedelta(days=number))

    first = json_of("news?limit=2")
    last = json_of(f"news?limit=2&nextToken={first['nextToken']}")

    assert [len(first["items"]), len(last["items"]), last["nextToken"]] == [2, 1, None]
    assert got(f"news?limit=2&nextToken={first['nextToken']}", "official").status_code == 400
    assert got(f"events?limit=2&nextToken={first['nextToken']}").status_code == 400
