"""What is counted in shards, and a guard that is a receipt, end with a record that expires."""

from datetime import timedelta

import pytest

from config.engines.dynoxide import Dynoxide
from core.dynamo import guards, maintenance, use_counts
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.errors import Replayed
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.streams import handlers, source
from tests.core.dynamo.counted import Hall, Ticket, halls, tickets
from tests.core.dynamo.streamed import run

LATER = timedelta(hours=1)


def expiring(actor: Actor) -> Ticket:
    return tickets.create(Ticket(id="1", hall="A", expires=now() - LATER), actor=actor)


@pytest.fixture(autouse=True)
def hall(streaming: Dynoxide, alice: Actor) -> None:
    halls.create(Hall(id="A"), actor=alice)


def uses() -> int:
    return halls.uses_of(halls.get("A", strong=True))


def test_uses_end_once_with_a_record_that_expires(streaming: Dynoxide, alice: Actor) -> None:
    expiring(alice)
    streaming.sweep()
    (shard,) = source.shards_of(source.stream_of(Ticket.Meta.table_name))
    for _time in range(2):
        for change in source.read(shard, source.iterator_after(shard, None)).changes:
            handlers.handle(change)

    assert uses() == 0


def test_uses_of_a_successor_stay(streaming: Dynoxide, alice: Actor, bob: Actor) -> None:
    expiring(alice)
    streaming.sweep()
    tickets.create(Ticket(id="1", hall="A"), actor=bob)
    run()

    assert uses() == 1


def test_uses_that_a_person_ended_are_not_counted_down_again(alice: Actor) -> None:
    tickets.delete(tickets.create(Ticket(id="1", hall="A"), actor=alice), actor=alice)
    run()

    assert uses() == 0


def test_uses_go_with_what_they_were_of(streaming: Dynoxide, alice: Actor) -> None:
    tickets.create(Ticket(id="1", hall="A"), actor=alice)
    maintenance.request("DeleteItem", TableName=Hall.Meta.table_name, Key={"id": {"S": "A"}})
    run()

    assert set(use_counts.shards_of(halls, "A").values()) == {None}


def test_a_value_that_was_a_receipt_is_free_and_answers_on(streaming: Dynoxide, alice: Actor) -> None:
    once = IdempotencyKey("alice", "tickets", "k1", {})
    tickets.create(Ticket(id="1", seat="A1", expires=now() - LATER), actor=alice, once=once)
    streaming.sweep()
    run()

    with pytest.raises(Replayed):
        tickets.create(Ticket(id="2", seat="A1"), actor=alice, once=once)
    tickets.create(Ticket(id="2", seat="A1"), actor=alice)
    assert guards.owners_of("ticket", "seat", ["A1"]) == {"A1": "2"}
