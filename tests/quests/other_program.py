"""Two hundred items as the document of CivicForge shows them, and its updates, written without our code."""

from collections.abc import Mapping
from typing import Any

from core.dynamo import maintenance
from quests.models import COMPLETE, Account, FailedReward, Quest
from tests.other_programs import RawItem, item, store

PEOPLE = 20
TABLES = {
    "user": Account.Meta.table_name,
    "quest": Quest.Meta.table_name,
    "reward": FailedReward.Meta.table_name,
}
STATUSES = ("OPEN", "CLAIMED", "SUBMITTED", COMPLETE, "DISPUTED", "EXPIRED")
AT = "2025-11-{:02d}T10:30:{:02d}.123456+00:00"


def user(number: int, **more: Any) -> dict[str, Any]:
    return {
        "userId": f"user-{number:02d}",
        "username": f"citizen{number:02d}",
        "reputation": 10 * number,
        "experience": 100 * number,
        "questCreationPoints": 10 - number % 5,
        "createdAt": AT.format(1, number),
        "updatedAt": AT.format(2, number),
        **({"processedRewardIds": {f"reward-{number:03d}", f"older-{number:03d}"}} if number % 2 else {}),
        **more,
    }


def quest(number: int, status: str = "", **more: Any) -> dict[str, Any]:
    status = status or STATUSES[number % len(STATUSES)]
    creator, performer = f"user-{number % PEOPLE:02d}", f"user-{(number + 1) % PEOPLE:02d}"
    fields: dict[str, Any] = {
        "questId": f"quest-{number:03d}",
        "title": f"Clean up street {number}",
        "description": "Collect what lies between the bridge and the mill.",
        "status": status,
        "creatorId": creator,
        "rewardXp": 100,
        "rewardReputation": 10,
        "attestations": [],
        "hasRequestorAttestation": False,
        "hasPerformerAttestation": False,
        "submissionText": None,
        "createdAt": AT.format(1 + number % 28, number % 60),
        "updatedAt": AT.format(1 + number % 28, number % 60),
    }
    if status not in ("OPEN", "EXPIRED"):
        fields |= {"performerId": performer, "claimedAt": AT.format(28, number % 60)}
    if status in ("SUBMITTED", "DISPUTED", COMPLETE):
        fields |= {"submissionText": "Twelve bags of it", "submittedAt": AT.format(29, number % 60)}
    if status == "DISPUTED":
        fields |= {"disputeReason": "Half of it is still there."}
    if status == COMPLETE:
        attested = AT.format(30, number % 60)
        fields |= {
            "attestations": [
                {"user_id": creator, "role": "requestor", "attested_at": attested},
                {"user_id": performer, "role": "performer", "attested_at": attested, "signature": "0x12"},
            ],
            "attesterIds": {creator, performer},
            "hasRequestorAttestation": True,
            "hasPerformerAttestation": True,
            "completedAt": attested,
        }
    return fields | more


def reward(number: int, status: str = "pending", **more: Any) -> dict[str, Any]:
    return {
        "recordId": f"reward-{number:03d}",
        "userId": f"user-{number % PEOPLE:02d}",
        "questId": f"quest-{number:03d}",
        "xp": 100,
        "reputation": 10,
        "error": "ProvisionedThroughputExceededException",
        "status": status,
        "createdAt": AT.format(30, number % 60),
        "retryCount": 0,
        **more,
    }


def items() -> dict[str, list[dict[str, Any]]]:
    """By table: 20 people, 150 quests, 30 failed rewards."""
    return {
        "user": [user(number) for number in range(PEOPLE)],
        "quest": [quest(number) for number in range(150)],
        "reward": [reward(number, "pending" if number % 3 else "completed") for number in range(30)],
    }


def write() -> dict[str, list[RawItem]]:
    """All of them, straight into the tables."""
    return {kind: store(TABLES[kind], values) for kind, values in items().items()}


def award(user_id: str, reward_id: str, *, xp: int, reputation: int) -> None:
    """Idempotent reward processing, by the expression of the document."""
    values = {":xp": xp, ":rep": reputation, ":now": "2026-11-19T12:00:00.000000+00:00", ":id": reward_id}
    update(
        "user",
        {"userId": user_id},
        "ADD experience :xp, reputation :rep, processedRewardIds :set SET updatedAt = :now",
        {**values, ":set": {reward_id}},
        ConditionExpression="NOT contains(processedRewardIds, :id)",
    )


def update(
    kind: str, key: Mapping[str, str], expression: str, values: Mapping[str, Any], **options: Any
) -> None:
    maintenance.request(
        "UpdateItem",
        TableName=TABLES[kind],
        Key=item(key),
        UpdateExpression=expression,
        ExpressionAttributeValues=item(values),
        **options,
    )
