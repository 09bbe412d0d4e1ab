"""`manage.py streams`: every change reaches its handlers, whatever happens to the worker."""

import base64
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.engines.dynoxide import Dynoxide
from core.dynamo import maintenance, metering, trash
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.errors import Unavailable
from core.dynamo.items import RawItem
from core.dynamo.streams import Change, failures, handlers, on, positions, source, when_gone, worker
from core.dynamo.streams.source import Batch, Shard, Stream
from core.dynamo.streams.worker import Worker
from core.dynamo.support_table import SupportItem
from tests.awaiting import eventually
from tests.config.processes import ROOT, clean_environment
from tests.core.dynamo.streamed import Notice, notices

TABLE = Notice.Meta.table_name
HOUR = timedelta(hours=1)

pytestmark = pytest.mark.usefixtures("streaming")


@pytest.fixture(autouse=True)
def _no_other_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers.discover()
    monkeypatch.setattr(handlers, "_on", {})
    monkeypatch.setattr(handlers, "_when_gone", {})
    monkeypatch.setattr(failures, "FIRST_PAUSE", 0.001)


def create(actor: Actor, *keys: str, expired: bool = False) -> list[Notice]:
    expires = now() - HOUR if expired else None
    return [notices.create(Notice(id=key, title=key, expires=expires), actor=actor) for key in keys]


def run(*arguments: str) -> str:
    output = StringIO()
    call_command("streams", *arguments, stdout=output, stderr=output)
    return output.getvalue()


def seen_by(*events: str) -> list[str]:
    """A list that grows with the keys of the changes that are handled."""
    seen: list[str] = []
    on("notice", *events)(lambda change: seen.append(change.image["id"]["S"]))
    return seen


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
    def bad(self, streaming: Dynoxide, alice: Actor) -> list[str]:
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


# --- Shards: a local engine has one for each table, AWS a growing tree ---


class Tree:
    """Shards of a stream, each with its batches; the last of them is open, the others end."""

    def __init__(self, **parents: str | None) -> None:
        stream = Stream(TABLE, f"arn:aws:dynamodb:eu-central-1:1:table/{TABLE}/stream/label")
        self.shards = [Shard(stream, name, parent) for name, parent in parents.items()]

    def read(self, shard: Shard, place: str) -> Batch:
        image = {"id": {"S": shard.id}}
        change = Change(TABLE, "INSERT", f"1-{shard.id}", now(), None, image)
        return Batch([] if place == "end" else [change], "end" if shard == self.shards[-1] else None)


def test_a_shard_is_read_after_its_parent_and_one_whose_parent_is_gone_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tree = Tree(child="parent", orphan="trimmed", parent=None, grandchild="child")
    monkeypatch.setattr(source, "shards_of", lambda _stream: iter(tree.shards))
    monkeypatch.setattr(source, "iterator_after", lambda _shard, number: "end" if number else "begin")
    monkeypatch.setattr(source, "read", tree.read)
    seen = seen_by("INSERT")

    Worker([TABLE]).run(once=True)
    assert seen == ["orphan", "parent", "child", "grandchild"]

    Worker([TABLE]).run(once=True)
    assert len(seen) == 4


def test_a_shard_that_is_gone_before_it_was_read_to_its_end_is_told_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tree = Tree(read=None, lost=None, before=None, now=None)
    read, lost, before, current = tree.shards
    earlier = before._replace(
        stream=before.stream._replace(arn=before.stream.arn.replace("label", "earlier"))
    )
    for shard in (read, lost, earlier, current):
        is_end = shard == read
        positions.save_checkpoint(positions.position_of(shard), "gone", f"1-{shard.id}", finished=is_end)
    monkeypatch.setattr(source, "shards_of", lambda _stream: iter([current]))
    monkeypatch.setattr(source, "iterator_after", lambda _shard, _number: "end")
    monkeypatch.setattr(source, "read", tree.read)

    for _time in range(2):
        Worker([TABLE]).run(once=True)

    told = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert told == [
        f"Changes of table {TABLE} may be lost: shard {shard} of its stream {label} is gone and was read "
        f"up to 1-{shard} only. docs/streams.md says how to make that good."
        for label, shard in (("earlier", "before"), ("label", "lost"))
    ]
    assert [positions.position_of(shard).finished for shard in (lost, earlier, current)] == [
        True,
        True,
        False,
    ]


def test_a_shard_that_another_worker_is_at_is_not_given_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tree = Tree(lost=None, now=None)
    lost, current = tree.shards
    positions.take_lease(positions.position_of(lost), "another")
    monkeypatch.setattr(source, "shards_of", lambda _stream: iter([current]))
    monkeypatch.setattr(source, "iterator_after", lambda _shard, _number: "end")
    monkeypatch.setattr(source, "read", tree.read)

    Worker([TABLE]).run(once=True)

    assert not positions.position_of(lost).finished
    assert "may be lost" not in caplog.text


def refuse(code: str) -> Callable[..., dict[str, object]]:
    """The streams as AWS answers when a place is too old."""
    send = maintenance.stream_request
    refused: list[str] = []

    def answer(operation: str, **arguments: str) -> dict[str, object]:
        is_old = arguments.get("ShardIteratorType") == "AFTER_SEQUENCE_NUMBER"
        if is_old if code.startswith("Trimmed") else operation == "GetRecords" and not refused:
            refused.append(operation)
            error = maintenance.ClientError({"Error": {"Code": code}}, operation)
            raise maintenance.Refused(operation, error)
        return send(operation, **arguments)

    return answer


@pytest.mark.parametrize("code", ["TrimmedDataAccessException", "ExpiredIteratorException"])
def test_from_a_place_that_is_too_old_it_goes_on_with_the_oldest_that_is_kept(
    alice: Actor, monkeypatch: pytest.MonkeyPatch, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    seen = seen_by("INSERT")
    create(alice, "a")
    run("--once")
    monkeypatch.setattr(source, "stream_request", refuse(code))
    create(alice, "b")
    run("--once")
    was_trimmed = code.startswith("Trimmed")
    assert seen == (["a", "a", "b"] if was_trimmed else ["a", "b"])
    lost = f"Changes of table {TABLE} were lost: nobody read its stream for a day."
    assert (lost in caplog.text) is was_trimmed
