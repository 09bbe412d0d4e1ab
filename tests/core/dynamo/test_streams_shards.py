"""`manage.py streams`: of shards that split each is read after its parent, by however many workers."""

import threading
from collections.abc import Callable
from random import Random

import pytest

from core.dynamo import maintenance
from core.dynamo.actors import Actor
from core.dynamo.errors import Unavailable
from core.dynamo.streams import Change, on, positions, source, worker
from core.dynamo.streams.worker import Worker
from tests.core.dynamo.fake_streams import FakeStreams
from tests.core.dynamo.streamed_changes import TABLE, create, run, seen_by

pytestmark = pytest.mark.usefixtures("no_other_handlers", "streaming")


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> FakeStreams:
    return FakeStreams(monkeypatch, at_once=2)


def run_once() -> None:
    Worker([TABLE]).run(once=True)


def test_a_shard_is_read_after_its_parent_and_one_whose_parent_is_gone_at_once(streams: FakeStreams) -> None:
    streams.open("parent", "parent")
    streams.open("orphan", "orphan", parent="trimmed")
    streams.open("child", "child", parent="parent")
    streams.open("grandchild", "grandchild", parent="child")
    streams.close("parent", "orphan", "child")
    seen = seen_by("INSERT")

    run_once()
    assert seen == ["orphan", "parent", "child", "grandchild"]

    run_once()
    assert len(seen) == 4


class TestAShardThatSplits:
    def test_is_read_to_its_end_before_both_of_its_children(self, streams: FakeStreams) -> None:
        streams.open("parent", "a", "b", "c", "d", "e")
        streams.split("parent", "left", "right")
        streams.add("left", "f")
        streams.add("right", "g")
        seen = seen_by("INSERT")

        run_once()

        assert seen[:5] == ["a", "b", "c", "d", "e"]
        assert sorted(seen[5:]) == ["f", "g"]

    def test_while_it_is_read_loses_and_doubles_nothing(self, streams: FakeStreams) -> None:
        streams.open("parent", "a")
        seen: list[str] = []

        @on("notice", "INSERT")
        def insert(change: Change) -> None:
            seen.append(change.image["id"]["S"])
            if seen == ["a"]:
                streams.add("parent", "b")
                streams.split("parent", "left", "right")
                streams.add("right", "c")

        run_once()

        assert seen == ["a", "b", "c"]

    def test_keeps_its_children_waiting_while_it_cannot_be_handled(
        self, streams: FakeStreams, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(worker, "OUTAGE_SECONDS", 0)
        streams.open("parent", "a", "b")
        streams.split("parent", "left", "right")
        streams.add("left", "a-again")
        seen: list[str] = []
        refused = ["b", "b", "b"]

        @on("notice", "INSERT")
        def insert(change: Change) -> None:
            key = change.image["id"]["S"]
            seen.append(key)
            if key in refused:
                refused.remove(key)
                raise Unavailable
            if key == "a-again":
                stop.set()

        stop = threading.Event()
        Worker([TABLE], stop=stop).run()

        assert seen == ["a", "b", "b", "b", "b", "a-again"]

    def test_is_handled_once_and_in_order_by_several_workers(
        self, streams: FakeStreams, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(worker, "POLL_SECONDS", 0.001)
        monkeypatch.setattr(worker, "FIND_SHARDS_SECONDS", 0)
        keys, chance = ("w", "x", "y", "z"), Random(19)
        left, right = keys[:2], keys[2:]
        streams.open("root", *(chance.choice(keys) for _change in range(12)))
        streams.split("root", "left", "right")
        for name, own in (("left", left), ("right", right)):
            streams.add(name, *(chance.choice(own) for _change in range(12)))
            streams.split(name, f"{name}-child")
            streams.add(f"{name}-child", *(chance.choice(own) for _change in range(6)))
        handled: dict[str, list[int]] = {key: [] for key in keys}
        stop = threading.Event()

        @on("notice", "INSERT")
        def insert(change: Change) -> None:
            handled[change.image["id"]["S"]].append(int(change.sequence_number))
            if sum(map(len, handled.values())) == 48:
                stop.set()

        threads = [threading.Thread(target=Worker([TABLE], stop=stop).run) for _number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        run_once()

        assert sorted(number for numbers in handled.values() for number in numbers) == [*range(1, 49)]
        assert {key: sorted(numbers) for key, numbers in handled.items()} == handled


class TestASecondWorker:
    """It has read the same changes from the same place, and is slower."""

    def test_never_moves_a_checkpoint_back(
        self, streams: FakeStreams, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        streams.open("only", "a", "b", "c", "d")
        seen: list[str] = []
        read = source.read

        def read_and_be_overtaken(*arguments: object) -> object:
            batch = read(*arguments)  # type: ignore[arg-type]
            monkeypatch.setattr(source, "read", read)
            run_once()
            return batch

        on("notice", "INSERT")(lambda change: seen.append(change.image["id"]["S"]))
        monkeypatch.setattr(source, "read", read_and_be_overtaken)

        run_once()

        assert seen == ["a", "b", "c", "d"]
        position = positions.position_of(streams.shard("only"))
        assert (position.checkpoint, position.holder) == ("004", None)

    def test_that_passes_by_what_concerns_nobody_does_not_end_the_shard_of_another(
        self, streams: FakeStreams
    ) -> None:
        streams.open("only", "a")
        streams.close("only")
        positions.take_lease(positions.position_of(streams.shard("only")), "another")

        slow = Worker([TABLE])
        slow._read_shards()

        position = positions.position_of(streams.shard("only"))
        assert (position.checkpoint, position.finished, position.holder) == (None, False, "another")


def refuse_once(operation: str, code: str) -> Callable[..., dict[str, object]]:
    """The streams as AWS answers now and then."""
    send = maintenance.stream_request
    refused: list[str] = []

    def answer(asked: str, **arguments: str) -> dict[str, object]:
        if asked == operation and not refused:
            refused.append(asked)
            error = maintenance.ClientError({"Error": {"Code": code}}, operation)
            raise maintenance.RequestRefused(operation, error)
        return send(asked, **arguments)

    return answer


def test_an_iterator_that_is_too_old_is_replaced_and_no_loss(
    alice: Actor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seen = seen_by("INSERT")
    create(alice, "a")
    run("--once")
    create(alice, "b")
    monkeypatch.setattr(source, "stream_request", refuse_once("GetRecords", "ExpiredIteratorException"))
    run("--once")
    assert seen == ["a", "b"]
    assert "may be lost" not in caplog.text


@pytest.mark.parametrize("operation", ["DescribeStream", "GetShardIterator", "GetRecords"])
@pytest.mark.parametrize("code", ["LimitExceededException", "InternalServerError"])
def test_a_worker_survives_that_a_stream_is_asked_too_often(
    alice: Actor, monkeypatch: pytest.MonkeyPatch, operation: str, code: str
) -> None:
    monkeypatch.setattr(worker, "OUTAGE_SECONDS", 0)
    monkeypatch.setattr(source, "stream_request", refuse_once(operation, code))
    stop = threading.Event()
    on("notice", "INSERT")(lambda _change: stop.set())
    create(alice, "a")

    Worker([TABLE], stop=stop).run()

    assert stop.is_set()
