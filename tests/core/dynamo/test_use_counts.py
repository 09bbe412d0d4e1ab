"""Uses that are counted in shards: exact, never of a record that is not there, and gone with it."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from pynamodb.exceptions import CancellationReason, VerboseClientError

from core.dynamo import maintenance, metering, references, transactions, trash, use_counts
from core.dynamo.actors import Actor
from core.dynamo.errors import Conflict, InUse, Missing, NotFound
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.references import Reference
from core.dynamo.support_table import SupportItem
from tests.core.dynamo.counted import SHARDS, Hall, Ticket, halls, tickets
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def hall(db: object, alice: Actor) -> Hall:
    return halls.create(Hall(id="A"), actor=alice)


def ticket(actor: Actor, key: str, **fields: Any) -> Ticket:
    return tickets.create(Ticket(id=key, **{"hall": "A"} | fields), actor=actor)


def uses() -> int:
    return halls.uses_of(halls.get("A", strong=True))


def shards() -> dict[str, int]:
    found = use_counts.shards_of(halls, "A")
    return {shard: count for shard, count in found.items() if count is not None}


def raw_writes(*requests: dict[str, Any]) -> None:
    for request in requests:
        maintenance.request("PutItem", **request)


def as_before(alice: Actor) -> Ticket:
    """A ticket as it was stored when the hall itself counted its uses, and each of them had a row."""
    ticket(alice, "old")
    key = {"PK": {"S": "USES#hall#A"}, "SK": {"S": next(iter(shards()))}}
    maintenance.request("DeleteItem", TableName=SupportItem.Meta.table_name, Key=key)
    refs = halls.get("A", strong=True).stored | {"refs": {"N": "1"}}
    row = references.put_row(Reference("hall", to="hall"), "A", entity="ticket", key="old").item
    raw_writes(
        {"TableName": Hall.Meta.table_name, "Item": refs},
        {"TableName": SupportItem.Meta.table_name, "Item": row},
    )
    return tickets.get("old", strong=True)


def test_a_record_that_is_not_there_cannot_be_used(alice: Actor) -> None:
    with pytest.raises(Missing) as refused:
        ticket(alice, "1")

    assert (refused.value.field, refused.value.records) == ("hall", [("hall", "A")])
    assert shards() == {}


class TestCounting:
    def test_a_use_is_counted_beside_the_record_which_is_not_written(self, hall: Hall, alice: Actor) -> None:
        ticket(alice, "1")

        assert uses() == 1
        assert sum(shards().values()) == 1
        assert halls.get("A", strong=True).stored == hall.stored

    def test_the_first_use_of_a_shard_takes_two_tries_and_any_other_one(
        self, hall: Hall, alice: Actor
    ) -> None:
        with metering.metered() as first:
            ticket(alice, "1")
        tickets.delete(tickets.get("1", strong=True), actor=alice)
        with metering.metered() as second:
            ticket(alice, "1")

        assert first.operations == ["TransactWriteItems"] * 2
        assert second.operations == ["TransactWriteItems"]
        assert uses() == 1

    def test_one_without_a_row_writes_none(self, hall: Hall, alice: Actor) -> None:
        ticket(alice, "1")

        assert references.used_in("hall", "A").items == []

    def test_what_ends_to_be_used_is_counted_down_and_what_begins_up(self, hall: Hall, alice: Actor) -> None:
        halls.create(Hall(id="B"), actor=alice)
        moved = tickets.update(ticket(alice, "1"), {"hall": "B"}, actor=alice)
        assert (uses(), halls.uses_of(halls.get("B", strong=True))) == (0, 1)

        tickets.delete(moved, actor=alice)
        assert halls.uses_of(halls.get("B", strong=True)) == 0

    def test_40_at_once_of_which_some_are_deleted_or_moved_are_counted_exactly(
        self, hall: Hall, alice: Actor
    ) -> None:
        halls.create(Hall(id="B"), actor=alice)

        def use(number: int) -> None:
            mine = ticket(alice, f"ticket {number}")
            if number % 4 == 1:
                tickets.delete(mine, actor=alice)
            elif number % 4 == 2:
                tickets.update(mine, {"hall": "B"}, actor=alice)

        assert at_once(use, 40) == [None] * 40
        assert (uses(), halls.uses_of(halls.get("B", strong=True))) == (20, 10)

    def test_whoever_makes_a_shard_at_the_same_moment_is_counted_too(
        self, hall: Hall, alice: Actor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        same = [
            str(number)
            for number in range(100)
            if use_counts._shard_of(("ticket", str(number)), SHARDS) == "0"
        ]
        send = transactions.Transaction._send
        come = [same[1]]

        def another_comes_between(self: Any, operations: Any) -> None:
            if come and any(each.kind == "ConditionCheck" for each in operations):
                ticket(alice, come.pop())
            send(self, operations)

        monkeypatch.setattr(transactions.Transaction, "_send", another_comes_between)
        with metering.metered() as cost:
            ticket(alice, same[0])

        assert come == []
        assert cost.operations == ["TransactWriteItems"] * 5, "two of the other, three of its own"
        assert shards() == {"0": 2}

    def test_a_shard_is_made_also_while_others_check_the_record(
        self, hall: Hall, alice: Actor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """AWS may cancel for both reasons: the row is not there, and the record is in another transaction."""
        reasons = [CancellationReason("ConditionalCheckFailed"), CancellationReason("TransactionConflict")]
        send = transactions.Transaction._send
        canceled: list[bool] = []

        def conflicting(
            transaction: transactions.Transaction, operations: list[transactions.Operation]
        ) -> None:
            if canceled:
                return send(transaction, operations)
            canceled.append(True)
            operations.sort(key=lambda each: not each.unless_stored)
            answer = {"Error": {"Code": "TransactionCanceledException"}}
            raise VerboseClientError(answer, "TransactWriteItems", {}, cancellation_reasons=reasons)

        monkeypatch.setattr(transactions.Transaction, "_send", conflicting)
        ticket(alice, "1")

        assert uses() == 1

    @pytest.mark.parametrize("seed", range(5))
    def test_a_shard_whose_making_was_not_answered_counts_once(
        self, hall: Hall, alice: Actor, proxy: FaultProxy, seed: int
    ) -> None:
        proxy._random.seed(seed)
        proxy.faults = Faults(lost_answer=0.4)
        made = at_once(lambda number: ticket(alice, str(number)), 4)
        proxy.faults = Faults()

        assert proxy.injected["lost_answer"] > 0
        stored = tickets.get_many([str(number) for number in range(4)], strong=True)
        assert uses() == len(stored)
        assert all(str(number) in stored for number, each in enumerate(made) if isinstance(each, Ticket))


@pytest.mark.parametrize("made_before", [True, False])
def test_a_use_that_begins_after_the_look_stops_it(
    hall: Hall, alice: Actor, monkeypatch: pytest.MonkeyPatch, made_before: bool
) -> None:
    if made_before:
        tickets.delete(ticket(alice, "1"), actor=alice)
    look = use_counts.shards_of

    def used_after_it(*arguments: Any) -> Any:
        monkeypatch.setattr(use_counts, "shards_of", look)
        found = look(*arguments)
        ticket(alice, "1")
        return found

    monkeypatch.setattr(use_counts, "shards_of", used_after_it)
    with pytest.raises(InUse):
        halls.delete(hall, actor=alice)
    assert uses() == 1


class TestDeleting:
    def test_what_is_used_cannot_be_deleted(self, hall: Hall, alice: Actor) -> None:
        ticket(alice, "1")

        with pytest.raises(InUse):
            halls.delete(hall, actor=alice)

    def test_what_is_no_longer_used_is_deleted_with_its_shards(self, hall: Hall, alice: Actor) -> None:
        for number in range(10):
            tickets.delete(ticket(alice, str(number)), actor=alice)
        assert set(shards().values()) == {0}

        halls.delete(halls.get("A", strong=True), actor=alice)

        assert shards() == {}
        with pytest.raises(Missing):
            ticket(alice, "late")

    def test_a_use_that_ends_after_the_look_is_no_use(
        self, hall: Hall, alice: Actor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mine = ticket(alice, "1")
        look = use_counts.shards_of

        def freed_after_it(*arguments: Any) -> Any:
            monkeypatch.setattr(use_counts, "shards_of", look)
            found = look(*arguments)
            tickets.delete(mine, actor=alice)
            return found

        monkeypatch.setattr(use_counts, "shards_of", freed_after_it)
        with pytest.raises(Conflict) as refused:
            halls.delete(hall, actor=alice, released=1)
        assert not isinstance(refused.value, InUse)

    def test_it_comes_back_used_by_nobody(self, hall: Hall, alice: Actor) -> None:
        old = as_before(alice)
        tickets.delete(old, actor=alice)
        stored = halls.get("A", strong=True)
        assert (stored.refs, shards(), uses()) == (1, {next(iter(shards())): -1}, 0)

        halls.delete(stored, actor=alice)
        trashed = trash.of_record("hall", "A")
        assert trashed is not None
        halls.restore(trashed.trash_id, actor=alice)

        assert (halls.get("A", strong=True).refs, uses()) == (None, 0)

    @pytest.mark.parametrize("round", range(5))
    def test_while_30_begin_to_use_it_either_nothing_is_left_or_both(
        self, hall: Hall, alice: Actor, round: int
    ) -> None:
        if round % 2:
            for number in range(12):
                tickets.delete(ticket(alice, f"before {number}"), actor=alice)
        at_once(lambda n: ticket(alice, str(n)) if n else halls.delete(hall, actor=alice), 31)

        stored = tickets.get_many([str(number) for number in range(31)], strong=True)
        try:
            assert uses() == len(stored) == 30
        except NotFound:
            assert (stored, shards()) == ({}, {})


class TestWhatWasStoredBefore:
    """A count on the record itself, and a row for each reference."""

    def test_counts_together_with_the_shards(self, hall: Hall, alice: Actor) -> None:
        as_before(alice)
        ticket(alice, "new")

        assert uses() == 2
        with pytest.raises(InUse):
            halls.delete(halls.get("A", strong=True), actor=alice)

    def test_is_counted_down_in_a_shard(self, hall: Hall, alice: Actor) -> None:
        tickets.delete(as_before(alice), actor=alice)

        assert uses() == 0
        halls.delete(halls.get("A", strong=True), actor=alice)

    def test_loses_its_row_to_guards_repair_and_no_count(self, hall: Hall, alice: Actor) -> None:
        as_before(alice)
        ticket(alice, "new")

        assert repaired() == "0 unique values released, 1 references removed, 0 counts corrected.\n"

        assert (references.used_in("hall", "A").items, uses()) == ([], 2)
        assert repaired() == "0 unique values released, 0 references removed, 0 counts corrected.\n"


def repaired() -> str:
    out = StringIO()
    call_command("guards", "repair", stdout=out)
    return out.getvalue()


def vanish(*records: Any) -> None:
    """As by another program, and nobody reads the stream."""
    for record in records:
        transactions.send(transactions.delete(type(record), record.raw_key()))


class TestRepair:
    def test_counts_the_records_themselves_where_there_are_no_rows(self, hall: Hall, alice: Actor) -> None:
        vanish(ticket(alice, "gone"))
        ticket(alice, "there")
        assert uses() == 2

        assert repaired() == "0 unique values released, 0 references removed, 1 counts corrected.\n"

        assert uses() == 1

    def test_removes_the_shards_of_what_is_gone(self, hall: Hall, alice: Actor) -> None:
        mine = ticket(alice, "1")
        vanish(mine, hall)

        assert repaired() == "0 unique values released, 0 references removed, 1 counts corrected.\n"

        assert shards() == {}

    def test_counts_a_use_that_begins_meanwhile(
        self, hall: Hall, alice: Actor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        vanish(ticket(alice, "gone"))
        count = references.count

        def another_begins_after_it_was_counted(entity: str, key: str) -> int:
            monkeypatch.setattr(references, "count", count)
            counted = count(entity, key)
            ticket(alice, "new")
            return counted

        monkeypatch.setattr(references, "count", another_begins_after_it_was_counted)
        repaired()

        assert references.count is count
        assert uses() == 1
