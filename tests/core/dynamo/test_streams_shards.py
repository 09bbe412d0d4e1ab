"""`manage.py streams`: shards are read after their parents, and what is gone is told once."""

from collections.abc import Callable

import pytest

from core.dynamo import maintenance
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.streams import Change, positions, source
from core.dynamo.streams.source import Batch, Shard, Stream
from core.dynamo.streams.worker import Worker
from tests.core.dynamo.streamed_changes import TABLE, create, run, seen_by

pytestmark = pytest.mark.usefixtures("no_other_handlers", "streaming")


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
