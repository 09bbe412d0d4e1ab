"""The stores under real processes and threads: limits are exact, work is done once, nothing is lost."""

import json
import os
import subprocess
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest

from config.engines.dynoxide import Dynoxide
from core.dynamo import connection, metering
from core.stores.adaptive import AdaptiveRateLimitStore
from core.stores.cache import CacheStore
from core.stores.dedupe import DedupeStore
from core.stores.errors import JobLost
from core.stores.interfaces import Limit
from core.stores.ratelimit import RateLimitStore
from core.stores.table import now_ms
from tests.concurrency.store_worker import LEASE_MS, LIMIT
from tests.config.processes import ROOT

PROCESSES = 4


class Worker:
    """A process that does what it is told."""

    def __init__(self, endpoint: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.concurrency.store_worker"],
            cwd=ROOT,
            env=os.environ | {"DYNAMODB_ENDPOINT": endpoint},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def hear(self) -> str:
        return self.process.stdout.readline()

    def tell(self, task: str, seconds: float) -> None:
        self.process.stdin.write(json.dumps([task, seconds]) + "\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module")
def workers(engine: Dynoxide) -> Iterator[list[Worker]]:
    started = [Worker(engine.endpoint) for _process in range(PROCESSES)]
    assert [worker.hear() for worker in started] == ["ready\n"] * PROCESSES
    yield started
    for worker in started:
        worker.kill()


def reports(workers: list[Worker], task: str, *, seconds: float) -> list[dict[str, Any]]:
    """What all the processes report, after they began together."""
    for worker in workers:
        worker.tell(task, seconds)
    return [json.loads(worker.hear()) for worker in workers]


def most_in_a_window(moments: list[int], window_ms: int) -> int:
    """The most moments in any stretch of this length."""
    ordered = sorted(moments)
    counts = (
        number + 1 - bisect_left(ordered, moment - window_ms + 1) for number, moment in enumerate(ordered)
    )
    return max(counts, default=0)


@pytest.mark.parametrize(
    "seconds", [pytest.param(6.0, id="6 s"), pytest.param(30.0, id="30 s", marks=pytest.mark.slow)]
)
def test_4_processes_with_8_threads_never_exceed_a_limit_in_any_trailing_window(
    db: Dynoxide, workers: list[Worker], seconds: float
) -> None:
    found = reports(workers, "limited", seconds=seconds)
    threads = [thread for report in found for thread in report["threads"]]

    for kind in ("plain", "shared"):
        admitted = [moment for thread in threads for moment in thread[kind]]
        assert most_in_a_window(admitted, LIMIT.window_ms) <= LIMIT.requests
        assert len(admitted) > LIMIT.requests, "later windows were used too"
    by_background = [
        moment for thread in threads if thread["priority"] == "background" for moment in thread["shared"]
    ]
    assert most_in_a_window(by_background, LIMIT.window_ms) <= 35, "their share at first"

    requests = sum(report["requests"] for report in found)
    decisions = sum(thread["decisions"] for thread in threads)
    assert requests / decisions <= 1.05


def test_32_threads_of_4_processes_do_the_same_work_once_and_compute_a_cold_value_once(
    db: Dynoxide, workers: list[Worker]
) -> None:
    found = reports(workers, "deduped", seconds=0.3)

    assert [result for report in found for result in report["results"]] == [["job", "value"]] * 32
    assert sorted(name for report in found for name in report["done"]) == ["job", "value"]


def test_the_job_of_a_killed_owner_is_taken_over_when_its_lease_ends_and_its_word_counts_no_more(
    db: Dynoxide,
) -> None:
    store = DedupeStore(lease_ms=LEASE_MS)
    owner = Worker(db.endpoint)
    assert owner.hear() == "ready\n"
    owner.tell("abandoned", 0)
    abandoned = json.loads(owner.hear())
    owner.kill()

    taken_over_at: list[int] = []
    with ThreadPoolExecutor(8) as pool:
        results = list(
            pool.map(lambda _n: store.run("hash", lambda: taken_over_at.append(now_ms())), range(8))
        )

    assert results == [None] * 8
    assert len(taken_over_at) == 1
    assert taken_over_at[0] >= abandoned["lease_until"]
    with pytest.raises(JobLost):
        store.complete("hash", "too late", job_id=abandoned["job_id"])


# --- Many mixed operations


def single_operations() -> list[Callable[[], object]]:
    """Operations on one key, each of which is one request; some belong together."""
    cache, dedupe = CacheStore(), DedupeStore()
    limits = RateLimitStore(default=Limit(10**9, 60_000))
    shared = AdaptiveRateLimitStore(default=Limit(10**9, 60_000))
    own = uuid4().hex

    def finish() -> None:
        dedupe.complete(own, {"answer": 42}, job_id=dedupe.register_or_join(own).job_id)

    def counted() -> None:
        assert cache.increment(f"{own} count") == 2

    return [
        lambda: cache.set(own, {"value": own}, 60),
        lambda: _same(cache.get(own), {"value": own}),
        lambda: _same(cache.add(f"{own} count", 1, 60), True),
        counted,
        lambda: _same(cache.touch(own, 120), True),
        lambda: _same(cache.delete(own), True),
        lambda: _same(dedupe.is_in_progress(own), False),
        finish,
        lambda: _same(dedupe.wait_for(own), {"answer": 42}),
        lambda: _same(limits.acquire("mixed").allowed, True),
        lambda: _same(limits.get_status("mixed").limit, 10**9),
        lambda: _same(shared.acquire("mixed shared", "user").allowed, True),
    ]


def _same(found: object, expected: object) -> None:
    assert found == expected


@pytest.mark.parametrize("threads", [4, 40])
@pytest.mark.parametrize("operations", [650, pytest.param(10_000, marks=pytest.mark.slow)])
def test_mixed_operations_all_succeed_with_one_request_each_however_many_threads(
    db: Dynoxide, operations: int, threads: int
) -> None:
    took: list[float] = []

    def one_after_the_other(_number: int) -> int:
        # The last but four is two operations: register and complete.
        for operation in single_operations():
            started = time.perf_counter()
            operation()
            took.append((time.perf_counter() - started) * 1000)
        return 13

    rounds = -(-operations // 13)
    connection.warm()
    with metering.metered() as meter, ThreadPoolExecutor(threads) as pool:
        done = sum(pool.map(one_after_the_other, range(rounds)))

    assert done >= operations
    assert meter.requests == done
    if operations == 10_000 and threads == 4:
        assert sorted(took)[int(len(took) * 0.95)] < 100, "milliseconds, 95 of 100"
