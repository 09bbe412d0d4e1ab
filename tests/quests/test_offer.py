"""Offering a quest and changing the offer: what it costs, what is refused, and two versions side by side."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import localdate, localtime

from core.dynamo import metering
from quests import repository
from quests.limits import LIMITS
from quests.models import OPEN
from quests.services import lifecycle
from quests.templates import QUEST_TEMPLATES
from tests.cast import sign_in
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    claimed,
    figures,
    ledger_agrees,
    offered,
    open_accounts,
    stored,
)
from tests.seen import SAFE, answers_to_a_mistake

pytestmark = pytest.mark.usefixtures("db")
TYPED = {
    "title": "Kuchen für das Heimspiel",
    "description": "Ein Kuchen, zwölf Stücke, eine halbe Stunde vorher an der Theke.",
    "category": "social",
    "reward_xp": "50",
    "reward_reputation": "8",
}


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def in_days(number):
    """Asked for within a test: the day may be another one than when the tests were collected."""
    return (localdate() + timedelta(days=number)).isoformat()


def as_typed(**typed):
    return TYPED | {"open_until": in_days(30)} | typed


def offer(client=None, **typed):
    return (client or sign_in(Client(), "member")).post("/quests/new/", as_typed(**typed))


def offers():
    return list(repository.quests.created_by(CREATOR.sub).items)


def save(quest, role="member", **typed):
    sent = as_typed(version=str(quest.seen_version)) | typed
    return sign_in(Client(), role).post(f"/quests/{quest.id}/edit/", sent)


# --- Offering ----------------------------------------------------------------------------------------------


def test_the_form_says_what_it_costs_and_begins_with_the_usual(as_role):
    client = as_role("member")
    with metering.metered() as meter:
        response = client.get("/quests/new/")

    page = " ".join(response.content.decode().split())
    assert "It costs 1 quest point. You have 10." in page
    assert meter.operations == ["GetItem", "BatchGetItem"]
    initial = response.context["form"].initial
    assert (initial["reward_xp"], initial["reward_reputation"]) == (100, 10)
    assert initial["open_until"] == localdate() + timedelta(days=30)


@pytest.mark.parametrize("name", QUEST_TEMPLATES)
def test_every_starting_point_can_be_offered_as_it_is(as_role, name):
    client = as_role("member")
    initial = client.get(f"/quests/new/?from={name}").context["form"].initial

    assert offer(client, **{field: str(value) for field, value in initial.items()}).status_code == 302
    assert [quest.title for quest in offers()] == [str(QUEST_TEMPLATES[name].title)]


def test_a_quest_is_offered_for_a_point(as_role):
    response = offer()

    (quest,) = offers()
    assert response["Location"] == f"/quests/{quest.id}/"
    assert (stored(quest).status, stored(quest).category) == (OPEN, "social")
    until = localtime(stored(quest).expires_at)
    assert (until.date(), until.hour, until.minute) == (localdate() + timedelta(days=30), 23, 59)
    assert figures(CREATOR)[0] == 9
    assert ledger_agrees(CREATOR)


def test_a_form_that_is_sent_twice_offers_one_quest_and_leads_to_it():
    addresses = {offer(once="same-key")["Location"] for _ in range(2)}

    (quest,) = offers()
    assert addresses == {f"/quests/{quest.id}/"}
    assert figures(CREATOR)[0] == 9


def test_offering_costs_four_requests():
    client = sign_in(Client(), "member")
    with metering.metered() as meter:
        offer(client, once="key")

    assert meter.requests <= 4


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("title", "Nein", "at least 5 characters"),
        ("title", "\u200b" * 6, "This field is required."),
        ("title", "\u2060Nein\u200d", "at least 5 characters"),
        ("title", "x" * 201, "at most 200 characters"),
        ("description", "Zu kurz.", "at least 20 characters"),
        ("description", "x" * 2001, "at most 2000 characters"),
        ("reward_xp", "9", "greater than or equal to 10"),
        ("reward_xp", "1001", "less than or equal to 1000"),
        ("reward_reputation", "0", "greater than or equal to 1"),
        ("reward_reputation", "101", "less than or equal to 100"),
        ("open_until", 0, "Choose a date from tomorrow on, at most 365 days ahead."),
        ("open_until", 366, "at most 365 days ahead."),
        ("category", "no-such", "Select a valid choice."),
    ],
)
def test_what_is_not_allowed_is_said_and_what_was_typed_is_kept(field, value, says):
    response = offer(**{field: in_days(value) if field == "open_until" else value})

    page = response.content.decode()
    assert response.status_code == 422
    assert says in page
    assert TYPED["description" if field == "title" else "title"] in page
    assert offers() == []
    assert figures(CREATOR)[0] == 10


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("open_until", 1),
        ("reward_xp", "10"),
        ("reward_xp", "1000"),
    ],
)
def test_the_limits_themselves_are_allowed(field, value):
    typed = in_days(value) if field == "open_until" else value
    assert offer(**{field: typed}).status_code == 302


def test_without_points_nothing_is_offered_and_nothing_is_lost():
    for _number in range(10):
        offered()

    response = offer()

    page = response.content.decode()
    assert response.status_code == 422
    assert "Retry-After" not in response
    assert "You have no quest points left. Complete someone else's quest to earn some." in page
    assert TYPED["description"] in page
    assert len(offers()) == 10


def test_whoever_offers_too_fast_is_told_when_to_go_on():
    for _number in range(5):
        LIMITS["create"].acquire(CREATOR.sub)

    response = offer()

    assert response.status_code == 429
    assert 1 <= int(response["Retry-After"]) < 120
    assert TYPED["title"] in response.content.decode()


# --- Changing the offer ------------------------------------------------------------------------------------


def test_an_open_quest_is_changed_by_who_offers_it():
    quest = offered()
    page = sign_in(Client(), "member").get(f"/quests/{quest.id}/edit/").content.decode()
    assert quest.title in page

    response = save(quest, title="Beide Netze flicken")

    assert response["Location"] == f"/quests/{quest.id}/"
    assert stored(quest).title == "Beide Netze flicken"
    assert figures(CREATOR)[0] == 9


@pytest.mark.parametrize(
    ("made", "role", "code", "says"),
    [
        (offered, "other-member", 403, "Only the person who offers this quest can do that."),
        (offered, "admin", 403, "Only the person who offers this quest can do that."),
        (claimed, "member", 409, "Someone has claimed this quest."),
    ],
)
def test_nobody_else_changes_it_and_nobody_after_it_was_taken_on(made, role, code, says):
    quest = made()
    asked = sign_in(Client(), role).get(f"/quests/{quest.id}/edit/")
    assert (asked.status_code, says in asked.content.decode()) == (code, True)

    response = save(quest, role, title="Ganz anders")

    page = response.content.decode()
    assert response.status_code == code
    assert says in page
    assert "Ganz anders" in page
    assert stored(quest).title == quest.title


def test_both_versions_are_shown_when_it_was_changed_in_another_window():
    quest = offered()
    lifecycle.edit(CREATOR, quest.id, {"title": "Die andere Fassung"}, seen_version=quest.seen_version)

    response = save(quest, title="Meine Fassung")

    page = response.content.decode()
    assert response.status_code == 409
    contested = {each.title: (each.mine, each.theirs) for each in response.context["contested"]}
    assert contested["Title"] == ("Meine Fassung", "Die andere Fassung")
    assert stored(quest).title == "Die andere Fassung"
    assert f'name="version" value="{stored(quest).seen_version}"' in page
    assert save(stored(quest), title="Meine Fassung").status_code == 302
    assert stored(quest).title == "Meine Fassung"


def test_a_corrected_mistake_does_not_overwrite_what_was_changed_in_another_window():
    quest = offered()
    wrong, mine, theirs = (as_typed(title=title) for title in ("", "Meine Fassung", "Die andere Fassung"))
    client, address = sign_in(Client(), "member"), f"/quests/{quest.id}/edit/"
    assert answers_to_a_mistake(client, address, wrong=wrong, mine=mine, theirs=theirs) == SAFE


def test_a_save_that_is_sent_twice_is_no_conflict_with_itself():
    quest = offered()

    answers = [save(quest, title="Beide Netze flicken", once="same-key").status_code for _ in range(2)]

    assert answers == [302, 302]


def test_a_deleted_quest_cannot_be_changed():
    quest = offered()
    lifecycle.delete(CREATOR, quest.id)

    assert save(quest).status_code == 404
    assert sign_in(Client(), "member").get(f"/quests/{quest.id}/edit/").status_code == 404
    assert PERFORMER.sub not in save(quest).content.decode()
