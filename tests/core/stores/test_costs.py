"""What docs/stores.md says each operation costs, measured: requests, read units and write units."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from config.local import ROOT
from core.dynamo import metering
from core.stores.adaptive import AdaptiveRateLimitStore
from core.stores.cache import CacheStore
from core.stores.dedupe import DedupeStore
from core.stores.errors import AlreadyInProgress
from core.stores.interfaces import Limit
from core.stores.ratelimit import RateLimitStore
from tests.core.stores.conftest import Clock

pytestmark = pytest.mark.usefixtures("db")
READS = {"GetItem", "BatchGetItem", "Query"}
SECOND = 1000
ROW = re.compile(
    r"^\| (?P<operation>[^|]+) \| (?P<requests>\d+) \| (?P<reads>[\d.]+) \| (?P<writes>[\d.]+) \|$"
)


class Cost(NamedTuple):
    requests: int
    reads: float
    writes: float


class Stores:
    """All kinds on one clock; what is under `there` was stored before."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.cache, self.dedupe = CacheStore(clock=clock), DedupeStore(clock=clock)
        self.limits = RateLimitStore(default=Limit(3, 60_000), clock=clock)
        self.adaptive = AdaptiveRateLimitStore(default=Limit(1000, 3_600_000), clock=clock)
        self.cache.set("there", 1, 60)
        self.job_id = self.dedupe.register("there")
        self.limits.acquire("there")
        self.adaptive.acquire("there", "user")
        self.adaptive.acquire("there", "background")

    def long_traffic(self) -> None:
        for _step in range(100):
            self.clock.pass_ms(20 * SECOND)
            self.adaptive.acquire("there", "user")
            self.adaptive.acquire("there", "background")

    def refused(self) -> None:
        while self.limits.acquire("there").allowed:
            pass

    def finished(self) -> None:
        self.dedupe.complete("there", 1, job_id=self.job_id)
        self.clock.pass_ms(SECOND)


Step = Callable[[Stores], Any]
MANY = [f"{number}" for number in range(100)]


def later(stores: Stores) -> None:
    stores.clock.pass_ms(SECOND)


def filled(stores: Stores) -> None:
    stores.cache.set_many(dict.fromkeys(MANY[:24], 1), 60)


# What the document calls it, what is done before, and the operations that cost the same.
OPERATIONS: list[tuple[str, Step | None, list[Step]]] = [
    (
        "cache get, has",
        None,
        [
            lambda stores: stores.cache.get("there"),
            lambda stores: stores.cache.get("missing"),
            lambda stores: stores.cache.has("there"),
        ],
    ),
    (
        "cache set, add of a new key",
        None,
        [lambda stores: stores.cache.set("new", 1, 60), lambda stores: stores.cache.add("other", 1, 60)],
    ),
    ("cache set with the same end and size", None, [lambda stores: stores.cache.set("there", 2, 60)]),
    (
        "cache set with the same end and another size",
        None,
        [lambda stores: stores.cache.set("there", "longer", 60)],
    ),
    (
        "cache set, touch with another end",
        None,
        [lambda stores: stores.cache.set("there", 2, 90), lambda stores: stores.cache.touch("there", 120)],
    ),
    ("cache increment", None, [lambda stores: stores.cache.increment("there")]),
    ("cache delete", None, [lambda stores: stores.cache.delete("there")]),
    (
        "cache delete of nothing",
        None,
        [
            lambda stores: stores.cache.delete("missing"),
            lambda stores: stores.cache.delete_many(["missing"]),
        ],
    ),
    ("cache get_many of 100 keys", None, [lambda stores: stores.cache.get_many(MANY)]),
    (
        "cache set_many of 25 new keys",
        None,
        [lambda stores: stores.cache.set_many(dict.fromkeys(MANY[:25], 1), 60)],
    ),
    (
        "cache delete_many of 25 keys",
        filled,
        [lambda stores: stores.cache.delete_many([*MANY[:24], "there"])],
    ),
    ("cache clear of 25 keys", filled, [lambda stores: stores.cache.clear()]),
    ("get_or_compute, found", None, [lambda stores: stores.cache.get_or_compute("there", int, 60)]),
    ("get_or_compute, computed", None, [lambda stores: stores.cache.get_or_compute("new", int, 60)]),
    (
        "dedupe register",
        None,
        [
            lambda stores: stores.dedupe.register("new"),
            lambda stores: stores.dedupe.register_or_join("other"),
        ],
    ),
    ("dedupe register after a result", Stores.finished, [lambda stores: stores.dedupe.register("there")]),
    (
        "dedupe complete, fail within the second",
        None,
        [lambda stores: stores.dedupe.complete("there", 1, job_id=stores.job_id)],
    ),
    (
        "dedupe complete, fail later",
        later,
        [lambda stores: stores.dedupe.fail("there", ValueError("no"), job_id=stores.job_id)],
    ),
    ("dedupe is_in_progress", None, [lambda stores: stores.dedupe.is_in_progress("there")]),
    ("dedupe wait_for, each look", Stores.finished, [lambda stores: stores.dedupe.wait_for("there")]),
    (
        "rate limit acquire, record, cool_down, reset",
        None,
        [
            lambda stores: stores.limits.acquire("there"),
            lambda stores: stores.limits.record("there"),
            lambda stores: stores.limits.cool_down("there", 1),
            lambda stores: stores.limits.reset("there"),
        ],
    ),
    (
        "rate limit, refused again",
        Stores.refused,
        [
            lambda stores: stores.limits.acquire("there"),
            lambda stores: stores.limits.can_proceed("there"),
            lambda stores: stores.limits.get_wait_time("there"),
        ],
    ),
    (
        "rate limit get_status, can_proceed, get_wait_time",
        None,
        [
            lambda stores: stores.limits.get_status("there"),
            lambda stores: stores.limits.can_proceed("there"),
            lambda stores: stores.limits.get_wait_time("there"),
        ],
    ),
    ("rate limit stats of 100 resources", None, [lambda stores: stores.limits.stats(MANY)]),
    (
        "adaptive acquire, record",
        None,
        [
            lambda stores: stores.adaptive.acquire("there", "user"),
            lambda stores: stores.adaptive.acquire("there", "background"),
            lambda stores: stores.adaptive.record("there"),
        ],
    ),
    (
        "adaptive acquire, background, first in 30 s",
        None,
        [lambda stores: stores.adaptive.acquire("new", "background")],
    ),
    (
        "adaptive acquire after a quarter of an hour of traffic",
        Stores.long_traffic,
        [lambda stores: stores.adaptive.acquire("there", "user")],
    ),
    ("adaptive get_status", None, [lambda stores: stores.adaptive.get_status("there")]),
    ("adaptive stats of 50 resources", None, [lambda stores: stores.adaptive.stats(MANY[:50])]),
    ("adaptive recalculate", None, [lambda stores: stores.adaptive.recalculate("there")]),
    ("adaptive reset", None, [lambda stores: stores.adaptive.reset("there")]),
]


def documented() -> dict[str, Cost]:
    text = (ROOT / "docs" / "stores.md").read_text().partition("## What it costs")[2].partition("\n## ")[0]
    rows = filter(None, map(ROW.match, text.splitlines()))
    return {
        row["operation"]: Cost(int(row["requests"]), float(row["reads"]), float(row["writes"]))
        for row in rows
    }


def measured(stores: Stores, use: Step) -> Cost:
    with metering.metered() as meter:
        use(stores)
    reads = sum(call.units for call in meter.calls if call.operation in READS)
    return Cost(meter.requests, reads, meter.units - reads)


CASES = [
    pytest.param(name, before, use, id=f"{name}-{number}")
    for name, before, uses in OPERATIONS
    for number, use in enumerate(uses, 1)
]


@pytest.mark.parametrize(("name", "before", "use"), CASES)
def test_an_operation_costs_what_the_document_says(
    clock: Clock, name: str, before: Step | None, use: Step
) -> None:
    stores = Stores(clock)
    if before is not None:
        before(stores)

    assert measured(stores, use) == documented()[name]


def test_the_document_lists_what_is_measured_and_nothing_else() -> None:
    assert list(documented()) == [name for name, _before, _uses in OPERATIONS]


@pytest.mark.parametrize(
    "use",
    [
        lambda stores: stores.cache.add("there", 1, 60),
        lambda stores: stores.cache.touch("missing", 60),
        lambda stores: stores.dedupe.register_or_join("there"),
    ],
    ids=["add", "touch", "join"],
)
def test_a_refusal_is_one_request_of_which_no_units_are_told(clock: Clock, use: Step) -> None:
    stores = Stores(clock)

    assert measured(stores, use) == Cost(1, 0, 0)


def test_a_refused_registration_is_one_request(clock: Clock) -> None:
    stores = Stores(clock)

    with metering.metered() as meter, pytest.raises(AlreadyInProgress):
        stores.dedupe.register("there")

    assert meter.operations == ["UpdateItem"]
