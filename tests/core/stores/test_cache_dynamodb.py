"""The cache in DynamoDB: what it costs, what it writes, and what lost answers and outages do."""

import pickle
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from pytest_django import Settings

from config.engines.dynoxide import Dynoxide
from core.dynamo import maintenance, metering
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import MissingTable, TooLarge, Unavailable
from core.dynamo.faults import FaultProxy, Faults
from core.stores import metrics, table
from core.stores.cache import CacheStore, DynamoDBCache
from core.stores.config import StoreConfig
from core.stores.models import StoreItem
from tests.core.stores.conftest import Clock

pytestmark = pytest.mark.usefixtures("db")


@pytest.fixture
def store(clock: Clock) -> CacheStore:
    return CacheStore(clock=clock)


@pytest.fixture
def django_cache() -> BaseCache:
    """The backend as the settings declare it, and new, so that no earlier test has used it."""
    return caches.create_connection("default")


def rows() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = maintenance.request("Scan", TableName=StoreItem.Meta.table_name)["Items"]
    return found


# --- What it costs: one table unit and, where the index is written, one index unit per key that changes there


@pytest.mark.parametrize(
    ("use", "operations", "units"),
    [
        (lambda store: store.get("there"), ["GetItem"], 1),
        (lambda store: store.get("missing"), ["GetItem"], 1),
        (lambda store: store.has("there"), ["GetItem"], 1),
        (lambda store: store.set("new", 1, 60), ["PutItem"], 2),
        (lambda store: store.set("there", 2, 60), ["PutItem"], 1),
        (lambda store: store.set("there", 2, 90), ["PutItem"], 3),
        (lambda store: store.set("large", "x" * 10_000, 60), ["PutItem"], 11),
        (lambda store: store.set("there", "x" * 500_000, 60), ["DeleteItem"], 2),
        (lambda store: store.add("new", 1, 60), ["PutItem"], 2),
        (lambda store: store.touch("there", 120), ["UpdateItem"], 3),
        (lambda store: store.increment("there"), ["UpdateItem"], 1),
        (lambda store: store.delete("there"), ["DeleteItem"], 2),
        (lambda store: store.get_many([f"{n}" for n in range(150)]), ["BatchGetItem"] * 2, 150),
        (lambda store: store.set_many({f"{n}": n for n in range(50)}, 60), ["BatchWriteItem"] * 2, 100),
        (lambda store: store.delete_many(["there", "missing"]), ["BatchWriteItem"], 3),
        (lambda store: store.get_or_compute("there", int, 60), ["GetItem"], 1),
        (lambda store: store.get_or_compute("new", int, 60), ["GetItem", "PutItem", "PutItem"], 6),
        (lambda store: store.clear(), ["Query", "BatchWriteItem"], 2.5),
        (lambda store: store.stats(), ["Query"], 0.5),
        (lambda store: store.health(), ["GetItem"], 0.5),
    ],
)
def test_each_operation_costs_so_much(
    store: CacheStore, use: Callable[[CacheStore], Any], operations: list[str], units: float
) -> None:
    store.set("there", 1, 60)

    with metering.metered() as meter, suppress(TooLarge):
        use(store)

    assert (meter.operations, meter.units) == (operations, units)


def test_refusals_cost_one_request_too(store: CacheStore) -> None:
    store.set("text", "five", 60)
    with metering.metered() as meter:
        store.add("text", 1, 60)
        store.delete("missing")
        store.touch("missing", 60)
        for key, error in (("text", TypeError), ("missing", LookupError)):
            with pytest.raises(error):
                store.increment(key)

    assert meter.operations == ["PutItem", "DeleteItem", "UpdateItem", "UpdateItem", "UpdateItem"]


# --- What it writes


def test_an_item_looks_as_the_document_says(store: CacheStore) -> None:
    store.set("abc", {"a": 1}, 0.5)
    store.set("ever", 7, None)

    ever, short = sorted(rows(), key=lambda row: "TTL" in row)
    assert short == {
        "PK": {"S": "CACHE#abc"},
        "SK": {"S": "DATA"},
        "TTL": {"N": "1800000001"},
        "Data": {"M": {"value": {"S": '{"a":1}'}, "createdAt": {"N": "1800000000000"}}},
        "GSI1PK": {"S": "EXPIRES#CACHE"},
        "GSI1SK": {"S": "1800000001#CACHE#abc"},
        "expiresAt": {"N": "1800000000500"},
        "softExpiresAt": {"N": "1800000000450"},
        "size": short["size"],
    }
    assert ever["GSI1SK"] == {"S": "9999999999#CACHE#ever"}
    assert ever["Data"]["M"]["value"] == {"N": "7"}


def test_cleaning_up_spares_what_was_set_again_since_the_index_was_read(
    store: CacheStore, clock: Clock, proxy: FaultProxy
) -> None:
    store.set("key", "old", 1)
    clock.pass_ms(5_000)
    proxy.faults = Faults(stale_index=1)
    store.set("key", "new", 60)
    listed = [item["PK"]["S"] for item in store._table.all_listed("CACHE", before=clock.ms // 1000)]

    assert store.clean_up() == 0
    assert store.get("key") == "new"
    assert listed == ["CACHE#key"], "the index still shows the old one"


def test_unprocessed_keys_are_asked_for_and_written_again(store: CacheStore, proxy: FaultProxy) -> None:
    proxy.faults = Faults(unprocessed=0.5)
    values = {f"key {number}": number for number in range(60)}

    store.set_many(values, 60)

    assert store.get_many(values) == values
    store.delete_many(values)
    proxy.faults = Faults()
    assert store.get_many(values) == {}
    assert proxy.injected["unprocessed"] > 0


def test_what_stays_unprocessed_is_an_outage(
    store: CacheStore, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "BATCH_ATTEMPTS", 1)
    proxy.faults = Faults(unprocessed=1)
    for use in (lambda: store.get_many(["a", "b"]), lambda: store.set_many({"a": 1, "b": 2}, 60)):
        with pytest.raises(Unavailable):
            use()


def test_a_page_may_clear_the_cache_because_that_is_no_scan(store: CacheStore) -> None:
    store.set("key", 1, 60)
    with request_deadline():
        assert store.clear() == 1


def test_a_lost_answer_is_not_taken_for_somebody_elses_write(proxy: FaultProxy) -> None:
    store = CacheStore(StoreConfig(max_retries=30, retry_delay_ms=1))
    added, counted, computed = [], [], []
    waited = metrics.total("cache", "Waits")
    for number in range(10):
        proxy.faults = Faults(lost_answer=0.4)
        added.append(store.add(f"lock {number}", 1, 60))
        counted.append(store.increment(f"lock {number}"))
        computed.append(store.get_or_compute(f"value {number}", lambda: "value", 60))
        proxy.faults = Faults()

    assert (added, counted, computed) == ([True] * 10, [2] * 10, ["value"] * 10)
    assert metrics.total("cache", "Waits") == waited, "nobody waited for their own lease"
    assert proxy.injected["lost_answer"] > 0
    store.close()


# --- Django's cache framework on it


def test_the_backend_of_the_settings_is_ours(django_cache: BaseCache) -> None:
    assert isinstance(django_cache, DynamoDBCache)


@pytest.mark.parametrize(
    ("use", "operations"),
    [
        (lambda cache: cache.get("key"), ["GetItem"]),
        (lambda cache: cache.set("key", [1]), ["PutItem"]),
        (lambda cache: cache.add("key", [1]), ["PutItem"]),
        (lambda cache: cache.incr("number"), ["UpdateItem"]),
        (lambda cache: cache.decr("number"), ["UpdateItem"]),
        (lambda cache: cache.touch("key"), ["UpdateItem"]),
        (lambda cache: cache.delete("key"), ["DeleteItem"]),
        (lambda cache: "key" in cache, ["GetItem"]),
        (lambda cache: cache.get_many(["key", "number"]), ["BatchGetItem"]),
        (lambda cache: cache.set_many({"key": 1, "number": 2}), ["BatchWriteItem"]),
        (lambda cache: cache.get_or_set("number", 5), ["GetItem"]),
    ],
)
def test_each_call_of_the_framework_is_one_request(
    django_cache: BaseCache, use: Callable[[BaseCache], Any], operations: list[str]
) -> None:
    django_cache.set("number", 1)

    with metering.metered() as meter:
        use(django_cache)

    assert meter.operations == operations


@pytest.mark.filterwarnings("ignore::django.core.cache.backends.base.CacheKeyWarning")
def test_long_keys_do_not_collide(django_cache: BaseCache) -> None:
    django_cache.set_many({"k" * 3000 + "a": 1, "k" * 3000 + "b": 2})

    assert django_cache.get("k" * 3000 + "a") == 1
    assert django_cache.get("k" * 3000 + "b") == 2


class Bomb:
    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("what was not signed was unpickled",)


def stored_value(key: str) -> dict[str, Any]:
    (row,) = [row for row in rows() if row["PK"]["S"] == f"CACHE#django:::1:{key}"]
    return row


@pytest.mark.parametrize("signature", [b"", b"\x00" * 32, b"\xff" * 40])
def test_what_we_did_not_sign_is_never_unpickled(django_cache: BaseCache, signature: bytes) -> None:
    django_cache.set("key", "good")
    row = stored_value("key")
    row["Data"]["M"]["value"] = {"B": signature + b"\x00" + pickle.dumps(Bomb())}
    maintenance.request("PutItem", TableName=StoreItem.Meta.table_name, Item=row)

    assert django_cache.get("key", "missing") == "missing"


def test_a_signed_value_is_good_for_its_own_key_only(django_cache: BaseCache) -> None:
    django_cache.set_many({"mine": "mine", "yours": "yours"})
    row = stored_value("yours") | {"PK": stored_value("mine")["PK"]}
    maintenance.request("PutItem", TableName=StoreItem.Meta.table_name, Item=row)

    assert django_cache.get("mine", "missing") == "missing"
    assert django_cache.get("yours") == "yours"


def test_an_earlier_secret_key_still_reads(django_cache: BaseCache, settings: Settings) -> None:
    django_cache.set("key", ["value"])
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-key-" + "x" * 50
    assert django_cache.get("key") == ["value"]

    settings.SECRET_KEY_FALLBACKS = []
    assert django_cache.get("key") is None


def test_a_large_value_is_kept_compressed(django_cache: BaseCache) -> None:
    django_cache.set("key", "x" * 1_000_000)

    assert django_cache.get("key") == "x" * 1_000_000
    assert len(stored_value("key")["Data"]["M"]["value"]["B"]) < 5_000


@pytest.mark.filterwarnings("ignore::django.core.cache.backends.base.CacheKeyWarning")
def test_clearing_a_prefix_clears_nothing_of_others() -> None:
    long_key = "k" * 3000
    caches_by_prefix = {
        prefix: DynamoDBCache("", {"KEY_PREFIX": prefix}) for prefix in ("", "a", "a:b", "ab")
    }
    for cache in caches_by_prefix.values():
        cache.set_many({"key": 1, long_key: 2})
        cache.set("key", 3, version=2)
    CacheStore().set("an answer of another service", 4, 60)

    caches_by_prefix["a"].clear()

    left = {
        prefix: [cache.get("key"), cache.get(long_key), cache.get("key", version=2)]
        for prefix, cache in caches_by_prefix.items()
    }
    assert left == {"": [1, 2, 3], "a": [None, None, None], "a:b": [1, 2, 3], "ab": [1, 2, 3]}
    assert CacheStore().get("an answer of another service") == 4


def test_a_missing_table_is_no_outage(caplog: pytest.LogCaptureFixture) -> None:
    cache = DynamoDBCache("no-such-table", {})
    with pytest.raises(MissingTable, match="This part of the site is not set up yet"):
        cache.get("key")
    assert "a table does not exist, of no-such-table" in caplog.text


def test_another_table_and_other_options_may_be_named(settings: Settings) -> None:
    backend = DynamoDBCache("another-table", {"OPTIONS": {"max_retries": 0, "MAX_ENTRIES": 300}})

    assert backend._store._table.config == backend.config
    assert (backend.config.table_name, backend.config.max_retries) == ("another-table", 0)


def test_without_dynamodb_reads_miss_and_writes_raise(own_engine: Dynoxide, django_cache: BaseCache) -> None:
    django_cache.set("key", "value")
    own_engine.kill()

    assert django_cache.get("key", "missing") == "missing"
    assert django_cache.get_many(["key"]) == {}
    assert "key" not in django_cache
    assert django_cache.get_or_set("key", lambda: "computed") == "computed"
    for write in (
        lambda: django_cache.set("key", "new"),
        lambda: django_cache.add("new", 1),
        lambda: django_cache.incr("new"),
        lambda: django_cache.delete("key"),
    ):
        with pytest.raises(Unavailable):
            write()

    own_engine.restart()
    assert django_cache.get("key") == "value"
    assert settings.STORES == "dynamodb"
