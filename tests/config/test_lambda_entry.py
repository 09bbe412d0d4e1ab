"""What AWS Lambda calls with the changes of a stream."""

import base64
from typing import Any

import pytest

from config.engines.dynoxide import Dynoxide
from config.lambda_entry import handler
from core.dynamo.errors import Unavailable
from core.dynamo.streams import Change, failures, handlers, on
from tests.core.dynamo.streamed import Notice

EXPIRED = {"type": "Service", "principalId": "dynamodb.amazonaws.com"}
pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def changes(monkeypatch: pytest.MonkeyPatch) -> list[Change]:
    """What was handled; the record `bad` cannot be, and for `down` something cannot be reached."""
    handlers.discover()
    monkeypatch.setattr(handlers, "_on", {})
    monkeypatch.setattr(failures, "FIRST_PAUSE", 0)
    seen: list[Change] = []

    @on("notice", "INSERT", "REMOVE")
    def see(change: Change) -> None:
        match change.image["id"]["S"]:
            case "bad":
                raise ValueError
            case "down":
                raise Unavailable
        seen.append(change)

    return seen


def record(number: int, key: str, event: str = "INSERT", **more: Any) -> dict[str, Any]:
    """As in AWS's own documentation of the event."""
    image = {"id": {"S": key}, "title": {"S": "x"}, "photo": {"B": base64.b64encode(b"\0\1").decode()}}
    return {
        "eventID": f"event-{number}",
        "eventName": event,
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "eu-central-1",
        "eventSourceARN": f"arn:aws:dynamodb:eu-central-1:123456789012:table/{Notice.Meta.table_name}"
        "/stream/2026-11-16T00:00:00.000",
        "dynamodb": {
            "ApproximateCreationDateTime": 1794848162.0,
            "Keys": {"id": {"S": key}},
            "NewImage" if event == "INSERT" else "OldImage": image,
            "SequenceNumber": str(number),
            "SizeBytes": 99,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
    } | more


def call(*records: dict[str, Any]) -> list[str]:
    """The answer: from where on Lambda sends again."""
    answer = handler({"Records": list(records)}, None)
    return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]


def test_changes_reach_their_handlers_as_from_the_worker(db: Dynoxide, changes: list[Change]) -> None:
    assert (
        call(record(1, "a"), record(2, "b", "REMOVE", userIdentity=EXPIRED), record(3, "c", "REMOVE")) == []
    )
    inserted, expired, removed = changes
    assert (inserted.table, inserted.event, inserted.sequence_number) == (
        Notice.Meta.table_name,
        "INSERT",
        "1",
    )
    assert inserted.at.isoformat() == "2026-11-16T16:56:02+00:00"
    assert inserted.before is None
    assert inserted.after == {"id": {"S": "a"}, "title": {"S": "x"}, "photo": {"B": b"\0\1"}}
    assert [change.has_expired for change in changes] == [False, True, False]
    assert expired.before == removed.before | {"id": {"S": "b"}}  # type: ignore[operator]


def test_a_change_that_has_to_wait_and_all_after_it_are_sent_again(
    db: Dynoxide, changes: list[Change]
) -> None:
    assert call(record(1, "a"), record(2, "down"), record(3, "c")) == ["2"]
    assert [change.image["id"]["S"] for change in changes] == ["a"]


def test_a_change_that_cannot_be_handled_is_put_aside(db: Dynoxide, changes: list[Change]) -> None:
    assert call(record(1, "bad"), record(2, "b")) == []
    assert [change.image["id"]["S"] for change in changes] == ["b"]
    (failure,) = failures.failed([Notice.Meta.table_name])
    assert (failure.sk, failure.reason) == ("1", "ValueError: ")
    assert failure.change.image["photo"] == {"B": b"\0\1"}
