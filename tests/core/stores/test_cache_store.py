"""The cache store: what it promises, wherever it keeps its values."""

from collections.abc import Callable
from typing import Any

import pytest

from core.dynamo.errors import TooLarge
from core.stores import metrics
from core.stores.cache import CacheStore
from core.stores.codecs import SignedPickleCodec
from core.stores.config import StoreConfig
from core.stores.dedupe import DedupeStore
from core.stores.errors import InvalidKey, StoreClosed
from core.stores.interfaces import CacheStats
from tests.core.stores.conftest import Clock
from tests.racing import at_once

TOO_LARGE = "x" * 400 * 1024


@pytest.fixture
def store(config: StoreConfig, clock: Clock) -> CacheStore:
    return CacheStore(config, clock=clock)


@pytest.mark.parametrize(
    "value", [None, True, False, 0, -7, 10**50, 1.5, "", "Müller", [], [1, [2]], {"a": {"b": None}}]
)
def test_a_value_comes_back_as_it_was(store: CacheStore, value: Any) -> None:
    store.set("key", value, 60)

    found = store.get("key", "missing")
    assert (found, type(found)) == (value, type(value))


def test_what_was_never_set_is_missing(store: CacheStore) -> None:
    assert store.get("key") is None
    assert store.get("key", "missing") == "missing"


def test_a_value_is_gone_at_the_very_millisecond_its_time_is_over(store: CacheStore, clock: Clock) -> None:
    store.set("key", "value", 0.5)

    clock.pass_ms(499)
    assert store.get("key") == "value"
    clock.pass_ms(1)
    assert store.get("key") is None


def test_no_time_is_for_ever_and_no_time_left_is_over_at_once(store: CacheStore, clock: Clock) -> None:
    store.set("ever", 1, None)
    for name, seconds in (("zero", 0), ("negative", -1)):
        store.set(name, "old", 60)
        store.set(name, "new", seconds)

    assert (store.get("zero"), store.get("negative")) == (None, None)
    clock.pass_ms(100 * 365 * 24 * 3600 * 1000)
    assert store.get("ever") == 1


def test_the_last_value_wins(store: CacheStore) -> None:
    store.set("key", "one", 60)
    store.set("key", "two", 60)

    assert store.get("key") == "two"


def test_add_keeps_a_value_only_where_there_is_none(store: CacheStore, clock: Clock) -> None:
    assert store.add("key", "one", 60) is True
    assert store.add("key", "two", 60) is False
    assert store.get("key") == "one"

    clock.pass_ms(60_000)
    assert store.add("key", "three", 60) is True
    assert store.get("key") == "three"


def test_delete_tells_whether_there_was_a_value(store: CacheStore, clock: Clock) -> None:
    store.set("key", "value", 60)

    assert store.delete("key") is True
    assert store.delete("key") is False
    store.set("key", "value", 60)
    clock.pass_ms(60_000)
    assert store.delete("key") is False


def test_touch_gives_a_live_value_another_time(store: CacheStore, clock: Clock) -> None:
    store.set("key", "value", 60)
    assert store.touch("key", 120) is True
    clock.pass_ms(119_999)
    assert store.get("key") == "value"
    assert store.touch("key", None) is True
    clock.pass_ms(10**9)
    assert store.get("key") == "value"
    assert store.touch("key", 1) is True
    clock.pass_ms(1000)

    assert store.get("key") is None
    assert store.touch("key", 60) is False
    assert store.touch("never there", 60) is False


def test_counting_up_keeps_the_time(store: CacheStore, clock: Clock) -> None:
    store.set("key", 5, 60)
    clock.pass_ms(59_999)

    assert store.increment("key") == 6
    assert store.increment("key", -10) == -4
    clock.pass_ms(1)
    assert store.get("key") is None


def test_only_live_whole_numbers_can_be_counted(store: CacheStore, clock: Clock) -> None:
    store.set("text", "five", 60)
    store.set("true", True, 60)
    store.set("over", 5, 60)
    with pytest.raises(TypeError):
        store.increment("text")
    with pytest.raises(TypeError):
        store.increment("true")
    clock.pass_ms(60_000)
    for key in ("over", "never there"):
        with pytest.raises(LookupError):
            store.increment(key)


def test_many_at_once_span_batches(store: CacheStore, clock: Clock) -> None:
    values = {f"key {number}": number for number in range(230)}

    assert store.set_many(values, 60) == []
    assert store.get_many([*values, "never there"]) == values
    store.delete_many(list(values)[:200])
    assert store.get_many(values) == {f"key {number}": number for number in range(200, 230)}
    clock.pass_ms(60_000)
    assert store.get_many(values) == {}


def test_the_same_key_twice_is_one_key(store: CacheStore) -> None:
    store.set("key", 1, 60)

    assert store.get_many(["key", "key"]) == {"key": 1}
    store.delete_many(["key", "key"])
    assert store.get("key") is None


def test_a_value_that_is_too_large_is_refused_and_leaves_no_stale_one(store: CacheStore) -> None:
    store.set("key", "old", 60)
    with pytest.raises(TooLarge):
        store.set("key", TOO_LARGE, 60)
    assert store.get("key") is None

    store.set("key", "old", 60)
    assert store.set_many({"key": TOO_LARGE, "other": 1}, 60) == ["key"]
    assert store.get_many(["key", "other"]) == {"other": 1}

    with pytest.raises(TooLarge):
        store.add("key", TOO_LARGE, 60)


def test_clear_removes_all_or_those_that_begin_so(store: CacheStore) -> None:
    store.set_many({f"page {number}": number for number in range(60)}, 60)
    store.set("answer", 42, None)

    assert store.clear("page ") == 60
    assert store.get("answer") == 42
    assert store.clear() == 1
    assert store.get("answer") is None
    assert store.clear() == 0


def test_cleaning_up_removes_what_has_expired_and_nothing_else(store: CacheStore, clock: Clock) -> None:
    store.set("short", 1, 10)
    store.set("long", 2, 60)
    store.set("ever", 3, None)
    clock.pass_ms(12_000)

    assert store.stats().expired_items == 1
    assert store.clean_up() == 1
    assert store.clean_up() == 0
    assert store.get_many(["long", "ever"]) == {"long": 2, "ever": 3}


def test_in_memory_what_has_expired_is_removed_every_five_minutes(clock: Clock) -> None:
    in_memory = StoreConfig(in_memory=True)
    cache, dedupe = CacheStore(in_memory, clock=clock), DedupeStore(in_memory, clock=clock)
    cache.set("old", 1, 60)
    dedupe.complete("old", 1, job_id=dedupe.register("old"))
    clock.pass_ms(300_000)
    cache.set("new", 1, 60)
    dedupe.register("new")

    assert (cache.stats().total_items, dedupe.stats().total_jobs) == (1, 1)


def test_hits_and_misses_are_counted_for_the_dashboard(store: CacheStore) -> None:
    before = [metrics.total("cache", name) for name in ("Hits", "Misses")]
    store.get("key")
    store.get_or_compute("key", int, 60)
    store.get_or_compute("key", int, 60)
    store.get("key")
    store.get_many(["key", "other", "third"])

    counted = [metrics.total("cache", name) for name in ("Hits", "Misses")]
    assert [now - then for now, then in zip(counted, before, strict=True)] == [3, 4]


def test_the_numbers_count_items_and_bytes(store: CacheStore) -> None:
    assert store.stats() == CacheStats(0, 0, 0)
    store.set("key", "x" * 1000, 60)
    store.set("other", "x" * 1000, None)

    stats = store.stats()
    assert (stats.total_items, stats.expired_items) == (2, 0)
    assert 2000 < stats.estimated_size_bytes < 2600
    assert store.health().success


@pytest.mark.parametrize("key", ["", "x" * 513, "ü" * 257, "line\nbreak", "\x00", "\ud800"])
def test_keys_that_make_no_sense_are_refused(store: CacheStore, key: str) -> None:
    for use in (lambda: store.get(key), lambda: store.set(key, 1, 60), lambda: store.delete(key)):
        with pytest.raises(InvalidKey):
            use()


class Renamed:
    """A class that the next deploy calls otherwise."""


def test_a_value_whose_class_is_gone_is_missing(
    config: StoreConfig, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    codec = SignedPickleCodec()
    store = CacheStore(config, codec=codec, clock=clock)
    store.set("key", Renamed(), 60)
    monkeypatch.delattr(f"{__name__}.Renamed")

    assert store.get("key", "missing") == "missing"
    assert store.get_many(["key"]) == {}
    assert store.get_or_compute("key", lambda: "computed", 60) == "computed"
    assert store.get("key") == "computed"


def test_a_closed_store_refuses_everything(store: CacheStore) -> None:
    store.close()
    uses: list[Callable[[], Any]] = [
        lambda: store.get("key"),
        lambda: store.set("key", 1, 60),
        lambda: store.add("key", 1, 60),
        lambda: store.delete("key"),
        lambda: store.get_many(["key"]),
        lambda: store.get_many([]),
        lambda: store.set_many({"key": 1}, 60),
        lambda: store.set_many({}, 60),
        lambda: store.delete_many([]),
        store.clear,
        store.clean_up,
        store.stats,
        store.health,
        lambda: store.get_or_compute("key", int, 60),
    ]
    for use in uses:
        with pytest.raises(StoreClosed):
            use()


# --- Races


@pytest.mark.parametrize("after_expiry", [False, True])
def test_16_threads_count_exactly_and_add_once(config: StoreConfig, clock: Clock, after_expiry: bool) -> None:
    store = CacheStore(config, clock=clock)
    if after_expiry:
        store.set("flag", "old", 1)
        clock.pass_ms(1000)
    store.set("count", 0, 60)

    def work(number: int) -> bool:
        for _again in range(5):
            store.increment("count")
        return store.add("flag", number, 60)

    added = at_once(work, 16)

    assert store.get("count") == 80
    assert added.count(True) == 1
    assert store.get("flag") == added.index(True)
