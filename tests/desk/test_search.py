"""The search over everything: what each role finds, what it costs, and what hostile input does to it."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils.html import escape

from cms.members.models import Member
from cms.members.repository import members
from cms.news.models import News
from cms.news.repository import news
from cms.roles.models import Role
from cms.roles.repository import roles
from core.accounts.models import Person
from core.accounts.repository import people
from core.crud.listing import Badge
from core.crud.palette import Hit
from core.dynamo import metering, search
from core.dynamo.actors import Actor
from core.dynamo.items import new_id
from core.dynamo.search import MOST_RECORDS
from tests.desk.palette import AsRole, titles

HTMX = {"HX-Request": "true"}


def titles_outside_scouting(response: HttpResponse, title: str) -> list[str]:
    """What belongs to scouting is for scouts, and is told by the tests of scouting."""
    groups: Any = response.context["groups"]  # type: ignore[attr-defined]
    hits = [hit for group in groups if group.title == title for hit in group.hits]
    return [str(hit.title) for hit in hits if not hit.address.startswith("/scouting/")]


def test_a_record_is_found_by_the_beginning_of_each_of_its_words(as_role: AsRole, article: News) -> None:
    client = as_role("official")

    for text in ("herb", "HERBST", "mull herbst", "Müllheim"):
        assert titles(client.get("/search", {"q": text})) == {"Content": ["Herbstturnier in Müllheim"]}
    assert titles(client.get("/search", {"q": "turnier"})) == {}


def test_each_hit_says_what_it_is_and_leads_there(as_role: AsRole, article: News) -> None:
    (group,) = as_role("official").get("/search", {"q": "herbst"}).context["groups"]

    (hit,) = group.hits
    assert (hit.address, str(hit.kind), hit.icon) == (f"/cms/news/{article.id}/", "article", "news")
    assert (hit.badge.kind, str(hit.badge)) == ("draft", "Draft")


def test_what_begins_with_the_text_comes_first(as_role: AsRole, alice: Actor) -> None:
    for title in ("Aus dem Archiv: Derby", "Derby", "Ein Derby"):
        news.create(News(title=title), actor=alice)

    assert titles(as_role("admin").get("/search", {"q": "derby"}))["Content"] == [
        "Derby",
        "Aus dem Archiv: Derby",
        "Ein Derby",
    ]


@pytest.mark.parametrize(
    ("role_name", "found"),
    [
        ("admin", {"Herbstturnier in Müllheim", "Herbstwart", "Herbst Sommer"}),
        ("moderator", {"Herbstturnier in Müllheim", "Herbstwart"}),
        ("official", {"Herbstturnier in Müllheim", "Herbstwart"}),
        ("scout", {"Herbstwart"}),
        ("member", {"Herbstwart"}),
    ],
)
def test_people_find_only_what_they_may_open(
    as_role: AsRole, article: News, role: Role, alice: Actor, role_name: str, found: set[str]
) -> None:
    people.create(Person(sub="herbst", name="Herbst Sommer", email="h@people.example"), actor=alice)

    assert sorted(titles(as_role(role_name).get("/search", {"q": "herbst"}))["Content"]) == sorted(found)


SOFTBALL = ["My softball", "My stats"]
OF_EVERYBODY = ["Home", "Calendar", "Bus", "Roles", "Quest board", "My quests", "Leaderboard", *SOFTBALL]
OF_OFFICIALS = [
    *("Home", "News", "Media", "Calendar", "Events", "Bus", "Teams", "Members", "Roles", "Locations"),
    *("Social posts", "SAMS sync", "Quest board", "My quests", "Leaderboard", "SAMS teams", "SAMS clubs"),
    *SOFTBALL,
]
OF_MODERATORS = [*OF_OFFICIALS, "Sponsors", "Pages"]
NEW_OF_MODERATORS = [
    *("New article", "New booking", "New event", "New location", "Upload files", "New member", "New page"),
    *("New social post", "New role", "New sponsor", "New team", "New quest", "New softball team"),
]


@pytest.mark.parametrize(
    ("role_name", "screens", "actions"),
    [
        (
            "admin",
            [
                *(*OF_MODERATORS, "Steward desk", "All softball teams"),
                *("Club settings", "People", "Webhooks", "Cache and limits"),
            ],
            [*NEW_OF_MODERATORS[:-1], "Invite a member", NEW_OF_MODERATORS[-1]],
        ),
        ("moderator", OF_MODERATORS, NEW_OF_MODERATORS),
        (
            "official",
            OF_OFFICIALS,
            ["New article", "New booking", "New event", "Upload files", "New quest", "New softball team"],
        ),
        ("member", OF_EVERYBODY, ["New booking", "New quest", "New softball team"]),
    ],
)
def test_before_anything_is_typed_there_are_the_screens_and_actions_of_the_role(
    as_role: AsRole, role_name: str, screens: list[str], actions: list[str]
) -> None:
    response = as_role(role_name).get("/search")
    found = titles(response)

    assert sorted(titles_outside_scouting(response, "Pages")) == sorted(screens)
    assert titles_outside_scouting(response, "Actions") == actions
    assert found["Account"] == [
        "Your profile",
        "Access tokens",
        "Light colours",
        "Dark colours",
        "Use device colours",
        "Sign out",
    ]
    assert "Recently opened" not in found


def test_screens_and_actions_are_found_by_the_beginnings_of_their_words(as_role: AsRole) -> None:
    client = as_role("admin")

    assert titles(client.get("/search", {"q": "ro"})) == {"Pages": ["Roles"], "Actions": ["New role"]}
    assert titles(client.get("/search", {"q": "art ne"})) == {"Actions": ["New article"]}
    assert titles(client.get("/search", {"q": "sign"})) == {"Account": ["Sign out"]}


def test_the_palette_gets_options_of_a_listbox_and_the_page_gets_links(
    as_role: AsRole, article: News
) -> None:
    client = as_role("official")
    address = f'href="/cms/news/{article.id}/"'

    page = client.get("/search", {"q": "herbst"})
    options = client.get("/search", {"q": "herbst"}, headers=HTMX)

    assert 'role="option"' not in page.content.decode()
    assert address in page.content.decode()
    assert "<html" not in options.content.decode()
    assert f'role="option" aria-selected="false" tabindex="-1" {address}' in options.content.decode()
    assert '<p id="palette-found" role="status" hx-swap-oob="true">1 result</p>' in options.content.decode()
    assert "HX-Request" in options["Vary"]


def test_a_search_is_one_query_for_each_scope_and_one_batch(
    as_role: AsRole, article: News, role: Role
) -> None:
    for role_name, scopes in (("member", 2), ("official", 2), ("scout", 2), ("steward", 2)):
        assert requests_of(as_role(role_name), "herbst") == [
            *("GetItem", "Query"),
            *["Query"] * scopes,
            "BatchGetItem",
        ]


@pytest.mark.parametrize(("role_name", "scopes"), [("scout-lead", 3), ("admin", 6)])
def test_who_sees_scouting_also_reads_its_teams_once_in_half_a_minute(
    as_role: AsRole, role: Role, role_name: str, scopes: int
) -> None:
    client = as_role(role_name)

    first, second = requests_of(client, "herbst"), requests_of(client, "herbst")

    assert second == ["GetItem", "Query", *["Query"] * scopes, "BatchGetItem"]
    # Without an event there is no list to read.
    assert first == [*second, "Query"]


def requests_of(client: Client, text: str) -> list[str]:
    """The session, the softball teams (of others: administrators), each scope, and the records."""
    with metering.metered() as meter:
        client.get("/search", {"q": text})
    return meter.operations


@pytest.fixture
def wagners(db: object, alice: Actor) -> None:
    """Thirty members of one surname, more than are shown at once, and in every scope what begins with it."""
    for number in range(30):
        members.create(Member(name=f"Person{number:02} Wagner"), actor=alice)
        roles.create(Role(name=f"Wagnerei {number:02}"), actor=alice)
        people.create(Person(sub=f"w{number}", name="Wagner", email=f"w{number}@people.example"), actor=alice)
    members.create(Member(name="Zoe Wagner"), actor=alice)


@pytest.mark.usefixtures("wagners")
def test_somebody_is_found_by_both_names_among_many_of_the_same_surname(as_role: AsRole) -> None:
    client = as_role("admin")

    with metering.metered() as meter:
        assert titles(client.get("/search", {"q": "zoe wagner"})) == {"Content": ["Zoe Wagner"]}

    assert meter.operations[:1] == ["GetItem"]
    assert meter.operations.count("BatchGetItem") == 1
    listed = client.get("/cms/members/", {"q": "zoe wagner"}).content.decode()
    assert "Zoe Wagner" in listed
    assert "Person00 Wagner" not in listed


def test_an_address_of_a_common_provider_is_found_at_once(as_role: AsRole, alice: Actor) -> None:
    for number in range(60):
        members.create(Member(name=f"Somebody {number}", email=f"a{number:02}@gmail.com"), actor=alice)
    # Keys are random: wherever the first rows end, one of these is behind them.
    for number in range(5):
        members.create(Member(name=f"Zoe {number}", email=f"zoe{number}@gmail.com"), actor=alice)
    client = as_role("admin")

    found = [titles(client.get("/search", {"q": f"zoe{number}@gmail.com"})) for number in range(5)]

    assert found == [{"Content": [f"Zoe {number}"]} for number in range(5)]


def test_where_nothing_was_found_so_far_the_page_and_the_palette_lead_on(
    as_role: AsRole, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With small limits, so that a few records are as a thousand."""
    for name, limit in (("FEW_ROWS", 2), ("MANY_ROWS", 4), ("MOST_CHECKED", 4)):
        monkeypatch.setattr(search, name, limit)
    for number in range(5):
        roles.create(Role(name=f"Derby {number}"), actor=alice)
        roles.create(Role(name=f"Gala {number}"), actor=alice)
    roles.create(Role(name="Gala Derby"), actor=alice)
    client = as_role("member")

    first = client.get("/search", {"q": "derby gala"})
    (group,) = first.context["groups"]
    palette = client.get("/search", {"q": "derby gala"}, headers=HTMX).content.decode()

    assert (group.hits, first.context["found"]) == ([], "Nothing found so far")
    assert f'href="{escape(group.next_address)}">Search more</a>' in first.content.decode()
    assert 'href="/search?q=derby+gala&amp;after=' in palette
    assert titles(client.get("/search" + group.next_address)) == {"Content": ["Gala Derby"]}


def test_many_hits_are_cut_and_said_to_be(as_role: AsRole, alice: Actor) -> None:
    for number in range(MOST_RECORDS + 5):
        roles.create(Role(name=f"Derby {number:02}"), actor=alice)

    response = as_role("member").get("/search", {"q": "derby"})

    assert titles(response)["Content"] == [f"Derby {number:02}" for number in range(MOST_RECORDS)]
    assert response.context["found"] == f"{MOST_RECORDS} results. Type more to find fewer."


def test_the_page_leads_to_what_was_cut_until_there_is_no_more(as_role: AsRole, alice: Actor) -> None:
    for number in range(MOST_RECORDS + 5):
        roles.create(Role(name=f"Derby {number:02}"), actor=alice)
    client = as_role("member")

    first = client.get("/search", {"q": "derby"})
    (group,) = first.context["groups"]
    with metering.metered() as meter:
        rest = client.get("/search" + group.next_address)

    assert f'<a class="button quiet-button" id="load-more" href="{escape(group.next_address)}">' in (
        first.content.decode()
    )
    assert titles(rest) == {
        "Content": [f"Derby {number}" for number in range(MOST_RECORDS, MOST_RECORDS + 5)]
    }
    assert rest.context["found"] == "5 more shown"
    assert 'id="load-more"' not in rest.content.decode()
    assert meter.operations == ["GetItem", "Query", "Query", "BatchGetItem"]


def test_the_way_to_more_is_for_one_person_and_one_text(as_role: AsRole, alice: Actor) -> None:
    for number in range(MOST_RECORDS + 1):
        roles.create(Role(name=f"Derby {number:02}"), actor=alice)
    (group,) = as_role("member").get("/search", {"q": "derby"}).context["groups"]

    assert as_role("other-member").get("/search" + group.next_address).status_code == 400
    assert as_role("member").get("/search" + group.next_address.replace("derby", "derb")).status_code == 400


def test_what_somebody_typed_is_only_ever_text() -> None:
    hostile = "\"><script>alert('1')</script>&"
    for hit in (
        Hit(hostile, "news", hostile, kind=hostile, badge=Badge(hostile, hostile)),
        Hit(hostile, "sun", form=hostile, name=hostile, value=hostile),
    ):
        html = hit.element(hostile)

        assert "<script" not in html
        assert html.count("&quot;&gt;&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;&amp;") == html.count(
            "alert"
        )
        assert html.count("alert") >= 5


def test_one_letter_finds_no_records_and_says_why(as_role: AsRole, article: News) -> None:
    response = as_role("official").get("/search", {"q": "h"})

    assert titles(response) == {"Pages": ["Home"]}
    assert response.context["found"] == "1 result. Type at least two letters to find content."


@pytest.mark.parametrize(
    "query",
    [
        {"q": "x" * 10_000},
        {"q": "\x00\x1b herbst \ud800".encode("utf-8", "surrogatepass")},
        {"q": "<script>alert(1)</script>"},
        {"q": "#" * 50, "recent": "x" * 10_000},
        {"recent": "nobody:1,:,,news,news:,news:|,news:%ZZ,role:a|b,news:" + "y" * 5000},
        {"recent": "copy:news#1,news:\x00,person:admin-sub,__class__:x"},
        {"recent": ",".join(f"news:{new_id()}" for _number in range(1000))},
    ],
    ids=["long", "control", "script", "no words", "malformed", "foreign", "a thousand"],
)
def test_hostile_input_finds_nothing_and_breaks_nothing(as_role: AsRole, query: dict[str, Any]) -> None:
    client = as_role("official")

    with metering.metered() as meter:
        response = client.get("/search", query)

    assert response.status_code == 200
    assert not {"Content", "Recently opened"} & set(titles(response))
    assert "<script>alert" not in response.content.decode()
    assert meter.requests <= 4
