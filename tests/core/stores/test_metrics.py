"""What the stores did, as lines that CloudWatch reads as metrics."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from core.stores import metrics
from core.stores.cache import CacheStore
from core.stores.dedupe import DedupeStore
from core.stores.interfaces import Limit
from core.stores.ratelimit import RateLimitStore
from tests.log_lines import lines, written


@pytest.fixture(autouse=True)
def from_zero(settings: Settings) -> Iterator[None]:
    settings.STORE_METRICS = True
    with written():
        metrics.flush()
        yield
        metrics.flush()


def flushed() -> dict[str, dict[str, Any]]:
    """The lines by store."""
    with written() as output:
        metrics.flush()
    return {line["store"]: line for line in lines(output)}


@pytest.mark.usefixtures("db")
def test_hits_misses_waits_refusals_and_times_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    cache, dedupe, limits = CacheStore(), DedupeStore(), RateLimitStore(default=Limit(1, 60_000))
    cache.get("key")
    cache.set("key", 1, 60)
    cache.get_many(["key", "other", "third"])
    for _try in range(5):
        limits.acquire("api")
    job_id = dedupe.register("hash")
    monkeypatch.setattr(
        "core.stores.dedupe.pause_before", lambda poll, at_most: dedupe.complete("hash", 1, job_id=job_id)
    )
    assert dedupe.wait_for("hash") == 1

    found = flushed()
    assert (found["cache"]["Hits"], found["cache"]["Misses"]) == (1, 3)
    assert found["cache"]["Requests"] == len(found["cache"]["Latency"]) == 3
    assert (found["ratelimit"]["Refusals"], found["ratelimit"]["Requests"]) == (4, 2)
    assert (found["dedupe"]["Waits"], found["dedupe"]["Completed"]) == (1, 1)
    assert flushed() == {}, "each is told once"


def test_a_line_has_the_form_that_cloudwatch_asks_for() -> None:
    metrics.count("cache", "Hits", 3)
    metrics.record_time("cache", "GetItem", 1.23456)

    line = flushed()["cache"]
    about = line["_aws"]
    assert about["CloudWatchMetrics"] == [
        {
            "Namespace": "DynamoDBStore",
            "Dimensions": [["store"]],
            "Metrics": [
                {"Name": "Hits", "Unit": "Count"},
                {"Name": "Requests", "Unit": "Count"},
                {"Name": "GetItem", "Unit": "Count"},
                {"Name": "Latency", "Unit": "Milliseconds"},
            ],
        }
    ]
    assert isinstance(about["Timestamp"], int)
    assert (line["Hits"], line["Requests"], line["GetItem"], line["Latency"]) == (3, 1, 1, [1.235])


def test_a_line_holds_at_most_a_hundred_times() -> None:
    for _request in range(250):
        metrics.record_time("cache", "GetItem", 1)

    line = flushed()["cache"]
    assert (line["Requests"], len(line["Latency"])) == (250, 100)


def test_lines_are_written_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    with written() as output:
        metrics.count("cache", "Hits")
        assert lines(output) == []
        monkeypatch.setattr(metrics, "_last_flush", time.monotonic() - 60)
        metrics.count("cache", "Hits")
        assert [line["Hits"] for line in lines(output)] == [2]


def test_nothing_is_counted_unless_it_is_switched_on(settings: Settings) -> None:
    settings.STORE_METRICS = False
    metrics.count("cache", "Hits")
    metrics.record_time("cache", "GetItem", 1)

    assert flushed() == {}
