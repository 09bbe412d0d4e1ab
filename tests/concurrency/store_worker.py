"""One process of test_stores.py: does each task it is told, and reports in a line of JSON."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

from core.dynamo import connection, metering
from core.stores.adaptive import AdaptiveRateLimitStore
from core.stores.cache import CacheStore
from core.stores.dedupe import DedupeStore
from core.stores.interfaces import Limit
from core.stores.ratelimit import RateLimitStore
from core.stores.table import now_ms

LIMIT = Limit(50, 2_000)
LEASE_MS = 1_500
THREADS = 8


class AskedAt(threading.local):
    """A clock that remembers when this thread asked last: by that moment a limit is judged."""

    ms = 0

    def __call__(self) -> int:
        self.ms = now_ms()
        return self.ms


asked_at = AskedAt()


def limited(seconds: float) -> dict[str, Any]:
    """Every thread takes places as fast as it gets them; odd threads are people, even ones background."""
    plain = RateLimitStore(default=LIMIT, clock=asked_at)
    shared = AdaptiveRateLimitStore(default=LIMIT, clock=asked_at)
    ends = time.monotonic() + seconds

    def use(number: int) -> dict[str, Any]:
        priority = "user" if number % 2 else "background"
        admitted: dict[str, list[int]] = {"plain": [], "shared": []}
        decisions = 0
        while time.monotonic() < ends:
            for kind, acquire in (
                ("plain", lambda: plain.acquire("plain")),
                ("shared", lambda: shared.acquire("shared", priority)),
            ):
                decisions += 1
                decision = acquire()
                if decision.allowed:
                    admitted[kind].append(asked_at.ms)
            if not decision.allowed:
                time.sleep(min(decision.wait_ms, 10) / 1000)
        return {**admitted, "priority": priority, "decisions": decisions}

    with ThreadPoolExecutor(THREADS) as pool:
        return {"threads": list(pool.map(use, range(THREADS)))}


def deduped(seconds: float) -> dict[str, Any]:
    """Every thread wants the same work done and the same cold value."""
    dedupe, cache = DedupeStore(), CacheStore()
    done: list[str] = []

    def work(name: str) -> Callable[[], str]:
        def do() -> str:
            done.append(name)
            time.sleep(seconds)
            return name

        return do

    def use(_number: int) -> list[str]:
        return [dedupe.run("hash", work("job")), cache.get_or_compute("key", work("value"), 60)]

    with ThreadPoolExecutor(THREADS) as pool:
        return {"results": list(pool.map(use, range(THREADS))), "done": done}


def abandoned(seconds: float) -> dict[str, Any]:
    """Register a job and never do it."""
    registration = DedupeStore(lease_ms=LEASE_MS).register_or_join("hash")
    return {"job_id": registration.job_id, "lease_until": registration.job.lease_until}


TASKS = {"limited": limited, "deduped": deduped, "abandoned": abandoned}


def main() -> None:
    connection.warm()
    print("ready", flush=True)  # noqa: T201
    for line in sys.stdin:
        task, seconds = json.loads(line)
        with metering.metered() as meter:
            report = TASKS[task](seconds)
        print(json.dumps(report | {"requests": meter.requests}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
