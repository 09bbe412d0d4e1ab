"""The search by the API: what Ctrl+K finds for the same person, no more than their token reads."""

from typing import Any

import pytest

from core.accounts.personal_tokens import services as tokens
from core.dynamo import metering
from tests.api.programs import Program, pointers
from tests.cast import CAST
from tests.cms.articles import article
from tests.cms.club import make_member, make_role, make_sponsor, make_team
from tests.cms.public import make_picture
from tests.quests.board import CREATOR, offered, open_accounts
from tests.scouting import field
from tests.scouting.field import KEY
from tests.tracker.club import ghost, team_of
from tracker.games.services import games

pytestmark = pytest.mark.usefixtures("db")

SEARCH = "/api/v1/search"


def found(query: str, role: str = "moderator") -> list[str]:
    return [each["title"] for each in page_of(Program(role), query)["items"]]


def page_of(program: Program, query: str) -> Any:
    answer = program.get(f"{SEARCH}?{query}")
    assert answer.status_code == 200, answer.content
    return answer.json()


def token(*scopes: str, role: str = "admin") -> Program:
    program = Program(token=tokens.make(CAST[role], "Sheet", scopes, 30).text)
    # With its first use it is renewed.
    program.get(f"{SEARCH}?q=nothing")
    return program


def test_a_record_is_found_by_the_beginnings_of_its_words_with_its_addresses() -> None:
    item = article("Autumn cup")

    answer = Program("official").get(f"{SEARCH}?q=cup+aut")

    assert answer["Cache-Control"] == "no-store"
    assert answer.json() == {
        "items": [
            {
                "title": "Autumn cup",
                "kind": "article",
                "status": "draft",
                "page": f"http://testserver/cms/news/{item.id}/",
                "address": f"/api/v1/cms/news/{item.id}",
            }
        ],
        "nextToken": None,
        "isCut": False,
    }
    assert Program("official").get(answer.json()["items"][0]["address"]).json()["id"] == item.id
    assert found("q=umn") == []


def test_the_address_of_each_is_that_of_its_operation() -> None:
    open_accounts()
    field.event()
    make_team("Alpha team"), make_member("Alpha member"), make_picture("alpha.jpg")
    offered(title="Alpha quest")
    owner = CAST["admin"]
    team = team_of(owner, "Alpha Falcons")
    player = ghost(team, "Alpha", actor=owner)
    game = games.create(owner, team.id, {"opponent_name": "Alpha Hawks"})
    program = Program("admin")

    found = {each["title"]: each["address"] for each in page_of(program, "q=alpha")["items"]}
    (event,) = page_of(program, f"q={KEY}")["items"]

    tracker = "/api/v1/tracker"
    assert {name: address for name, address in found.items() if (address or tracker).startswith(tracker)} == {
        "Alpha Falcons": f"{tracker}/teams/{team.id}",
        "Alpha": f"{tracker}/teams/{team.id}/players/{player.id}",
        "at Alpha Hawks": f"{tracker}/games/{game.id}",
    }
    assert found.keys() >= {"Alpha team", "Alpha member", "alpha.jpg", "Alpha quest"}
    for address in (*found.values(), event["address"]):
        assert program.get(address).status_code == 200


def test_people_find_only_what_they_may_view() -> None:
    make_sponsor("Alpha sponsor"), make_role("Alpha role"), article("Alpha article")

    assert sorted(found("q=alpha")) == ["Alpha article", "Alpha role", "Alpha sponsor"]
    assert sorted(found("q=alpha", "official")) == ["Alpha article", "Alpha role"]
    assert found("q=alpha", "member") == ["Alpha role"]
    assert found("q=alpha", "guest") == []
    assert Program("stranger").get(f"{SEARCH}?q=alpha").status_code == 401


def test_nobody_finds_somebody_by_an_address_that_they_may_not_read() -> None:
    make_member("Maya", email="hidden@club.example")

    assert found("q=hidden") == ["Maya"]
    assert found("q=hidden", "official") == []


def test_a_token_finds_what_it_reads() -> None:
    open_accounts()
    field.event()
    article(f"{KEY} news"), offered(title=f"{KEY} quest")

    def kinds(*scopes: str) -> set[str]:
        return {each["kind"].split(" · ")[0] for each in page_of(token(*scopes), f"q={KEY}")["items"]}

    assert kinds("cms:read") == {"article"}
    assert kinds("quests:read") == {"quest"}
    assert kinds("scouting:read") == {"Scouting event"}
    assert kinds("cms:read", "scouting:read", "quests:write") == {"article", "Scouting event"}
    writing = Program(token=tokens.make(CAST["admin"], "Writer", ["cms:write"], 30).text)
    assert writing.get(f"{SEARCH}?q={KEY}").status_code == 403


def test_pages_follow_each_other_until_everything_was_found_once() -> None:
    titles = [f"Alpha {number}" for number in range(25)]
    for title in titles:
        article(title)
    program = Program("moderator")

    seen: list[str] = []
    query = "q=alpha&limit=10"
    token = ""
    while token is not None:
        page = page_of(program, f"{query}&nextToken={token}" if token else query)
        assert len(page["items"]) <= 10
        seen += [each["title"] for each in page["items"]]
        token = page["nextToken"]

    assert sorted(seen) == sorted(titles)


def test_a_token_of_a_page_is_for_the_same_search_of_the_same_person() -> None:
    for number in range(3):
        article(f"Alpha {number}")
    token = page_of(Program("moderator"), "q=alpha&limit=2")["nextToken"]

    assert Program("moderator").get(f"{SEARCH}?q=alpha&nextToken={token}").status_code == 200
    assert Program("moderator").get(f"{SEARCH}?q=beta&nextToken={token}").status_code == 400
    assert Program("official").get(f"{SEARCH}?q=alpha&nextToken={token}").status_code == 400
    assert Program("moderator").get(f"{SEARCH}?q=alpha&nextToken=x{token}").status_code == 400


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("", "/query/q"),
        ("q=", "/query/q"),
        (f"q={'x' * 101}", "/query/q"),
        ("q=a&limit=0", "/query/limit"),
        ("q=a&limit=21", "/query/limit"),
    ],
)
def test_what_is_asked_wrongly_is_named(query: str, pointer: str) -> None:
    answer = Program("official").get(f"{SEARCH}?{query}")
    assert (answer.status_code, pointers(answer)) == (400, [pointer])


@pytest.mark.parametrize("query", ["q=%00", "q=+", "q=a", "q=%F0%9F%98%80", "q=%25%23%7C"])
def test_a_text_without_words_finds_nothing(query: str) -> None:
    assert found(query) == []


def test_it_costs_what_the_page_costs_and_a_token_one_request() -> None:
    article("Alpha")
    program = token("cms:read", role="official")
    with metering.metered() as meter:
        assert len(page_of(program, "q=alpha")["items"]) == 1
    assert meter.operations == ["GetItem", "Query", "BatchGetItem"]


def test_members_find_their_quests() -> None:
    open_accounts()
    offered(title="Alpha quest")
    (hit,) = page_of(Program("other-member"), "q=alpha")["items"]
    assert (hit["kind"], hit["address"].startswith("/api/v1/quests/")) == ("quest", True)
    assert CREATOR.name not in str(hit)
