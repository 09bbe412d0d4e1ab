"""`manage.py streams`: what DynamoDB forgot before anybody read it is told loudly, and once."""

import pytest

from core.dynamo import maintenance
from core.dynamo.actors import Actor
from core.dynamo.streams import positions, source
from core.dynamo.streams.losses import HOW_TO_MEND
from core.dynamo.streams.worker import Worker
from tests.core.dynamo.fake_streams import LABEL, FakeStreams
from tests.core.dynamo.streamed_changes import TABLE, create, run, seen_by

pytestmark = pytest.mark.usefixtures("no_other_handlers", "streaming")


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> FakeStreams:
    return FakeStreams(monkeypatch)


def run_twice() -> None:
    for _time in range(2):
        Worker([TABLE]).run(once=True)


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]


def lost(shard: str, what: str, *, label: str = LABEL) -> str:
    return f"Changes of table {TABLE} may be lost: shard {shard} of its stream {label} {what}. {HOW_TO_MEND}"


def test_the_way_to_mend_it_is_told() -> None:
    for command in ("guards repair", "search rebuild", "media check --repair"):
        assert f"`manage.py {command}`" in HOW_TO_MEND


class TestAShardThatIsGone:
    def test_before_it_was_read_to_its_end_is_told_once(
        self, streams: FakeStreams, caplog: pytest.LogCaptureFixture
    ) -> None:
        for name in ("read", "lost", "now"):
            streams.open(name)
        read, half_read, current = map(streams.shard, ("read", "lost", "now"))
        arn = half_read.stream.arn.replace(LABEL, "earlier")
        earlier = half_read._replace(stream=half_read.stream._replace(arn=arn))
        for shard in (read, half_read, earlier, current):
            position, is_end = positions.position_of(shard), shard == read
            positions.save_checkpoint(position, "gone", None if shard == current else "005", finished=is_end)
        streams.forget("read")
        streams.forget("lost")

        run_twice()

        what = "is gone and was read up to 005 only"
        assert sorted(told(caplog)) == sorted([lost("lost", what), lost("lost", what, label="earlier")])
        finished = [positions.position_of(shard).finished for shard in (half_read, earlier, current)]
        assert finished == [True, True, False]

    def test_while_a_worker_is_at_it_is_not_given_up(
        self, streams: FakeStreams, caplog: pytest.LogCaptureFixture
    ) -> None:
        streams.open("lost")
        streams.open("now")
        held = positions.position_of(streams.shard("lost"))
        shard = streams.shard("lost")
        positions.take_lease(held, "another")
        streams.forget("lost")

        run_twice()

        assert not positions.position_of(shard).finished
        assert told(caplog) == []

    def test_between_two_rounds_is_told_of_when_the_shards_are_listed_again(
        self, streams: FakeStreams, caplog: pytest.LogCaptureFixture
    ) -> None:
        seen = seen_by("INSERT")
        streams.open("old", "a")
        worker = Worker([TABLE])
        worker._read_shards()
        streams.forget("old")
        streams.open("new", "b")

        worker.run(once=True)
        worker.run(once=True)

        assert seen == ["a", "b"]
        assert told(caplog) == [lost("old", "is gone and was read up to 001 only")]


class TestAShardThatNobodyHasNoted:
    """Everything in it concerned nobody, or it came and went while no worker ran."""

    def test_is_missed_by_the_shard_that_comes_after_it(
        self, streams: FakeStreams, caplog: pytest.LogCaptureFixture
    ) -> None:
        streams.open("first")
        streams.close("first")
        Worker([TABLE]).run(once=True)
        streams.open("unseen", parent="first")
        streams.split("unseen", "left", "right")
        streams.forget("first")
        streams.forget("unseen")

        run_twice()

        what = "comes after one that is gone and that nobody has read"
        assert sorted(told(caplog)) == [lost("left", what), lost("right", what)]

    def test_is_not_missed_by_one_that_was_read_to_its_end(
        self, streams: FakeStreams, caplog: pytest.LogCaptureFixture
    ) -> None:
        streams.open("first")
        streams.split("first", "second")
        Worker([TABLE]).run(once=True)
        streams.forget("first")

        run_twice()

        assert told(caplog) == []

    def test_is_not_missed_by_the_first_worker_of_a_stream(
        self, streams: FakeStreams, caplog: pytest.LogCaptureFixture
    ) -> None:
        streams.open("left", parent="before")
        streams.open("right", parent="before")
        run_twice()
        streams.split("left", "child")
        run_twice()
        assert told(caplog) == []

        shard = streams.shard("right")
        streams.forget("right")
        run_twice()
        assert told(caplog) == [lost("right", "is gone and was read up to its beginning only")]
        assert positions.position_of(shard).lost


class TestAShardThatWasTrimmed:
    def test_behind_its_checkpoint_goes_on_with_the_oldest_that_is_kept(
        self, streams: FakeStreams, caplog: pytest.LogCaptureFixture
    ) -> None:
        seen = seen_by("INSERT")
        streams.open("only", "a", "b")
        Worker([TABLE]).run(once=True)
        streams.add("only", "c", "d", "e")
        streams.trim("only", 4)

        run_twice()

        assert seen == ["a", "b", "e"]
        assert told(caplog) == [lost("only", "was read up to 002, and what came next is gone")]
        assert positions.position_of(streams.shard("only")).checkpoint == "005"

    def test_while_it_is_read_is_told_as_well(
        self, streams: FakeStreams, caplog: pytest.LogCaptureFixture
    ) -> None:
        seen = seen_by("INSERT")
        streams.open("only", "a")
        worker = Worker([TABLE])
        worker._read_shards()
        streams.add("only", "b", "c")
        streams.trim("only", 2)

        worker.run(once=True)

        assert seen == ["a", "c"]
        assert told(caplog) == [lost("only", "was read up to 001, and what came next is gone")]

    def test_before_its_first_change_was_read_is_told_as_well(
        self, streams: FakeStreams, caplog: pytest.LogCaptureFixture
    ) -> None:
        seen = seen_by("INSERT")
        streams.open("only")
        worker = Worker([TABLE])
        worker._read_shards()
        streams.add("only", "a", "b")
        streams.trim("only", 1)

        worker.run(once=True)

        assert seen == ["b"]
        assert told(caplog) == [lost("only", "was read up to its beginning, and what came next is gone")]

    def test_is_told_by_one_of_two_workers(
        self, streams: FakeStreams, caplog: pytest.LogCaptureFixture
    ) -> None:
        seen = seen_by("INSERT")
        streams.open("only", "a")
        workers = [Worker([TABLE]) for _number in range(2)]
        for worker in workers:
            worker._read_shards()
        streams.add("only", "b", "c")
        streams.trim("only", 2)

        for worker in workers:
            worker.run(once=True)

        assert seen == ["a", "c"]
        assert len(told(caplog)) == 1

    def test_answers_with_an_error_of_its_own(
        self, alice: Actor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        """The engine keeps everything, so what was handled before is handled again."""
        seen = seen_by("INSERT")
        create(alice, "a")
        run("--once")
        send = maintenance.stream_request

        def refuse(operation: str, **arguments: str) -> dict[str, object]:
            if arguments.get("ShardIteratorType") == "AFTER_SEQUENCE_NUMBER":
                error = maintenance.ClientError({"Error": {"Code": "TrimmedDataAccessException"}}, operation)
                raise maintenance.RequestRefused(operation, error)
            return send(operation, **arguments)

        monkeypatch.setattr(source, "stream_request", refuse)
        create(alice, "b")
        run("--once", "--tables", TABLE)

        assert seen == ["a", "a", "b"]
        assert [line.partition(": ")[0] for line in told(caplog)] == [f"Changes of table {TABLE} may be lost"]
