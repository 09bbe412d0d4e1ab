"""The board: open quests first, by status, category and words, newest or best paid, at a fixed price."""

from datetime import timedelta

import pytest
from django.test import Client

from core.dynamo import maintenance, metering
from core.dynamo.attributes import now
from quests import presenters
from quests.models import CLAIMED, Quest
from quests.services import lifecycle
from tests.cast import CAST, ROLES, STRANGER, sign_in
from tests.quests.board import CREATOR, PERFORMER, completed, offered, open_accounts

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def titles(response):
    return [card.quest.title for card in response.context["cards"]]


def fill(count, creator_id=CREATOR.sub, **fields):
    """Straight into the table: as many as some years bring."""
    for first in range(0, count, 25):
        rows = [
            _row(number, count, creator_id=creator_id, **fields)
            for number in range(first, min(first + 25, count))
        ]
        puts = [{"PutRequest": {"Item": row}} for row in rows]
        maintenance.request("BatchWriteItem", RequestItems={Quest.Meta.table_name: puts})


def _row(number, count, **fields):
    quest = Quest(
        title=f"Aufgabe {number:04}",
        description="Etwas für den Verein tun.",
        reward_xp=10 + number,
        version=1,
        **{"expires_at": now() + timedelta(days=3)} | fields,
    )
    quest.created_at = quest.updated_at = now() - timedelta(minutes=count - number)
    return quest.serialize()


@pytest.mark.parametrize("role", ROLES)
def test_members_see_the_board(role):
    response = sign_in(Client(), role).get("/quests/")

    assert response.status_code == {STRANGER: 302, "guest": 403}.get(role, 200)


def test_open_quests_come_first_with_their_reward_their_time_and_who_offers_them(as_role):
    completed(title="Schon erledigt")
    offered(title="Netz in Halle 2 flicken", category="technical")

    page = as_role("other-member").get("/quests/").content.decode().replace("\xa0", " ")

    for told in (
        "Netz in Halle 2 flicken",
        "100 XP · 10 reputation",
        "Technical",
        CREATOR.name,
        "30 days left",
    ):
        assert told in page
    assert "Schon erledigt" not in page
    assert "12 quest points" in page


def test_other_states_and_categories_are_chosen(as_role):
    completed(title="Schon erledigt")
    offered(title="Netz flicken", category="technical")
    offered(title="Kuchen backen", category="social")
    client = as_role("member")

    assert titles(client.get("/quests/", {"status": "COMPLETE"})) == ["Schon erledigt"]
    assert titles(client.get("/quests/", {"category": "social"})) == ["Kuchen backen"]
    assert titles(client.get("/quests/", {"status": "no-such"})) == ["Kuchen backen", "Netz flicken"]


def test_the_order_is_newest_first_or_highest_reward_first(as_role):
    for title, xp in (("Erste", 500), ("Zweite", 10), ("Dritte", 200)):
        offered(title=f"{title} Aufgabe", reward_xp=xp)
    client = as_role("member")

    assert titles(client.get("/quests/")) == ["Dritte Aufgabe", "Zweite Aufgabe", "Erste Aufgabe"]
    by_reward = client.get("/quests/", {"sort": "reward"})
    assert titles(by_reward) == ["Erste Aufgabe", "Dritte Aufgabe", "Zweite Aufgabe"]


def over(**fields):
    """An offer whose time is over, before any sweep."""
    return offered(expires_at=now() - timedelta(seconds=1), **fields)


@pytest.mark.parametrize(
    "query", [{}, {"sort": "reward"}, {"category": "general"}, {"status": "OPEN", "q": "Netz"}]
)
def test_an_offer_whose_time_is_over_is_not_open_though_no_sweep_has_run(as_role, query):
    over(title="Netz von gestern")
    offered(title="Netz von heute")

    assert titles(as_role("other-member").get("/quests/", query)) == ["Netz von heute"]


def test_many_offers_whose_time_is_over_hide_no_open_one(as_role):
    offered(title="Noch offen", created_at=now() - timedelta(days=2))
    fill(25, expires_at=now() - timedelta(seconds=1))
    client = as_role("other-member")
    with metering.metered() as meter:
        response = client.get("/quests/")

    assert titles(response) == ["Noch offen"]
    assert meter.operations == ["GetItem", "Query", "Query", "BatchGetItem"]


def test_everywhere_else_it_is_called_expired(as_role):
    quest = over(title="Netz von gestern")
    for address in (
        "/quests/?q=gestern",
        "/quests/mine/",
        f"/quests/{quest.id}/",
        f"/quests/people/{CREATOR.sub}/?show=offered",
    ):
        page = as_role("member").get(address).content.decode()
        assert '<span class="badge status archived"' in page
        assert ">Expired</span>" in page
        assert ">Open</span>" not in page
        assert "Time is up" not in page
    assert titles(as_role("member").get("/quests/", {"q": "gestern", "status": "EXPIRED"})) == [
        "Netz von gestern"
    ]


def test_a_search_looks_in_every_state_open_ones_first_and_never_finds_people(as_role):
    offered(title="Netz in Halle 1 spannen")
    lifecycle.claim(PERFORMER, offered(title="Netz in Halle 2 flicken").id)
    offered(title=f"Danke an {PERFORMER.name}")
    client = as_role("member")

    found = client.get("/quests/", {"q": "netz halle"})
    assert titles(found) == ["Netz in Halle 1 spannen", "Netz in Halle 2 flicken"]
    assert titles(client.get("/quests/", {"q": "netz", "status": "CLAIMED"})) == ["Netz in Halle 2 flicken"]
    assert titles(client.get("/quests/", {"q": "petrov"})) == [f"Danke an {PERFORMER.name}"]
    nothing = client.get("/quests/", {"q": "<script>alert(1)</script>"}).content.decode()
    assert "<script>alert(1)" not in nothing
    assert "No quests found for" in nothing


def test_an_empty_board_says_what_to_do_next(as_role):
    page = as_role("member").get("/quests/").content.decode()

    assert "No open quests." in page
    assert 'id="offer-first" href="/quests/new/"' in page


@pytest.mark.parametrize("count", [5, 1000])
def test_a_page_costs_three_requests_however_many_quests_there_are(as_role, count):
    fill(count)
    client = as_role("other-member")
    for query in ("", "?sort=reward", "?category=general"):
        with metering.metered() as meter:
            response = client.get(f"/quests/{query}")

        assert meter.operations == ["GetItem", "Query", "BatchGetItem"]
        assert len(response.context["cards"]) == min(count, 20)


def test_more_is_loaded_in_place_and_the_link_works_without_javascript(as_role):
    fill(25)
    client = as_role("member")
    first = client.get("/quests/")
    address = first.context["next_address"]

    more = client.get(f"/quests/{address}", headers={"HX-Request": "true"})

    assert [*titles(first), *titles(more)] == [f"Aufgabe {number:04}" for number in range(24, -1, -1)]
    assert "<html" not in more.content.decode()
    assert "Back to the start of the list" in client.get(f"/quests/{address}").content.decode()
    assert sign_in(Client(), "steward").get(f"/quests/{address}").status_code == 400


def test_what_people_wrote_is_inert(as_role):
    offered(title="<script>alert(1)</script>")

    page = as_role("member").get("/quests/").content.decode()

    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_somebody_without_an_account_is_somebody(as_role):
    fill(1, creator_id="nobody-knows")

    response = as_role("member").get("/quests/")

    assert [card.creator for card in response.context["cards"]] == ["Someone"]
    assert CAST["member"].name in response.content.decode()


def test_what_is_found_is_sorted_by_reward_where_that_was_asked_for(as_role):
    titles = {xp: offered(title=f"Netz Nummer {xp}", reward_xp=xp).title for xp in (100, 300, 200)}
    page = as_role("other-member").get("/quests/", {"q": "Netz", "sort": "reward"}).content.decode()

    assert sorted(titles, key=lambda xp: page.index(titles[xp])) == [300, 200, 100]


@pytest.mark.parametrize(
    ("left", "says"),
    [
        (timedelta(days=2, minutes=5), "2 days left"),
        (timedelta(days=1, minutes=5), "1 day left"),
        (timedelta(hours=5, minutes=5), "5 hours left"),
        (timedelta(minutes=-5), "Time is up"),
    ],
)
def test_a_card_says_how_much_time_is_left_for_work_that_was_taken_on(left, says):
    quest = Quest(status=CLAIMED, claim_expires_at=now() + left)

    assert presenters.time_left(quest).replace("\xa0", " ") == says
