"""A unique value that is the receipt of the request that took it: no row of its own, and the same answers."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from core.dynamo import guards, maintenance, metering, queries, trash
from core.dynamo.actors import Actor
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import AlreadyExists, KeyReused, Replayed
from core.dynamo.guards import UniqueGuard
from core.dynamo.idempotency import IdempotencyKey, IdempotencyRow
from core.dynamo.support_table import SupportItem
from tests.core.dynamo.counted import Ticket, tickets
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")
GUARD = {"PK": {"S": "UNIQUE#ticket#seat#A1"}, "SK": {"S": "GUARD"}}


def once(key: str = "k1", *, sub: str = "alice", **payload: Any) -> IdempotencyKey:
    return IdempotencyKey(sub, "tickets", key, payload, answer={"key": "1"})


def take(actor: Actor, request: IdempotencyKey | None = None, *, key: str = "1") -> Ticket:
    return tickets.create(Ticket(id=key, seat="A1"), actor=actor, once=request)


def stored_guard() -> UniqueGuard:
    found = queries.get(UniqueGuard, GUARD, strong=True)
    assert found is not None
    return found


def let_the_receipt_expire() -> None:
    maintenance.request(
        "UpdateItem",
        TableName=SupportItem.Meta.table_name,
        Key=GUARD,
        UpdateExpression="SET expiresAt = :then",
        ExpressionAttributeValues={":then": {"S": to_iso(now() - timedelta(milliseconds=1))}},
    )


def test_it_takes_the_place_of_a_row(alice: Actor) -> None:
    with metering.metered() as cost:
        take(alice, once())

    assert queries.get(IdempotencyRow, once().operation().key, strong=True) is None
    assert cost.units == 2 + 2 + 2 + 1, "record, guard, history with its index"


def test_the_second_time_the_first_answer_is_given(alice: Actor) -> None:
    take(alice, once())

    with pytest.raises(Replayed) as replay:
        take(alice, once(), key="2")
    assert replay.value.answer == {"key": "1"}


def test_the_same_request_with_other_contents_is_refused(alice: Actor) -> None:
    take(alice, once())

    with pytest.raises(KeyReused) as refused:
        take(alice, once(row=2))
    assert refused.value.answer == {"key": "1"}


@pytest.mark.parametrize("other", [None, once("k2"), once(sub="bob")])
def test_for_any_other_request_the_value_is_taken(alice: Actor, other: IdempotencyKey | None) -> None:
    take(alice, once())

    with pytest.raises(AlreadyExists) as refused:
        take(alice, other, key="2")
    assert refused.value.field == "seat"


def test_a_record_without_the_value_has_a_row(alice: Actor) -> None:
    tickets.create(Ticket(id="1"), actor=alice, once=once())

    with pytest.raises(Replayed):
        tickets.create(Ticket(id="2"), actor=alice, once=once())


def test_of_8_at_once_one_takes_it_and_the_others_are_told_so(alice: Actor) -> None:
    def send(number: int) -> str:
        try:
            return take(alice, once(), key=str(number)).id
        except Replayed:
            return "replayed"

    answers = at_once(send, 8)

    assert answers.count("replayed") == 7


def test_after_a_day_the_value_is_taken_also_for_the_same_request(alice: Actor) -> None:
    take(alice, once())
    let_the_receipt_expire()

    with pytest.raises(AlreadyExists):
        take(alice, once(), key="2")


def test_a_value_that_was_released_still_answers_the_request_that_took_it(alice: Actor) -> None:
    tickets.delete(take(alice, once()), actor=alice)

    with pytest.raises(Replayed):
        take(alice, once())
    with pytest.raises(KeyReused):
        take(alice, once(row=2))


class TestAReleasedValue:
    @pytest.fixture(autouse=True)
    def released(self, db: object, alice: Actor) -> None:
        tickets.delete(take(alice, once()), actor=alice)

    def test_belongs_to_nobody_and_is_cleaned_up_after_a_day(self) -> None:
        guard = stored_guard()

        assert guard.owner is None
        assert timedelta(hours=23) < guard.ttl - now() <= timedelta(hours=24)
        assert guards.owners_of("ticket", "seat", ["A1"]) == {}

    @pytest.mark.parametrize("other", [None, once("k2")])
    def test_may_be_taken_by_another_request_and_does_not_expire_then(
        self, alice: Actor, other: IdempotencyKey | None
    ) -> None:
        take(alice, other, key="2")

        assert (stored_guard().owner, stored_guard().ttl) == ("2", None)
        with pytest.raises(AlreadyExists):
            take(alice, once("k3"), key="3")

    def test_may_be_taken_by_its_own_request_after_a_day(self, alice: Actor) -> None:
        let_the_receipt_expire()

        assert take(alice, once()).seat == "A1"

    def test_is_taken_back_with_its_receipt_by_a_record_that_comes_back(self, alice: Actor) -> None:
        trashed = trash.of_record("ticket", "1")
        assert trashed is not None
        tickets.restore(trashed.trash_id, actor=alice)

        assert (stored_guard().owner, stored_guard().ttl) == ("1", None)
        with pytest.raises(Replayed):
            take(alice, once())
        with pytest.raises(KeyReused):
            take(alice, once(row=2))

    def test_is_left_alone_by_guards_repair(self) -> None:
        out = StringIO()
        call_command("guards", "repair", stdout=out)

        assert out.getvalue().startswith("0 unique values released")
        assert stored_guard().owner is None


def test_a_record_that_changes_its_value_frees_the_earlier_one(alice: Actor) -> None:
    tickets.update(take(alice, once()), {"seat": "B2"}, actor=alice)

    assert guards.owners_of("ticket", "seat", ["A1", "B2"]) == {"B2": "1"}
    take(alice, once("k2"), key="2")


class TestAGuardOfBefore:
    """Without a receipt."""

    @pytest.fixture
    def ticket(self, db: object, alice: Actor) -> Ticket:
        ticket = take(alice)
        raw = {**GUARD, "owner": {"S": "1"}}
        maintenance.request("PutItem", TableName=SupportItem.Meta.table_name, Item=raw)
        return ticket

    def test_keeps_its_value(self, ticket: Ticket, alice: Actor) -> None:
        with pytest.raises(AlreadyExists):
            take(alice, once(), key="2")

    def test_is_released_with_its_record(self, ticket: Ticket, alice: Actor) -> None:
        tickets.delete(ticket, actor=alice)

        assert take(alice, once(), key="2").id == "2"
