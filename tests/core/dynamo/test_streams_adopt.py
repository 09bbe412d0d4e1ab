"""The stream brings in what another program writes, and never follows our own writes."""

from typing import Any

import pytest

from config.engines.dynoxide import Dynoxide
from core.dynamo import guards, history, maintenance, references
from core.dynamo.actors import Actor
from core.dynamo.items import RawItem
from core.dynamo.streams import arrivals, source
from core.dynamo.streams.handlers import concerns_somebody
from tests.core.dynamo.found import titles
from tests.core.dynamo.streamed import Board, Notice, boards, notices, run

TABLE = Notice.Meta.table_name


@pytest.fixture(autouse=True)
def two_boards(streaming: Dynoxide, alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "adopts", True)
    for name in ("hall", "gym"):
        boards.create(Board(id=name), actor=alice)


def put(key: str = "n1", *, title: str = "Lost keys", slug: str = "keys", board: str = "hall") -> None:
    """A notice as another program writes it: with nothing of ours."""
    item: RawItem = {
        "id": {"S": key},
        "title": {"S": title},
        "slug": {"S": slug},
        "boardIds": {"L": [{"S": board}]},
    }
    maintenance.request("PutItem", TableName=TABLE, Item=item)


def change(**values: Any) -> None:
    """What the other program changes of a notice, which keeps what is ours."""
    updates = {name: {"Value": value} for name, value in values.items()}
    maintenance.request("UpdateItem", TableName=TABLE, Key={"id": {"S": "n1"}}, AttributeUpdates=updates)


def uses() -> list[int]:
    return [int(boards.get(name, strong=True).refs or 0) for name in ("hall", "gym")]


def waiting() -> list[str]:
    """The changes of the stream that somebody has to handle."""
    (shard,) = source.shards_of(source.stream_of(TABLE))
    read = source.read(shard, source.iterator_after(shard, None))
    return [each.event for each in read.changes if concerns_somebody(each)]


def test_what_arrives_is_found_and_counted() -> None:
    put()
    run()

    assert (titles("keys"), uses()) == (["Lost keys"], [1, 0])
    assert guards.owners_of("notice", "slug", ["keys"]) == {"keys": "n1"}
    assert notices.get("n1", strong=True).version == 0


def test_what_the_other_program_changes_is_followed() -> None:
    put()
    run()
    change(title={"S": "Found a glove"}, slug={"S": "glove"}, boardIds={"L": [{"S": "gym"}]})
    run()

    assert (titles("keys"), titles("glove"), uses()) == ([], ["Found a glove"], [0, 1])
    assert guards.owners_of("notice", "slug", ["keys", "glove"]) == {"glove": "n1"}
    assert references.used_in("board", "hall").items == []


def test_a_record_that_it_writes_anew_is_followed(alice: Actor) -> None:
    notices.create(Notice(id="n1", title="Lost keys", slug="keys", board_ids=["hall"]), actor=alice)
    put(title="Found keys", board="gym")
    run()

    assert (titles("lost"), titles("keys"), uses()) == ([], ["Found keys"], [0, 1])


def test_of_two_records_with_one_address_the_second_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    put()
    put("n2", title="Found keys")
    run()

    assert titles("keys") == ["Lost keys", "Found keys"] or titles("keys") == ["Found keys", "Lost keys"]
    (told,) = [record for record in caplog.records if "not_adopted" in record.getMessage()]
    assert "slug “keys” belongs to n1" in told.getMessage()


def test_a_record_that_is_gone_again_is_no_failure() -> None:
    put()
    maintenance.request("DeleteItem", TableName=TABLE, Key={"id": {"S": "n1"}})
    run()

    assert (titles("keys"), uses()) == ([], [0, 0])


def test_our_own_writes_concern_nobody(alice: Actor) -> None:
    """So that no write leads to another one without end."""
    put()
    assert waiting() == ["INSERT"]
    run()
    seen = notices.get("n1", strong=True)
    seen = notices.update(seen, {"title": "Found keys"}, actor=alice)
    notices.update(seen, {"board_ids": []}, actor=alice)
    notices.create(Notice(id="n2", title="Lost glove", slug="glove", board_ids=["hall"]), actor=alice)

    assert waiting() == ["INSERT"]


def test_a_change_of_the_other_program_is_a_version_with_its_place_in_the_history() -> None:
    put()
    run()
    change(title={"S": "Found a glove"}, updatedAt={"S": "2026-02-02T02:02:02.000Z"})
    (shard,) = source.shards_of(source.stream_of(TABLE))
    later = source.read(shard, source.iterator_after(shard, None)).changes[-1]
    arrivals.adopt(notices, later)
    run()

    assert notices.get("n1", strong=True).version == 1
    (entry,) = history.entries("notice", "n1", strong=True).items
    assert (entry.verb, entry.actor_name, entry.fields) == ("update", "Another program", ["title"])
    assert waiting() == ["INSERT", "MODIFY"]


def test_a_record_that_is_written_anew_has_a_later_version_than_before(alice: Actor) -> None:
    seen = notices.create(Notice(id="n1", title="Lost keys", slug="keys", board_ids=["hall"]), actor=alice)
    put(title="Found keys")
    run()

    assert notices.get("n1", strong=True).version == seen.version + 1


def test_a_change_that_is_handled_twice_counts_once() -> None:
    put()
    (shard,) = source.shards_of(source.stream_of(TABLE))
    (arrival,) = source.read(shard, source.iterator_after(shard, None)).changes

    arrivals.adopt(notices, arrival)
    arrivals.adopt(notices, arrival)

    assert uses() == [1, 0]
