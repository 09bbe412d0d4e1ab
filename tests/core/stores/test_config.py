"""How a store is configured: the document's defaults and rules, connections of its own, and the choice."""

from typing import Any

import botocore.session
import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from config.engines.dynoxide import Dynoxide
from core.dynamo.errors import Unavailable
from core.dynamo.faults import FaultProxy, Faults
from core.stores import factory
from core.stores.cache import CacheStore
from core.stores.config import StoreConfig
from core.stores.errors import StoreClosed
from core.stores.interfaces import Limit
from core.stores.memory import MemoryTable
from core.stores.models import StoreItem


def test_the_defaults_are_those_of_the_document() -> None:
    config = StoreConfig()

    assert config.table_name == StoreItem.Meta.table_name == "comic-vine-store"
    assert (config.region, config.endpoint, config.client) == (None, None, None)
    assert (config.max_retries, config.retry_delay_ms) == (3, 100)
    assert (config.batch_size, config.cleanup_interval_ms) == (25, 300_000)


@pytest.mark.parametrize(
    ("wrong", "rule"),
    [
        ({"table_name": "x"}, "table_name"),
        ({"table_name": "my table"}, "table_name"),
        ({"endpoint": "localhost:8000"}, "endpoint"),
        ({"max_retries": -1}, "max_retries"),
        ({"retry_delay_ms": -1}, "retry_delay_ms"),
        ({"batch_size": 0}, "batch_size"),
        ({"batch_size": 26}, "batch_size"),
        ({"cleanup_interval_ms": -1}, "cleanup_interval_ms"),
    ],
)
def test_a_wrong_setting_is_named(wrong: dict[str, Any], rule: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=rule):
        StoreConfig(**wrong)


@pytest.mark.parametrize("retries", [0, 5])
def test_a_store_has_its_own_number_of_retries(proxy: FaultProxy, retries: int) -> None:
    store = CacheStore(StoreConfig(max_retries=retries, retry_delay_ms=1))
    for faults in (Faults(error=1), Faults(throttle=1)):
        proxy.faults = faults
        proxy.clear()
        with pytest.raises(Unavailable):
            store.get("key")
        assert proxy.requests == ["GetItem"] * (retries + 1)
    store.close()


def test_a_store_may_live_elsewhere(db: Dynoxide, own_engine: Dynoxide) -> None:
    near, far = CacheStore(), CacheStore(StoreConfig(endpoint=db.endpoint, region="eu-west-1"))
    far.set("key", "far", 60)

    assert near.get("key") is None
    assert far.get("key") == "far"
    far.close()
    with pytest.raises(StoreClosed):
        far.get("key")


def test_a_store_takes_the_client_it_is_given_and_leaves_it_open(db: Dynoxide) -> None:
    client = botocore.session.get_session().create_client(
        "dynamodb", region_name="eu-central-1", endpoint_url=db.endpoint
    )
    store = CacheStore(StoreConfig(client=client, endpoint="http://127.0.0.1:1"))
    store.set("key", "value", 60)
    store.close()

    assert CacheStore().get("key") == "value"
    assert client.list_tables()["TableNames"]
    client.close()


def test_batches_are_as_large_as_configured(proxy: FaultProxy) -> None:
    proxy.clear()
    CacheStore(StoreConfig(batch_size=10)).set_many({f"{n}": n for n in range(25)}, 60)

    assert proxy.requests == ["BatchWriteItem"] * 3


def test_the_setting_chooses_where_stores_keep_their_things_and_back(settings: Settings) -> None:
    def are_in_memory() -> set[bool]:
        limit = Limit(1, 1000)
        stores = [
            factory.cache_store(),
            factory.dedupe_store(),
            factory.rate_limit_store(limit),
            factory.adaptive_store(limit),
        ]
        return {isinstance(store._table, MemoryTable) for store in stores}

    assert are_in_memory() == {False}
    settings.STORES = "memory"
    assert are_in_memory() == {True}
    settings.STORES = "dynamodb"
    assert are_in_memory() == {False}
