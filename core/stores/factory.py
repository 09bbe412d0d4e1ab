"""Make stores as the setting STORES says: in DynamoDB for all processes, or in the memory of this one."""

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings

from core.stores import memory
from core.stores.adaptive import AdaptiveRateLimitStore
from core.stores.cache import CacheStore
from core.stores.capacity import AdaptiveSettings
from core.stores.dedupe import DedupeStore
from core.stores.interfaces import AdaptiveRateLimitStore as AnyAdaptiveStore
from core.stores.interfaces import CacheStore as AnyCacheStore
from core.stores.interfaces import DedupeStore as AnyDedupeStore
from core.stores.interfaces import Limit
from core.stores.interfaces import RateLimitStore as AnyRateLimitStore
from core.stores.ratelimit import RateLimitStore
from core.stores.table import now_ms


def cache_store(**options: Any) -> AnyCacheStore:
    return memory.MemoryCacheStore(**options) if _in_memory() else CacheStore(**options)


def dedupe_store(**options: Any) -> AnyDedupeStore:
    return memory.MemoryDedupeStore(**options) if _in_memory() else DedupeStore(**options)


def rate_limit_store(
    default: Limit, limits: Mapping[str, Limit] | None = None, *, clock: Callable[[], int] = now_ms
) -> AnyRateLimitStore:
    if _in_memory():
        return memory.MemoryRateLimitStore(default=default, limits=limits, clock=clock)
    return RateLimitStore(default=default, limits=limits, clock=clock)


def adaptive_store(
    default: Limit,
    limits: Mapping[str, Limit] | None = None,
    *,
    shares: AdaptiveSettings | None = None,
    clock: Callable[[], int] = now_ms,
) -> AnyAdaptiveStore:
    if _in_memory():
        return memory.MemoryAdaptiveRateLimitStore(
            default=default, limits=limits, settings=shares, clock=clock
        )
    return AdaptiveRateLimitStore(default=default, limits=limits, settings=shares, clock=clock)


def _in_memory() -> bool:
    return bool(settings.STORES == "memory")
