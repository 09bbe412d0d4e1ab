"""`manage.py streams`: every change reaches its handlers, whatever happens to the worker."""

import base64
import os
import signal
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError

from config.engines.dynoxide import Dynoxide
from core.dynamo import maintenance, metering, trash
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.errors import Unavailable
from core.dynamo.items import RawItem
from core.dynamo.streams import Change, failures, on, positions, source, when_gone, worker
from core.dynamo.streams.source import Shard
from core.dynamo.streams.worker import Worker
from core.dynamo.support_table import SupportItem
from tests.awaiting import eventually
from tests.config.processes import ROOT, clean_environment
from tests.core.dynamo.streamed import Notice, notices
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

    monkeypatch.setattr(worker, "SAVE_AFTER", 3)
    run("--once", "--tables", TABLE)
    position = positions.position_of(shard_of())
    assert (
        position.checkpoint
        == source.read(shard_of(), source.iterator_after(shard_of(), None)).changes[-1].sequence_number
    )


class TestAChangeThatCannotBeHandled:
    @pytest.fixture(autouse=True)
    def bad(self, streaming: Dynoxide, no_other_handlers: None, alice: Actor) -> list[str]:
        """Its handler fails as long as it is in here."""
        bad = ["b"]
        self.tried: list[str] = []

        @on("notice", "INSERT")
        def insert(change: Change) -> None:
            key = change.image["id"]["S"]
            self.tried.append(key)
            if key in bad:
                raise ValueError("no such thing")

        create(alice, "a", "b", "c")
        run("--once")
        return bad

    def test_is_tried_again_and_then_put_aside_so_that_others_are_handled(self) -> None:
        assert self.tried == ["a", *["b"] * failures.ATTEMPTS, "c"]
        lines = run("failed").splitlines()
        assert len(lines) == 2
        assert lines[0].startswith(f"{TABLE} 2: INSERT of ")
        assert lines[0].endswith(": ValueError: no such thing")
        assert lines[1] == "1 changes were put aside."

    def test_can_be_handled_later(self, bad: list[str]) -> None:
        with pytest.raises(CommandError, match=r"^1 changes still cannot be handled; see the lines above\.$"):
            run("retry")
        assert run("failed").endswith("1 changes were put aside.\n")

        bad.clear()
        assert run("retry") == "1 changes were handled.\n"

        assert self.tried[-1] == "b"
        assert run("failed") == "0 changes were put aside.\n"


def test_a_change_of_two_images_larger_than_one_item_is_put_aside_and_handled_later(alice: Actor) -> None:
    """Chance cannot be compressed: both images together take half a megabyte."""
    before, after = (base64.b64encode(os.urandom(190_000)).decode() for _image in range(2))
    seen: list[tuple[str, ...]] = []
    is_broken = threading.Event()
    is_broken.set()

    @on("notice", "MODIFY")
    def modify(change: Change) -> None:
        if is_broken.is_set():
            raise ValueError("not now")
        seen.append(tuple(image["title"]["S"] for image in (change.before, change.after) if image))

    notice = notices.create(Notice(id="large", title=before), actor=alice)
    notices.update(notice, {"title": after}, actor=alice)
    run("--once", "--tables", TABLE)
    assert run("failed").endswith("1 changes were put aside.\n")

    is_broken.clear()
    assert run("retry") == "1 changes were handled.\n"
    assert seen == [(before, after)]
    left = maintenance.request("Scan", TableName=SupportItem.Meta.table_name)["Items"]
    assert [item for item in left if item["PK"]["S"].startswith(("STREAMFAIL#", "STREAMPART#"))] == []


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

    with pytest.raises(CommandError, match=r"^The records cannot be reached right now"):
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


SCRIPT = """
import os, sys, django
django.setup()
from core.dynamo.streams import on, positions
from datetime import timedelta
from django.core.management import call_command
from tests.core.dynamo import streamed

positions.LEASE = timedelta(seconds=0.2)

@on("notice", "INSERT")
def insert(change):
    key = change.image["id"]["S"]
    with open(sys.argv[1], "a") as file:
        file.write(key)
    if key == sys.argv[2]:
        os.kill(os.getpid(), 9)

call_command("streams", *sys.argv[3:])
"""


def start(streaming: Dynoxide, *arguments: str) -> subprocess.Popen[bytes]:
    environment = clean_environment(
        DJANGO_SETTINGS_MODULE="tests.settings",
        DYNAMODB_ENDPOINT=streaming.endpoint,
        AWS_ENDPOINT_URL_DYNAMODB_STREAMS=streaming.endpoint,
        PYTHONPATH=str(ROOT),
    )
    return subprocess.Popen([sys.executable, "-c", SCRIPT, *arguments], cwd=ROOT, env=environment)


def test_a_worker_killed_within_a_batch_loses_nothing(
    streaming: Dynoxide, alice: Actor, tmp_path: Path
) -> None:
    create(alice, "a", "b", "c")
    log = tmp_path / "handled"

    assert start(streaming, str(log), "b", "--once").wait(timeout=300) == -signal.SIGKILL
    assert log.read_text() == "ab"
    assert start(streaming, str(log), "nobody", "--once").wait(timeout=300) == 0

    assert log.read_text() == "ab" + "abc"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_without_a_complaint(
    streaming: Dynoxide, alice: Actor, tmp_path: Path, number: signal.Signals
) -> None:
    log = tmp_path / "handled"
    process = start(streaming, str(log), "nobody")
    create(alice, "a")
    eventually(log.exists, bool)
    process.send_signal(number)
    assert process.wait(timeout=300) == 0
