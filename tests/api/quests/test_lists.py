"""Lists of quests: the board by status, those of a person, and the two of one's own."""

from datetime import timedelta

import pytest

from core.accounts.personal_tokens import services
from core.dynamo import metering
from core.dynamo.attributes import now
from quests import repository
from quests.models import OPEN
from quests.services import lifecycle
from tests.api.programs import Program, pointers
from tests.quests.board import CREATOR, PERFORMER, STEWARD, claimed, disputed, offered, stored, submitted

QUESTS = "/api/v1/quests"


def ids(answer):
    quests = answer.json()
    quests = quests["items"] if isinstance(quests, dict) else quests
    return [quest["questId"] for quest in quests]


def expired(**fields):
    """Its time is over, and no sweep has been there."""
    quest = offered(**fields)
    repository.quests.update(stored(quest), {"expires_at": now() - timedelta(minutes=1)}, actor=CREATOR.actor)
    return quest


def test_the_board_has_the_open_quests_newest_first(performer):
    first, second = offered(), offered()
    claimed(), expired()
    assert ids(performer.get(QUESTS)) == [second.id, first.id]
    assert ids(performer.get(f"{QUESTS}?status=OPEN&limit=1")) == [second.id]


@pytest.mark.parametrize(
    ("status", "made"), [("CLAIMED", claimed), ("SUBMITTED", submitted), ("DISPUTED", disputed)]
)
def test_the_board_has_quests_of_each_status(performer, status, made):
    offered()
    quest = made()
    (listed,) = performer.get(f"{QUESTS}?status={status}").json()
    assert (listed["questId"], listed["status"]) == (quest.id, status)


def test_the_board_is_for_one_category_or_begins_with_the_highest_reward(performer):
    low, high = offered(reward_xp=200), offered(reward_xp=900)
    social = offered(category="social", reward_xp=500)
    assert ids(performer.get(f"{QUESTS}?category=social")) == [social.id]
    assert ids(performer.get(f"{QUESTS}?sort=reward")) == [high.id, social.id, low.id]


def test_a_listed_quest_has_the_fields_of_its_document_that_the_index_has(performer):
    quest = offered()
    (listed,) = performer.get(QUESTS).json()
    assert listed == {
        "questId": quest.id,
        "title": quest.title,
        "category": "general",
        "status": OPEN,
        "creatorId": CREATOR.sub,
        "performerId": None,
        "rewardXp": 100,
        "rewardReputation": 10,
        "hasRequestorAttestation": False,
        "hasPerformerAttestation": False,
        "version": 1,
        **dict.fromkeys(("claimedAt", "claimExpiresAt", "submittedAt", "completedAt", "disputedAt")),
        **{
            name: performer.get(f"{QUESTS}/{quest.id}").json()[name]
            for name in ("expiresAt", "createdAt", "updatedAt")
        },
    }


def test_quests_of_a_person_are_those_they_offer_or_have_taken_on(performer):
    own, mine = offered(PERFORMER), claimed()
    assert ids(performer.get(f"{QUESTS}?creator=me")) == [own.id]
    assert ids(performer.get(f"{QUESTS}?performer=me")) == [mine.id]
    assert ids(performer.get(f"{QUESTS}?creator={CREATOR.sub}")) == [mine.id]
    assert ids(performer.get(f"{QUESTS}?creator=me&status=CLAIMED")) == []
    assert ids(performer.get(f"{QUESTS}?creator={CREATOR.sub}&status=CLAIMED")) == [mine.id]
    assert ids(performer.get(f"{QUESTS}?creator=nobody")) == []


def test_an_offer_whose_time_is_over_is_expired_in_every_list(creator):
    quest = expired()
    assert ids(creator.get(f"{QUESTS}?creator=me&status=OPEN")) == []
    (listed,) = creator.get(f"{QUESTS}?creator=me").json()
    assert (listed["questId"], listed["status"]) == (quest.id, "EXPIRED")
    assert creator.get(f"{QUESTS}/{quest.id}").json()["status"] == "EXPIRED"


def test_ones_own_two_lists_have_a_token_each(creator):
    created = [offered().id for _number in range(3)]
    performed = [claimed_by_creator() for _number in range(2)]
    first = creator.get(f"{QUESTS}/mine?limit=2").json()
    assert [quest["questId"] for quest in first["created"]["items"]] == created[:0:-1]
    assert [quest["questId"] for quest in first["performed"]["items"]] == performed[::-1]
    token = first["created"]["nextToken"]
    second = creator.get(f"{QUESTS}/mine?limit=2&createdToken={token}").json()
    assert [quest["questId"] for quest in second["created"]["items"]] == created[:1]
    assert second["created"]["nextToken"] is None
    assert creator.get(f"{QUESTS}/mine?performedToken={token}").status_code == 400


def claimed_by_creator():
    return lifecycle.claim(CREATOR, offered(STEWARD).id).id


def test_pages_of_the_board_follow_each_other_and_belong_to_one_person(creator, performer):
    made = [offered().id for _number in range(5)]
    page = creator.get(f"{QUESTS}?limit=3").json()
    rest = creator.get(f"{QUESTS}?limit=3&nextToken={page['nextToken']}").json()
    assert [quest["questId"] for quest in page["items"] + rest["items"]] == made[::-1]
    assert rest["nextToken"] is None
    assert performer.get(f"{QUESTS}?nextToken={page['nextToken']}").status_code == 400
    assert creator.get(f"{QUESTS}?sort=reward&nextToken={page['nextToken']}").status_code == 400


def test_only_the_fields_that_are_asked_for_are_answered(creator):
    quest = offered()
    with metering.metered() as meter:
        assert creator.get(f"{QUESTS}?fields=title,status").json() == [{"title": quest.title, "status": OPEN}]
    assert meter.operations[-1] == "Query"
    narrowed = f"{QUESTS}?creator=me&status=OPEN&fields=title"
    assert creator.get(narrowed).json() == [{"title": quest.title}]
    assert creator.get(f"{QUESTS}?category=general&fields=rewardXp").json() == [{"rewardXp": 100}]
    assert creator.get(f"{QUESTS}?fields=nothing").json() == [{}]
    assert creator.get(f"{QUESTS}?fields=description").json() == [{"description": quest.description}]
    assert creator.get(f"{QUESTS}/{quest.id}?fields=description").json() == {"description": quest.description}
    whole = creator.get(f"{QUESTS}/{quest.id}").json()
    assert creator.get(f"{QUESTS}?strong=true").json() == [whole]


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("status=COMPLETED", "/query/status"),
        ("category=sports", "/query/category"),
        ("sort=oldest", "/query/sort"),
        ("limit=101", "/query/limit"),
        ("creator=", "/query/creator"),
    ],
)
def test_a_wrong_filter_is_named(creator, query, pointer):
    answer = creator.get(f"{QUESTS}?{query}")
    assert (answer.status_code, pointers(answer)) == (400, [pointer])


@pytest.mark.parametrize(
    "query", ["creator=me&performer=me", "creator=me&sort=newest", "performer=me&category=civic"]
)
def test_filters_that_no_index_serves_are_refused(creator, query):
    assert creator.get(f"{QUESTS}?{query}").status_code == 400


@pytest.mark.parametrize(
    "query",
    ["", "?limit=100", "?sort=reward", "?creator=me&limit=100", "?performer=me", "?creator=me&status=OPEN"],
)
def test_a_list_costs_one_request_and_one_for_the_session(creator, query):
    offered(), claimed()
    with metering.metered() as meter:
        assert creator.get(QUESTS + query).status_code == 200
    assert meter.requests == 2


def test_a_list_costs_one_request_and_one_for_the_token(db):
    offered()
    token = services.make(CREATOR, "Program", ["quests:read"], 30).text
    program = Program(token=token)
    program.get(QUESTS)
    with metering.metered() as meter:
        assert len(program.get(f"{QUESTS}?limit=100").json()["items"]) == 1
    assert meter.requests == 2


def test_a_guest_and_a_stranger_see_no_quests(program):
    offered()
    assert program("guest").get(QUESTS).status_code == 403
    assert Program().get(QUESTS).status_code == 401
