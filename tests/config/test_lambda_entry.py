"""What AWS Lambda calls with the changes of a stream."""

import base64
from collections.abc import Iterator
from datetime import timedelta
from itertools import chain, repeat
from typing import Any

import pytest

from config.engines.dynoxide import Dynoxide
from config.lambda_entry import handler
from core.dynamo.errors import Unavailable
from core.dynamo.streams import Change, failures, handlers, metrics, on
from tests.core.dynamo.streamed import Notice
from tests.log_lines import lines, written

# When the changes of these tests were made, in seconds.
MADE = 1794848162.0
MINUTES = 60_000
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
            "ApproximateCreationDateTime": MADE,
            "Keys": {"id": {"S": key}},
            "NewImage" if event == "INSERT" else "OldImage": image,
            "SequenceNumber": str(number),
            "SizeBytes": 99,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
    } | more


class Lambda:
    """What is left of its time, told anew before each change but the first."""

    def __init__(self, *milliseconds: int) -> None:
        self._left: Iterator[int] = chain(milliseconds, repeat(2 * MINUTES))

    def get_remaining_time_in_millis(self) -> int:
        return next(self._left)


def call(*records: dict[str, Any], left: tuple[int, ...] = ()) -> list[str]:
    """The answer: from where on Lambda sends again."""
    answer = handler({"Records": list(records)}, Lambda(*left))
    return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]


def keys_of(changes: list[Change]) -> list[str]:
    return [change.image["id"]["S"] for change in changes]


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


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute after the changes were made."""
    at = Change.from_lambda(record(1, "a")).at + timedelta(minutes=1)
    for module in (failures, metrics):
        monkeypatch.setattr(module, "now", lambda: at)


@pytest.mark.usefixtures("soon")
class TestABatchThatIsHandledInPart:
    def test_is_sent_again_from_the_change_that_has_to_wait(self, changes: list[Change]) -> None:
        assert call(record(1, "a"), record(2, "down"), record(3, "c")) == ["2"]
        assert keys_of(changes) == ["a"]

    def test_is_sent_again_from_its_first_change_if_that_has_to_wait(self, changes: list[Change]) -> None:
        assert call(record(1, "down"), record(2, "b")) == ["1"]
        assert keys_of(changes) == []

    def test_is_sent_again_from_where_time_was_short(self, changes: list[Change]) -> None:
        """Else Lambda would end the function, and begin with the first change again, for ever."""
        batch = [record(1, "bad"), record(2, "b"), record(3, "c")]
        assert call(*batch, left=(40_000, 39_999)) == ["3"]
        assert keys_of(changes) == ["b"]
        assert call(*batch[2:], left=(0,)) == []
        assert keys_of(changes) == ["b", "c"]

    def test_is_sent_again_from_what_cannot_even_be_put_aside(
        self, changes: list[Change], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_arguments: object) -> None:
            raise KeyError

        monkeypatch.setattr(failures, "_put_aside", fail)
        assert call(record(1, "a"), record(2, "bad"), record(3, "c")) == ["2"]
        assert keys_of(changes) == ["a"]

    def test_and_comes_again_after_it_was_handled_doubles_nothing(self, changes: list[Change]) -> None:
        for _time in range(2):
            assert call(record(1, "bad"), record(2, "down")) == ["2"]
        assert [failure.sk for failure in failures.failed([Notice.Meta.table_name])] == ["1"]


def test_what_could_not_be_reached_for_half_a_day_is_put_aside(
    changes: list[Change], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = Change.from_lambda(record(1, "down")).at + timedelta(hours=12)
    monkeypatch.setattr(failures, "now", lambda: at)
    assert call(record(1, "down"), record(2, "b")) == []
    assert keys_of(changes) == ["b"]
    assert [failure.sk for failure in failures.failed([Notice.Meta.table_name])] == ["1"]


@pytest.mark.usefixtures("soon")
def test_the_age_of_the_oldest_change_and_what_was_put_aside_are_told(
    changes: list[Change], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STORE_METRICS = True
    monkeypatch.setattr(metrics, "_put_aside", 0)
    with written() as output:
        call(record(1, "bad"), record(2, "b"))
    (line,) = [line for line in lines(output) if line["event"] == "stream metrics"]
    assert (line["OldestChangeAge"], line["PutAside"], line["table"]) == (60.0, 1, Notice.Meta.table_name)


def test_a_change_that_cannot_be_handled_is_put_aside(db: Dynoxide, changes: list[Change]) -> None:
    assert call(record(1, "bad"), record(2, "b")) == []
    assert [change.image["id"]["S"] for change in changes] == ["b"]
    (failure,) = failures.failed([Notice.Meta.table_name])
    assert (failure.sk, failure.reason) == ("1", "ValueError: ")
    assert failure.change.image["photo"] == {"B": b"\0\1"}
