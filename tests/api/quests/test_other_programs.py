"""Quests and accounts that hold only what their document names, written by another program."""

from datetime import timedelta

import pytest
from django.utils.timezone import localdate

from core.dynamo.attributes import unwrap
from core.dynamo.connection import connection
from core.dynamo.items import new_id
from quests.models import Account, Quest
from tests.quests.board import BYSTANDER, CREATOR, PERFORMER

QUESTS = "/api/v1/quests"
KEY = new_id()
STORED = {
    "questId": {"S": KEY},
    "title": {"S": "Clean up the riverside"},
    "description": {"S": "Collect what lies between the bridge and the mill."},
    "status": {"S": "OPEN"},
    "creatorId": {"S": CREATOR.sub},
    "performerId": {"NULL": True},
    "rewardXp": {"N": "100"},
    "rewardReputation": {"N": "10"},
    "attestations": {"L": []},
    "hasRequestorAttestation": {"BOOL": False},
    "hasPerformerAttestation": {"BOOL": False},
    "createdAt": {"S": "2026-03-05T17:04:12+00:00"},
    "updatedAt": {"S": "2026-03-05T17:04:12+00:00"},
}
TOLD = {name: unwrap(value) for name, value in STORED.items()} | {
    "createdAt": "2026-03-05T17:04:12.000Z",
    "updatedAt": "2026-03-05T17:04:12.000Z",
}


def store(model, item):
    connection().dispatch("PutItem", {"TableName": model.Meta.table_name, "Item": item})


@pytest.fixture
def quest():
    """An index key cannot be NULL, so whoever has that index leaves the performer out."""
    store(Quest, {name: value for name, value in STORED.items() if name != "performerId"})
    return f"{QUESTS}/{KEY}"


def test_a_quest_is_told_as_it_is(bystander, quest):
    answer = bystander.get(quest)
    assert answer.json() | TOLD == answer.json()
    assert (answer["ETag"], answer.json()["version"], answer.json()["category"]) == ('"0"', None, "general")
    (listed,) = bystander.get(QUESTS).json()
    assert listed == {name: value for name, value in answer.json().items() if name in listed}


def test_a_quest_is_changed_claimed_and_given_back(creator, bystander, quest):
    sent = {"rewardXp": 300, "openUntil": (localdate() + timedelta(days=7)).isoformat()}
    changed = creator.patch(quest, sent, if_match='"0"')
    assert (changed.status_code, changed.json()["rewardXp"]) == (200, 300)
    assert creator.patch(quest, sent, if_match='"0"').status_code == 412
    claimed = bystander.post(f"{quest}/claim", {"version": changed.json()["version"]})
    assert (claimed.status_code, claimed.json()["performerId"]) == (200, BYSTANDER.sub)
    assert bystander.post(f"{quest}/release").json()["performerId"] is None


def test_an_account_is_told_as_it_is(performer):
    stored = {
        "userId": {"S": PERFORMER.sub},
        "username": {"S": "milan"},
        "reputation": {"N": "40"},
        "experience": {"N": "250"},
        "questCreationPoints": {"N": "7"},
        "processedRewardIds": {"SS": ["one", "two"]},
        "createdAt": {"S": "2026-03-05T17:04:12+00:00"},
        "updatedAt": {"S": "2026-03-05T17:04:12+00:00"},
    }
    store(Account, stored)
    told = performer.get(f"{QUESTS}/users/me").json()
    named = {
        name: unwrap(value)
        for name, value in stored.items()
        if name not in ("processedRewardIds", "createdAt", "updatedAt")
    }
    assert told | named == told
    assert (told["createdAt"], told["questsCreated"]) == ("2026-03-05T17:04:12.000Z", 0)
    assert "processedRewardIds" not in told
