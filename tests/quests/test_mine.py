"""My quests: what waits for me first, then what I offer and what I have taken on, each list by itself."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from core.dynamo import metering
from core.dynamo.attributes import now
from quests.models import COMPLETE
from quests.services import lifecycle
from tests.cast import ROLES, STRANGER, sign_in
from tests.desk.waiting import waiting_for
from tests.quests.board import PERFORMER, TEXT, claimed, completed, offered, open_accounts, submitted
from tests.quests.test_board import fill

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def titles(response):
    return {part.name: [card.quest.title for card in part.cards] for part in response.context["lists"]}


def waiting(response):
    return [(each.card.quest.title, str(each.text)) for each in response.context["next_steps"]]


@pytest.mark.parametrize("role", ROLES)
def test_members_have_them(role):
    response = sign_in(Client(), role).get("/quests/mine/")

    assert response.status_code == {STRANGER: 302, "guest": 403}.get(role, 200)


def test_each_sees_what_they_offer_and_what_they_have_taken_on(as_role):
    completed(title="Netz flicken")
    offered(PERFORMER, title="Kuchen backen")

    assert titles(as_role("member").get("/quests/mine/")) == {"created": ["Netz flicken"], "performed": []}
    response = as_role("other-member").get("/quests/mine/")
    assert titles(response) == {"created": ["Kuchen backen"], "performed": ["Netz flicken"]}
    assert "You have 11 quest points." in response.content.decode()


def test_what_waits_for_me_comes_first(as_role):
    claimed(title="Noch zu tun")
    half = submitted(title="Halb bestätigt")
    lifecycle.attest(PERFORMER, half.id)
    submitted(title="Noch nicht bestätigt")

    assert waiting(as_role("member").get("/quests/mine/")) == [
        ("Halb bestätigt", "Confirm the work"),
        ("Noch nicht bestätigt", "Confirm the work"),
    ]
    assert waiting(as_role("other-member").get("/quests/mine/")) == [
        ("Noch nicht bestätigt", "Confirm the work"),
        ("Noch zu tun", "Do it and submit your work"),
    ]


@pytest.mark.parametrize("role", ["member", "other-member"])
def test_a_claim_on_an_old_offer_is_found_among_many_that_ended(as_role, role):
    """Of both sides: the offer is older than forty others of the same two people."""
    year_ago = now() - timedelta(days=365)
    old = offered(title="Altes Angebot", created_at=year_ago)
    work = offered(title="Alte Arbeit", created_at=year_ago)
    fill(40, performer_id=PERFORMER.sub, status=COMPLETE)
    lifecycle.claim(PERFORMER, old.id)
    lifecycle.claim(PERFORMER, work.id)
    lifecycle.submit(PERFORMER, work.id, text=TEXT, photos=[])
    client = as_role(role)

    with metering.metered() as meter:
        page = client.get("/quests/mine/")
    assert meter.operations == ["GetItem", *["Query"] * 5, "BatchGetItem"]
    told = waiting(page)
    home = [(title, badge) for title, badge, _address in waiting_for(client)]
    assert ("Alte Arbeit", "Work submitted") in home
    if role == "member":
        assert told == [("Alte Arbeit", "Confirm the work")]
    else:
        assert told == [
            ("Alte Arbeit", "Confirm the work"),
            ("Altes Angebot", "Do it and submit your work"),
        ]
        assert titles(page)["performed"][:3] == ["Altes Angebot", "Alte Arbeit", "Aufgabe 0039"]
        assert ("Altes Angebot", "Claimed by you") in home


def test_what_was_taken_on_is_listed_once_on_all_pages(as_role):
    fill(25, performer_id=PERFORMER.sub, status=COMPLETE)
    claimed(title="Noch zu tun")
    client = as_role("other-member")

    first = client.get("/quests/mine/")
    rest = client.get(f"/quests/mine/{first.context['lists'][1].next_address}")

    assert titles(first)["performed"] == [
        "Noch zu tun",
        *(f"Aufgabe {number:04}" for number in range(24, 4, -1)),
    ]
    assert titles(rest)["performed"] == [f"Aufgabe {number:04}" for number in range(4, -1, -1)]


def test_the_lists_go_on_separately_and_cost_seven_requests(as_role):
    fill(25)
    client = as_role("member")
    with metering.metered() as meter:
        first = client.get("/quests/mine/")
    assert meter.operations == ["GetItem", *["Query"] * 5, "BatchGetItem"]
    created, performed = first.context["lists"]
    assert len(created.cards) == 20
    assert performed.next_address == ""

    address = f"/quests/mine/{created.next_address}"
    assert titles(client.get(address))["created"] == [f"Aufgabe {number:04}" for number in range(4, -1, -1)]
    with metering.metered() as meter:
        more = client.get(f"{address}&list=created", headers={"HX-Request": "true"})
    assert meter.operations == ["GetItem", "Query", "BatchGetItem"]
    assert "Aufgabe 0004" in more.content.decode()
    assert "<html" not in more.content.decode()
    assert client.get(address.replace("created=", "performed=")).status_code == 400
    assert sign_in(Client(), "steward").get(address).status_code == 400


def test_quests_are_found_by_the_palette_and_their_steps_are_told_on_the_first_page(as_role):
    quest = submitted(title="Netz flicken")
    client = as_role("official")

    assert f"/quests/{quest.id}/" in client.get("/search", {"q": "netz"}).content.decode()
    happened = client.get("/desk/activity").content.decode()
    assert re.search(r"<strong>Milan Petrov</strong> submitted <a [^>]*>“Netz flicken”</a>", happened)
