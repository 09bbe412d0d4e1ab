"""Metrics of the stores, as log lines in CloudWatch's embedded metric format.

Counts and times are collected in the process and written at most once a minute; STORE_METRICS switches it on.
"""

import atexit
import random
import threading
import time
from collections import Counter, defaultdict
from datetime import UTC, datetime
from typing import Any

from django.conf import settings

from core.common.logs import events

NAMESPACE = "DynamoDBStore"
FLUSH_SECONDS = 60
# CloudWatch takes at most so many values of one metric in a line.
MOST_VALUES = 100

SINCE = datetime.now(UTC)

_lock = threading.Lock()
_totals: defaultdict[str, Counter[str]] = defaultdict(Counter)
_counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
_times: defaultdict[str, list[float]] = defaultdict(list)
_last_flush = time.monotonic()


def count(store: str, name: str, times: int = 1) -> None:
    """Count something, such as `count("cache", "Hits")`."""
    with _lock:
        _totals[store][name] += times
        if settings.STORE_METRICS:
            _counts[store][name] += times
    if settings.STORE_METRICS:
        _flush_if_due()


def total(store: str, name: str) -> int:
    """The count of this process since SINCE."""
    with _lock:
        return _totals[store][name]


def record_time(store: str, operation: str, milliseconds: float) -> None:
    """Count one request and its duration."""
    if not settings.STORE_METRICS:
        return
    with _lock:
        counts, times = _counts[store], _times[store]
        counts["Requests"] += 1
        counts[operation] += 1
        if len(times) < MOST_VALUES:
            times.append(milliseconds)
        elif (place := random.randrange(counts["Requests"])) < MOST_VALUES:
            # Reservoir sampling: every request has the same chance to be among the values.
            times[place] = milliseconds
    _flush_if_due()


def flush() -> None:
    """Write one line per store, and reset the counts."""
    global _last_flush
    with _lock:
        collected = {store: (dict(_counts[store]), list(_times[store])) for store in {*_counts, *_times}}
        _counts.clear()
        _times.clear()
        _last_flush = time.monotonic()
    for store, (counts, times) in collected.items():
        events.info("store metrics", **line(store, counts, times))


def line(store: str, counts: dict[str, int], times: list[float]) -> dict[str, Any]:
    """The line of one store in CloudWatch's format."""
    metrics = [{"Name": name, "Unit": "Count"} for name in counts]
    values: dict[str, Any] = dict(counts)
    if times:
        metrics.append({"Name": "Latency", "Unit": "Milliseconds"})
        values["Latency"] = [round(milliseconds, 3) for milliseconds in times]
    directive = {"Namespace": NAMESPACE, "Dimensions": [["store"]], "Metrics": metrics}
    about = {"Timestamp": time.time_ns() // 1_000_000, "CloudWatchMetrics": [directive]}
    return {"_aws": about, "store": store, **values}


def _flush_if_due() -> None:
    if time.monotonic() - _last_flush >= FLUSH_SECONDS:
        flush()


atexit.register(flush)
