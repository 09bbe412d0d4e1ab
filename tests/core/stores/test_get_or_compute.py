"""get_or_compute: however many miss a value, one computes it, and nothing newer is lost to it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core.dynamo import metering
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import Unavailable
from core.dynamo.items import RawItem
from core.stores import metrics
from core.stores.cache import CacheStore
from core.stores.cache.store import LEASE_MS
from core.stores.codecs import SignedPickleCodec
from core.stores.config import StoreConfig
from core.stores.interfaces import CacheStats
from tests.awaiting import eventually
from tests.core.stores.conftest import Clock
from tests.core.stores.test_cache_store import TOO_LARGE
from tests.racing import at_once


@pytest.fixture
def store(config: StoreConfig, clock: Clock) -> CacheStore:
    return CacheStore(config, clock=clock)


@pytest.fixture
def stored(db: object, clock: Clock) -> CacheStore:
    """In DynamoDB alone values age."""
    return CacheStore(clock=clock)


def fail() -> Any:
    raise ZeroDivisionError


def test_a_value_is_computed_once_and_then_found(store: CacheStore, clock: Clock) -> None:
    computed: list[int] = []

    def compute() -> int:
        computed.append(1)
        return len(computed)

    assert [store.get_or_compute("key", compute, 60) for _again in range(3)] == [1, 1, 1]
    clock.pass_ms(60_000)
    assert store.get_or_compute("key", compute, 60) == 2


def test_none_is_a_value_too(store: CacheStore) -> None:
    computed: list[int] = []
    for _again in range(2):
        assert store.get_or_compute("key", lambda: computed.append(1), 60) is None
    assert computed == [1]


def test_a_failed_computation_is_raised_and_the_next_may_try(store: CacheStore) -> None:
    with pytest.raises(ZeroDivisionError):
        store.get_or_compute("key", fail, 60)

    assert store.stats() == CacheStats(0, 0, 0)
    assert store.get_or_compute("key", lambda: "value", 60) == "value"


def test_an_outage_within_the_computation_does_not_repeat_it(store: CacheStore) -> None:
    computed: list[int] = []

    def compute() -> None:
        computed.append(1)
        raise Unavailable

    with pytest.raises(Unavailable):
        store.get_or_compute("key", compute, 60)
    assert computed == [1]


def test_a_computed_value_that_is_too_large_is_answered_all_the_same(store: CacheStore) -> None:
    assert store.get_or_compute("key", lambda: TOO_LARGE, 60) == TOO_LARGE
    assert store.get("key") is None
    assert store.get_or_compute("key", lambda: "small", 60) == "small"


def test_a_value_that_cannot_be_written_holds_nobody_up(store: CacheStore) -> None:
    with pytest.raises(TypeError):
        store.get_or_compute("key", object, 60)

    assert store.get_or_compute("key", lambda: "value", 60) == "value"


# --- What happens meanwhile


@pytest.mark.parametrize(
    ("change", "answer", "left"),
    [
        (lambda store: store.delete("key"), False, None),
        (lambda store: store.delete_many(["key"]), None, None),
        (lambda store: store.clear(), 0, None),
        (lambda store: store.set("key", "new", 60), None, "new"),
        (lambda store: store.set_many({"key": "new"}, 60), [], "new"),
        (lambda store: store.add("key", "new", 60), True, "new"),
        (
            lambda store: store.delete("key") or store.get_or_compute("key", lambda: "new", 60),
            "new",
            "new",
        ),
    ],
)
def test_a_change_during_the_computation_outlasts_it(
    store: CacheStore, change: Callable[[CacheStore], Any], answer: Any, left: Any
) -> None:
    """Whoever changes a record removes the value, which must not come back from an earlier reading."""

    def compute() -> str:
        assert change(store) == answer
        return "old"

    assert store.get_or_compute("key", compute, 60) == "old"
    assert store.get("key") == left


def test_counting_during_the_computation_outlasts_it(stored: CacheStore, clock: Clock) -> None:
    stored.set("key", 1, 100)
    clock.pass_ms(90_000)

    assert stored.get_or_compute("key", lambda: stored.increment("key") - 1, 100) == 1
    assert stored.get("key") == 2
    assert stored.get_or_compute("key", lambda: 7, 100) == 7, "the next one may compute at once"


def test_a_touch_during_the_computation_outlasts_it(stored: CacheStore, clock: Clock) -> None:
    stored.set("key", "old", 100)
    clock.pass_ms(90_000)

    stored.get_or_compute("key", lambda: stored.touch("key", 1000), 100)
    clock.pass_ms(999_999)
    assert stored.get("key") == "old"


def test_a_value_set_in_place_of_one_that_cannot_be_read_is_not_lost(
    stored: CacheStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unreadable, as after a change of the secret key: whoever saw it may replace this one only."""
    other = CacheStore(codec=SignedPickleCodec())
    other.set("key", ["of another codec"], None)
    take_lease = stored._take_lease

    def late(hash: str, found: RawItem) -> tuple[Any, RawItem]:
        CacheStore().set("key", "set meanwhile", None)
        return take_lease(hash, found)

    monkeypatch.setattr(stored, "_take_lease", late)
    assert stored.get_or_compute("key", lambda: "computed", 60) == "set meanwhile"
    monkeypatch.undo()

    other.set("key", ["of another codec"], None)
    with metering.metered() as meter:
        assert stored.get_or_compute("key", lambda: "computed", 60) == "computed"
    assert meter.operations == ["GetItem", "PutItem", "PutItem"]


def test_what_is_being_computed_is_no_value_yet(store: CacheStore) -> None:
    def compute() -> str:
        assert store.stats() == CacheStats(0, 0, 0)
        assert store.get("key", "missing") == "missing"
        return "value"

    assert store.get_or_compute("key", compute, 60) == "value"


def test_32_threads_that_miss_a_cold_key_compute_it_once(config: StoreConfig) -> None:
    store = CacheStore(config)
    computed: list[int] = []

    def compute() -> str:
        computed.append(1)
        if not config.in_memory:
            everybody_looked = eventually(lambda: meter.operations.count("GetItem"), lambda n: n >= 32)
            assert everybody_looked >= 32
        return "value"

    with metering.metered() as meter:
        assert at_once(lambda _number: store.get_or_compute("key", compute, 60), 32) == ["value"] * 32
    assert computed == [1]


def waits() -> int:
    return metrics.total("cache", "Waits")


def test_after_a_failure_one_of_those_who_wait_computes(config: StoreConfig) -> None:
    store = CacheStore(config)
    computed: list[str] = []
    with ThreadPoolExecutor(2) as pool:

        def second() -> str:
            computed.append("second")
            waited = waits()
            later.append(pool.submit(store.get_or_compute, "key", lambda: computed.append("third"), 60))
            eventually(lambda: (waits(), len(computed)), lambda seen: seen > (waited, 1))
            return "second"

        def first() -> None:
            waited = waits()
            later.append(pool.submit(store.get_or_compute, "key", second, 60))
            eventually(waits, lambda seen: seen > waited)
            raise ZeroDivisionError

        later: list[Any] = []
        with pytest.raises(ZeroDivisionError):
            store.get_or_compute("key", first, 60)
        assert [eventually(lambda: later, len)[0].result(), later[1].result()] == ["second", "second"]
    assert computed == ["second"]


def test_a_page_waits_with_half_of_its_time_and_then_computes_itself(config: StoreConfig) -> None:
    store = CacheStore(config)

    def ask_in_a_page() -> None:
        with request_deadline(2.5) as remaining:
            assert store.get_or_compute("key", lambda: "by the page", 60) == "by the page"
            assert 0 < remaining.left <= 1.25

    def compute() -> str:
        pool.submit(ask_in_a_page).result()
        return "by the slow one"

    with ThreadPoolExecutor(1) as pool:
        assert store.get_or_compute("key", compute, 60) == "by the slow one"
    assert store.get("key") == "by the slow one"


# --- Values that age, and leases


def test_towards_its_end_one_computes_a_value_anew_and_the_others_use_the_old_one(
    stored: CacheStore, clock: Clock
) -> None:
    stored.get_or_compute("key", lambda: "old", 100)
    clock.pass_ms(89_999)
    assert stored.get_or_compute("key", lambda: "too early", 100) == "old"
    clock.pass_ms(1)

    def compute() -> str:
        assert stored.get_or_compute("key", lambda: "a second time", 100) == "old"
        return "new"

    assert stored.get_or_compute("key", compute, 100) == "new"
    assert stored.get_or_compute("key", lambda: "again", 100) == "new"


def test_when_it_cannot_be_computed_anew_the_old_value_serves_to_its_end(
    stored: CacheStore, clock: Clock
) -> None:
    stored.set("key", "old", 100)
    clock.pass_ms(90_000)
    assert stored.get_or_compute("key", fail, 100) == "old"
    assert stored.get_or_compute("key", lambda: "too early", 100) == "old", "trying again waits for the lease"

    clock.pass_ms(10_000)
    assert stored.get_or_compute("key", lambda: "new", 100) == "new", "at its end nobody waits for the lease"


def test_a_failure_that_outlasts_the_old_value_is_raised(stored: CacheStore, clock: Clock) -> None:
    stored.set("key", "old", 100)
    clock.pass_ms(90_000)

    def compute() -> None:
        clock.pass_ms(10_000)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        stored.get_or_compute("key", compute, 100)
    assert stored.get_or_compute("key", lambda: "new", 100) == "new"


def test_when_whoever_computes_dies_the_next_one_does_after_the_lease(
    stored: CacheStore, clock: Clock
) -> None:
    _missing, lease = stored._find_or_lease("key")
    assert lease is not None
    assert lease.until == clock.ms + LEASE_MS
    with request_deadline(0.1):
        assert stored.get_or_compute("key", lambda: "in a page", 60) == "in a page"
    assert stored.get("key") is None

    clock.pass_ms(LEASE_MS)
    assert stored.get_or_compute("key", lambda: "value", 60) == "value"


def test_whoever_takes_longer_than_the_lease_does_not_overwrite_the_heir(
    store: CacheStore, clock: Clock
) -> None:
    def ask_elsewhere() -> str:
        pool = ThreadPoolExecutor(1)
        try:
            return pool.submit(store.get_or_compute, "key", lambda: "of the heir", 60).result(30)
        finally:
            # Whoever waits for us instead would not end before we do.
            pool.shutdown(wait=False)

    def compute() -> str:
        clock.pass_ms(LEASE_MS)
        assert ask_elsewhere() == "of the heir"
        return "late"

    assert store.get_or_compute("key", compute, 60) == "late"
    assert store.get("key") == "of the heir"


def test_a_lease_that_was_left_behind_is_cleaned_up(stored: CacheStore, clock: Clock) -> None:
    def compute() -> str:
        clock.pass_ms(LEASE_MS + 1000)
        assert stored.clean_up() == 1
        return "value"

    assert stored.get_or_compute("key", compute, 60) == "value"
