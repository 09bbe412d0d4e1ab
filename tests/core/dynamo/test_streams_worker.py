"""`manage.py streams`: every change reaches its handlers, whatever happens to the worker."""

import threading
from datetime import timedelta

import pytest
from django.core.management import CommandError

from config.engines.dynoxide import Dynoxide
from core.dynamo import maintenance, metering, trash
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.errors import Unavailable
from core.dynamo.items import RawItem
from core.dynamo.streams import Change, on, positions, reader, source, when_gone, worker
from core.dynamo.streams.source import Shard
from core.dynamo.streams.worker import Worker
from core.dynamo.support_table import SupportItem
from tests.core.dynamo.streamed import notices
from tests.core.dynamo.streamed_changes import HOUR, TABLE, create, run, seen_by

pytestmark = pytest.mark.usefixtures("no_other_handlers", "streaming")


def shard_of(table: str = TABLE) -> Shard:
    (shard,) = source.shards_of(source.stream_of(table))
    return shard


def test_a_handler_sees_each_change_once_as_it_was_and_became(streaming: Dynoxide, alice: Actor) -> None:
    changes: list[Change] = []
    on("notice", "INSERT", "MODIFY", "REMOVE")(changes.append)
    (first,) = create(alice, "a")
    notices.update(first, {"title": "Changed"}, actor=alice)
    create(alice, "b", expired=True)
    run("--once")

    notices.delete(notices.get("a", strong=True), actor=alice)
    streaming.sweep()
    run("--once")

    def told(change: Change) -> tuple[str, str | None, str | None, bool]:
        titles = (image["title"]["S"] if image else None for image in (change.before, change.after))
        return change.event, *titles, change.has_expired

    assert list(map(told, changes)) == [
        ("INSERT", None, "a", False),
        ("MODIFY", "a", "Changed", False),
        ("INSERT", None, "b", False),
        ("REMOVE", "Changed", None, False),
        ("REMOVE", "b", None, True),
    ]


def test_only_the_tables_that_were_named_are_read(alice: Actor) -> None:
    seen = seen_by("INSERT")
    create(alice, "a")
    run("--once", "--tables", SupportItem.Meta.table_name)
    assert seen == []
    run("--once", "--tables", TABLE)
    assert seen == ["a"]
    with pytest.raises(CommandError, match=r"^No stream is declared for test-boards\. There is one for "):
        run("--once", "--tables", "test-boards")


def test_what_concerns_nobody_is_passed_by_without_a_write(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    create(alice, "a", "b", "c")
    with metering.metered() as meter:
        run("--once")
    # The queries look for shards that are gone.
    assert set(meter.operations) == {"GetItem", "Query"}

    monkeypatch.setattr(reader, "SAVE_AFTER", 3)
    run("--once", "--tables", TABLE)
    position = positions.position_of(shard_of())
    assert (
        position.checkpoint
        == source.read(shard_of(), source.iterator_after(shard_of(), None)).changes[-1].sequence_number
    )


def test_what_cannot_be_reached_now_is_not_put_aside_and_holds_up_no_other_stream(alice: Actor) -> None:
    is_down = threading.Event()
    is_down.set()
    seen: list[str] = []
    gone: list[str] = []

    @on("notice", "REMOVE")
    def remove(change: Change) -> None:
        if is_down.is_set():
            raise Unavailable
        seen.append(change.image["id"]["S"])

    @when_gone("notice")
    def forget(image: RawItem) -> None:
        gone.append(image["id"]["S"])

    for notice in create(alice, "a", "b"):
        notices.delete(notice, actor=alice)
    image = trash.of_record("notice", "a")
    assert image is not None
    maintenance.request("DeleteItem", TableName=SupportItem.Meta.table_name, Key=image.raw_key())

    with pytest.raises(CommandError, match=r"^The database is not responding"):
        run("--once")
    assert gone.count("a") >= 1

    is_down.clear()
    run("--once")
    assert seen == ["a", "b"]
    assert "b" not in gone
    assert run("failed") == "0 changes were put aside.\n"


def test_a_worker_that_runs_on_waits_for_the_records_to_come_back(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "OUTAGE_SECONDS", 0.01)
    seen: list[str] = []
    stop = threading.Event()

    @on("notice", "INSERT")
    def insert(change: Change) -> None:
        seen.append(change.image["id"]["S"])
        if len(seen) == 1:
            raise Unavailable
        stop.set()

    create(alice, "a")
    Worker([TABLE], stop=stop).run()
    assert seen == ["a", "a"]


def test_a_worker_that_is_stopped_ends_after_the_change_at_hand_and_the_next_goes_on(alice: Actor) -> None:
    seen: list[str] = []
    stop = threading.Event()

    @on("notice", "INSERT")
    def insert(change: Change) -> None:
        seen.append(change.image["id"]["S"])
        if seen == ["a", "b"]:
            stop.set()

    create(alice, "a", "b", "c")
    Worker([TABLE], stop=stop).run()
    assert seen == ["a", "b"]
    run("--once")
    assert seen == ["a", "b", "c"]


class TestSeveralWorkers:
    def test_handle_each_change_once(self, alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source, "AT_ONCE", 2)
        monkeypatch.setattr(worker, "POLL_SECONDS", 0.001)
        seen: list[str] = []
        stop = threading.Event()

        @on("notice", "INSERT")
        def insert(change: Change) -> None:
            seen.append(change.image["id"]["S"])
            if len(seen) == 30:
                stop.set()

        keys = [f"{number:02}" for number in range(30)]
        create(alice, *keys)
        threads = [threading.Thread(target=Worker([TABLE], stop=stop).run) for _number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        run("--once")
        assert seen == keys

    def test_wait_for_one_that_was_killed_only_until_its_lease_ends(
        self, alice: Actor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(worker, "POLL_SECONDS", 0.01)
        monkeypatch.setattr(positions, "LEASE", timedelta(seconds=0.5))
        seen = seen_by("INSERT")
        create(alice, "a")
        ends = now() + positions.LEASE
        positions.take_lease(positions.position_of(shard_of()), "killed")
        run("--once")
        assert seen == ["a"]
        assert now() >= ends

    def test_one_that_was_asleep_for_too_long_gives_up_the_batch(
        self, alice: Actor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[str] = []

        @on("notice", "INSERT")
        def insert(change: Change) -> None:
            seen.append(change.image["id"]["S"])
            if seen == ["a"]:
                monkeypatch.setattr(positions, "now", lambda: now() + HOUR)
                run("--once", "--tables", TABLE)

        create(alice, "a", "b")
        run("--once", "--tables", TABLE)
        assert seen == ["a", "a", "b"]
