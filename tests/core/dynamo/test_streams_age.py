"""The age of the oldest change that was not handled: as a metric, and for operators."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from core.dynamo.actors import Actor
from core.dynamo.errors import Unavailable
from core.dynamo.streams import Change, failures, metrics, on, positions, source, status
from core.dynamo.streams.losses import HOW_TO_MEND
from core.dynamo.streams.worker import Worker
from tests.core.dynamo.fake_streams import FakeStreams
from tests.core.dynamo.streamed_changes import TABLE, create, run, seen_by
from tests.log_lines import lines, written

pytestmark = pytest.mark.usefixtures("no_other_handlers", "streaming")

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


class Clock:
    """The time by which ages are told; leases go by the real one."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Clock:
    settings.STORE_METRICS = True
    clock = Clock()
    monkeypatch.setattr(metrics, "now", clock)
    monkeypatch.setattr(failures, "now", clock)
    monkeypatch.setattr("core.dynamo.management.commands.streams.now", clock)
    # A line after every round, not once a minute.
    monkeypatch.setattr(metrics, "FLUSH_SECONDS", 0)
    monkeypatch.setattr(metrics, "_put_aside", 0)
    return clock


@pytest.fixture
def streams(monkeypatch: pytest.MonkeyPatch) -> FakeStreams:
    streams = FakeStreams(monkeypatch)
    streams.open("only")
    return streams


def told(run: Any) -> list[tuple[float, int]]:
    """What the lines that were written meanwhile tell: the age in seconds, and how many were put aside."""
    with written() as output:
        run()
    found = [line for line in lines(output) if line["event"] == "stream metrics"]
    return [(line["OldestChangeAge"], line["PutAside"]) for line in found]


def run_once() -> None:
    Worker([TABLE]).run(once=True)


class TestTheMetric:
    def test_has_the_form_that_cloudwatch_asks_for(self, streams: FakeStreams) -> None:
        streams.add("only", "a", at=NOON - MINUTE)
        with written() as output:
            run_once()

        line = next(line for line in lines(output) if line["event"] == "stream metrics")
        assert line["_aws"]["CloudWatchMetrics"] == [
            {
                "Namespace": "DynamoDBStreams",
                "Dimensions": [[]],
                "Metrics": [
                    {"Name": "OldestChangeAge", "Unit": "Seconds"},
                    {"Name": "PutAside", "Unit": "Count"},
                ],
            }
        ]
        assert isinstance(line["_aws"]["Timestamp"], int)
        assert (line["OldestChangeAge"], line["PutAside"], line["table"]) == (60.0, 0, TABLE)

    def test_is_the_age_of_the_oldest_that_was_read_and_zero_when_nothing_waits(
        self, streams: FakeStreams
    ) -> None:
        seen = seen_by("INSERT")
        streams.add("only", "a", at=NOON - 3 * MINUTE)
        streams.add("only", "b", at=NOON - MINUTE)

        assert told(run_once) == [(180.0, 0), (0.0, 0)]
        assert seen == ["a", "b"]

    def test_grows_while_a_change_has_to_wait(self, streams: FakeStreams, clock: Clock) -> None:
        @on("notice", "INSERT")
        def insert(change: Change) -> None:
            if change.image["id"]["S"] == "b":
                raise Unavailable

        streams.add("only", "a", at=NOON - 3 * MINUTE)
        streams.add("only", "b", at=NOON - MINUTE)
        worker = Worker([TABLE])

        assert told(worker._read_shards) == []
        worker._waiting._oldest = metrics.Age()
        clock.now += 5 * MINUTE

        assert told(worker._waiting.flush) == [(360.0, 0)]

    def test_grows_while_a_stream_that_was_read_to_its_end_does_not_answer(
        self, streams: FakeStreams, clock: Clock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        worker = Worker([TABLE])
        worker._read_shards()

        def read(*_arguments: object) -> None:
            raise Unavailable

        monkeypatch.setattr(source, "read", read)
        for _time in range(2):
            worker._read_shards()
            clock.now += MINUTE

        assert told(worker._waiting.flush) == [(120.0, 0)]

    def test_tells_how_many_were_put_aside(self, streams: FakeStreams) -> None:
        @on("notice", "INSERT")
        def insert(change: Change) -> None:
            raise ValueError

        streams.add("only", "a", "b", at=NOON)
        assert told(run_once) == [(0.0, 2), (0.0, 0)]

    def test_is_told_once_a_minute_and_only_when_it_is_switched_on(
        self, streams: FakeStreams, monkeypatch: pytest.MonkeyPatch, settings: Settings
    ) -> None:
        monkeypatch.setattr(metrics, "FLUSH_SECONDS", 60)
        assert told(run_once) == []

        monkeypatch.setattr(metrics, "FLUSH_SECONDS", 0)
        settings.STORE_METRICS = False
        assert told(run_once) == []

    def test_is_not_told_while_the_shards_are_not_known(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def shards_of(_stream: object) -> None:
            raise Unavailable

        monkeypatch.setattr(source, "shards_of", shards_of)
        with written() as output, pytest.raises(Unavailable):
            run_once()
        assert "stream metrics" not in output.getvalue()


class TestTheStatus:
    def test_names_the_oldest_change_of_each_shard_and_its_age(self, streams: FakeStreams) -> None:
        seen_by("INSERT")
        streams.add("only", "a", at=NOON - timedelta(hours=1, seconds=4))
        streams.add("only", "b", at=NOON)
        streams.open("other")
        streams.add("other", "c", at=NOON - timedelta(seconds=1))

        assert run("status", "--tables", TABLE).splitlines() == [
            f"{TABLE} 003: INSERT of 2026-11-16 11:59:59+00:00 waits for 0:00:01.",
            f"{TABLE} 001: INSERT of 2026-11-16 10:59:56+00:00 waits for 1:00:04.",
            "The oldest change waits for 1:00:04.",
            "0 changes were put aside.",
        ]

    def test_says_that_nothing_waits(self, streams: FakeStreams) -> None:
        seen_by("INSERT")
        streams.add("only", "a")
        run_once()
        streams.add("only", "b", event="MODIFY")

        assert run("status", "--tables", TABLE) == "No change waits.\n0 changes were put aside.\n"

    def test_counts_what_was_put_aside(self, streams: FakeStreams) -> None:
        @on("notice", "INSERT")
        def insert(change: Change) -> None:
            raise ValueError

        streams.add("only", "a", "b", at=NOON)
        run_once()

        assert run("status", "--tables", TABLE) == "No change waits.\n2 changes were put aside.\n"

    def test_finds_what_waits_behind_what_concerns_nobody(
        self, streams: FakeStreams, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen_by("MODIFY")
        for _change in range(150):
            streams.add("only", "a", at=NOON - MINUTE)
        streams.add("only", "b", at=NOON, event="MODIFY")
        waiting = [(change.number, change.event) for change in status.waiting([TABLE])]
        assert waiting == [("151", "MODIFY")]

    def test_tells_for_a_week_of_which_shards_changes_were_lost(self, streams: FakeStreams) -> None:
        seen_by("INSERT")
        streams.add("only", "a", "b")
        run_once()
        streams.add("only", "c", "d")
        streams.trim("only", 3)
        run_once()
        noticed = positions.position_of(streams.shard("only")).lost

        assert run("status", "--tables", TABLE) == (
            f"{TABLE}: changes of shard only may be lost, as was noticed at {noticed}. {HOW_TO_MEND}\n"
            "No change waits.\n"
            "0 changes were put aside.\n"
        )

    def test_shows_the_oldest_that_is_kept_where_the_checkpoint_is_too_old(
        self, streams: FakeStreams
    ) -> None:
        seen_by("INSERT")
        streams.add("only", "a")
        run_once()
        streams.add("only", "b", "c", at=NOON - timedelta(hours=24))
        streams.trim("only", 2)

        assert [change.number for change in status.waiting([TABLE])] == ["003"]


def test_the_tables_of_the_local_engine_have_a_status(clock: Clock, alice: Actor) -> None:
    clock.now = datetime.now(UTC)
    create(alice, "a")
    seen_by("INSERT")
    (line, _oldest, aside) = run("status").splitlines()
    assert (line.split(" of ")[0], aside) == (f"{TABLE} 1: INSERT", "0 changes were put aside.")

    run("--once")

    assert run("status") == "No change waits.\n0 changes were put aside.\n"
