"""What expires leaves nothing behind; what a person deletes can come back while the trash has it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from config.engines.dynoxide import Dynoxide
from core.dynamo import (
    guards,
    history,
    maintenance,
    queries,
    references,
    search,
    sweep,
    tables,
    trash,
    working_copies,
)
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.items import RawItem
from core.dynamo.registry import repositories
from core.dynamo.streams import handlers, leftovers, source
from core.dynamo.support_table import SupportItem
from core.dynamo.working_copies import WorkingCopy
from tests.core.dynamo.library import everybody_may
from tests.core.dynamo.streamed import Board, Notice, boards, notices, run

SUPPORT = SupportItem.Meta.table_name
LATER = timedelta(hours=1)


@pytest.fixture(autouse=True)
def two_boards(streaming: Dynoxide, alice: Actor) -> None:
    for name in ("hall", "gym"):
        boards.create(Board(id=name), actor=alice)


def pin(actor: Actor, *, title: str = "Lost keys", expired: bool = True, **fields: Any) -> Notice:
    """A notice on both boards; one that has expired is still there until the engine sweeps."""
    expires = now() - LATER if expired else now() + LATER
    given = {"slug": "keys", "board_ids": ["hall", "gym"]} | fields
    return notices.create(Notice(id="n1", title=title, expires=expires, **given), actor=actor)


def edit(actor: Actor, notice: Notice) -> WorkingCopy:
    return working_copies.save(
        entity="notice",
        key="n1",
        label="Lost keys",
        values={"title": "Found keys"},
        seen_version=0,
        based_on=notice.seen_version,
        actor=actor,
    )


def beside() -> dict[str, set[str]]:
    """What is stored beside the notice, by kind."""
    found: dict[str, set[str]] = {}
    for page in maintenance.scan(TableName=SUPPORT):
        for item in page["Items"]:
            kind = item["PK"]["S"].partition("#")[0]
            if kind in ("WORD", "UNIQUE", "REF", "COPY", "TRASH"):
                found.setdefault(kind, set()).add(item["SK"]["S"].partition("#")[0])
    return found


def uses() -> list[int]:
    return [int(boards.get(name, strong=True).refs or 0) for name in ("hall", "gym")]


def verbs() -> list[tuple[str, str]]:
    entries = history.entries("notice", "n1", strong=True).items
    return [(entry.verb, entry.actor_name) for entry in entries]


def expire_trash(streaming: Dynoxide) -> None:
    """Let the thirty days of everything in the trash be over."""
    for page in maintenance.scan(TableName=SUPPORT):
        for item in page["Items"]:
            if trash.is_image(item):
                _let_expire(item)
    assert streaming.sweep() > 0


def _let_expire(item: RawItem) -> None:
    maintenance.request(
        "UpdateItem",
        TableName=SUPPORT,
        Key={"PK": item["PK"], "SK": item["SK"]},
        UpdateExpression="SET #ttl = :over",
        ExpressionAttributeNames={"#ttl": "TTL"},
        ExpressionAttributeValues={":over": {"N": str(int((now() - LATER).timestamp()))}},
    )


def test_a_record_that_expires_leaves_nothing_behind_but_its_history(
    streaming: Dynoxide, alice: Actor
) -> None:
    edit(alice, pin(alice))
    assert beside() == {"WORD": {"lost", "keys"}, "UNIQUE": {"GUARD"}, "REF": {"notice"}, "COPY": {"COPY"}}
    assert streaming.sweep() == 1

    run()

    assert beside() == {}
    assert uses() == [0, 0]
    assert verbs() == [("expire", "Fieldhouse"), ("create", "Alice Ahrens")]
    for name in ("hall", "gym"):
        boards.delete(boards.get(name, strong=True), actor=alice)


def test_another_record_may_have_its_values_afterwards(streaming: Dynoxide, alice: Actor) -> None:
    pin(alice)
    streaming.sweep()
    run()
    notices.create(Notice(id="n2", title="More keys", slug="keys"), actor=alice)
    assert [hit.key for hit in search.search("keys", ["cms"], may_see=everybody_may).hits] == ["n2"]


def test_what_another_program_deleted_is_cleaned_up_as_well(streaming: Dynoxide, alice: Actor) -> None:
    edit(alice, pin(alice, expired=False))
    maintenance.request("DeleteItem", TableName=Notice.Meta.table_name, Key={"id": {"S": "n1"}})
    run()
    assert beside() == {}
    assert uses() == [0, 0]
    assert verbs() == [("create", "Alice Ahrens")]


def test_what_the_sweep_of_an_operator_deleted_is_cleaned_up_as_well(
    streaming: Dynoxide, alice: Actor
) -> None:
    pin(alice)
    assert sweep.delete_if_expired(
        tables.spec_of(Notice.Meta.table_name), {"id": {"S": "n1"}}, now=int(now().timestamp())
    )
    run()
    assert beside() == {}


class TestAPersonsDelete:
    def test_leaves_the_working_copy_for_an_undo(self, streaming: Dynoxide, alice: Actor) -> None:
        notice = pin(alice, expired=False)
        edit(alice, notice)
        notices.delete(notice, actor=alice)

        run()

        assert beside() == {"COPY": {"COPY"}, "TRASH": {notice_image()}}
        notices.restore(notice_image(), actor=alice)
        run()
        copy = working_copies.get("notice", "n1")
        assert copy is not None
        assert copy.values == {"title": "Found keys"}
        assert uses() == [1, 1]

    def test_takes_the_working_copy_along_when_the_trash_is_emptied(
        self, streaming: Dynoxide, alice: Actor
    ) -> None:
        notice = pin(alice, expired=False)
        edit(alice, notice)
        notices.delete(notice, actor=alice)
        run()
        expire_trash(streaming)

        run()

        assert beside() == {}

    def test_keeps_the_working_copy_although_a_successor_expires(
        self, streaming: Dynoxide, alice: Actor, bob: Actor
    ) -> None:
        notice = pin(alice, expired=False)
        edit(alice, notice)
        notices.delete(notice, actor=alice)
        pin(bob)
        assert streaming.sweep() == 1

        run()

        assert beside() == {"COPY": {"COPY"}, "TRASH": {notice_image()}}

    def test_that_was_undone_before_the_stream_is_read_harms_nothing(
        self, streaming: Dynoxide, alice: Actor
    ) -> None:
        notice = pin(alice, expired=False)
        notices.delete(notice, actor=alice)
        notices.restore(notice_image(), actor=alice)
        before = beside()

        run()

        assert beside() == before
        assert uses() == [1, 1]


class TestARecordOnTheWay:
    """It is in the trash when one looks at the table, and in the table when one looks into the trash."""

    @pytest.fixture
    def notice(self, streaming: Dynoxide, alice: Actor) -> Notice:
        return pin(alice, expired=False)

    def test_into_the_trash_is_not_gone(
        self, notice: Notice, alice: Actor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read = queries.get

        def delete_before(*arguments: Any, **options: Any) -> Any:
            monkeypatch.setattr(queries, "get", read)
            notices.delete(notice, actor=alice)
            return read(*arguments, **options)

        monkeypatch.setattr(queries, "get", delete_before)
        assert not leftovers.is_gone(notices, "n1")

    def test_out_of_the_trash_is_not_gone(
        self, notice: Notice, alice: Actor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        notices.delete(notice, actor=alice)
        read = queries.get

        def restore_after(*arguments: Any, **options: Any) -> Any:
            found = read(*arguments, **options)
            monkeypatch.setattr(queries, "get", read)
            notices.restore(notice_image(), actor=alice)
            return found

        monkeypatch.setattr(queries, "get", restore_after)
        assert not leftovers.is_gone(notices, "n1")


def notice_image() -> str:
    image = trash.of_record("notice", "n1")
    assert image is not None
    return image.trash_id


class TestASuccessorUnderTheSameKey:
    """Entered before the stream of its predecessor was read."""

    @pytest.fixture(autouse=True)
    def successor(self, streaming: Dynoxide, alice: Actor, bob: Actor) -> None:
        edit(alice, pin(alice))
        streaming.sweep()
        successor = pin(bob, title="Lost dog", expired=False, board_ids=["gym"])
        working_copies.save(
            entity="notice",
            key="n1",
            label="Lost dog",
            values={"title": "Found dog"},
            seen_version=int(working_copies.get("notice", "n1").version),  # type: ignore[union-attr]
            based_on=successor.seen_version,
            actor=bob,
        )

    def test_keeps_what_is_its_own(self, streaming: Dynoxide) -> None:
        run()
        assert beside() == {
            "WORD": {"lost", "dog"},
            "UNIQUE": {"GUARD"},
            "REF": {"notice"},
            "COPY": {"COPY"},
        }
        assert guards.owners_of("notice", "slug", ["keys"]) == {"keys": "n1"}
        assert [row.key for row in references.used_in("board", "gym").items] == ["n1"]
        assert references.used_in("board", "hall").items == []
        assert uses() == [0, 1]

    def test_keeps_it_when_the_stream_is_read_again(self, streaming: Dynoxide) -> None:
        read_all_again(2)
        assert uses() == [0, 1]
        assert [verb for verb, _name in verbs()].count("expire") == 1


def test_what_somebody_has_begun_to_type_under_the_same_key_stays(
    streaming: Dynoxide, alice: Actor, bob: Actor
) -> None:
    pin(alice)
    streaming.sweep()
    working_copies.save(
        entity="notice", key="n1", label="", values={"title": "A"}, seen_version=0, based_on=None, actor=bob
    )
    run()
    assert beside() == {"COPY": {"COPY"}}


def read_all_again(times: int) -> None:
    for _time in range(times):
        for change in all_changes():
            handlers.handle(change)


def all_changes() -> list[Any]:
    (shard,) = source.shards_of(source.stream_of(Notice.Meta.table_name))
    return source.read(shard, source.iterator_after(shard, None)).changes


def test_the_same_change_may_come_again_at_any_time(streaming: Dynoxide, alice: Actor, bob: Actor) -> None:
    pin(alice)
    streaming.sweep()
    read_all_again(2)
    assert uses() == [0, 0]

    pin(bob, expired=False)
    read_all_again(2)

    assert uses() == [1, 1]
    assert beside() == {"WORD": {"lost", "keys"}, "UNIQUE": {"GUARD"}, "REF": {"notice"}}


def test_a_successor_that_comes_in_between_is_seen(
    streaming: Dynoxide, alice: Actor, bob: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin(alice)
    streaming.sweep()
    read = leftovers._guards
    come: list[Callable[[], Notice]] = [lambda: pin(bob, expired=False)]

    def read_then_come(*arguments: Any) -> Any:
        found = list(read(*arguments))
        while come:
            come.pop()()
        return found

    monkeypatch.setattr(leftovers, "_guards", read_then_come)
    run()

    assert uses() == [1, 1]
    assert beside() == {"WORD": {"lost", "keys"}, "UNIQUE": {"GUARD"}, "REF": {"notice"}}


def test_what_others_own_or_is_gone_itself_does_not_stand_in_the_way(
    streaming: Dynoxide, alice: Actor
) -> None:
    pin(alice, slug="mine")
    notices.create(Notice(id="n2", title="Other", slug="keys"), actor=alice)
    # As if another program had written them.
    maintenance.request(
        "UpdateItem",
        TableName=Notice.Meta.table_name,
        Key={"id": {"S": "n1"}},
        UpdateExpression="SET slug = :taken",
        ExpressionAttributeValues={":taken": {"S": "keys"}},
    )
    maintenance.request("DeleteItem", TableName=Board.Meta.table_name, Key={"id": {"S": "gym"}})
    streaming.sweep()

    run()

    assert guards.owners_of("notice", "slug", ["keys"]) == {"keys": "n2"}
    assert references.used_in("board", "gym").items == []
    assert boards.get("hall", strong=True).refs == 0


def test_every_table_whose_records_expire_and_leave_something_has_a_stream() -> None:
    leaving = {
        repository.model.Meta.table_name
        for repository in repositories()
        if repository.searched or repository.unique or repository.references
    }
    expiring = [spec for spec in tables.specs() if spec.ttl and spec.name in leaving]
    assert [spec.name for spec in expiring if spec.stream != "NEW_AND_OLD_IMAGES"] == []
    assert Notice.Meta.table_name in {spec.name for spec in expiring}
