"""Make stores as the setting STORES says: in DynamoDB for all processes, or in the memory of this one."""

from typing import Any

from django.conf import settings

from core.stores.adaptive import AdaptiveRateLimitStore
from core.stores.cache import CacheStore
from core.stores.config import StoreConfig
from core.stores.dedupe import DedupeStore
from core.stores.interfaces import Limit
from core.stores.ratelimit import RateLimitStore


def cache_store(**options: Any) -> CacheStore:
    return CacheStore(_config(), **options)


def dedupe_store(**options: Any) -> DedupeStore:
    return DedupeStore(_config(), **options)


def rate_limit_store(default: Limit, *, in_process: bool = False, **options: Any) -> RateLimitStore:
    """With `in_process`, one in the memory of this process whatever the setting says."""
    return RateLimitStore(_config(in_memory=in_process), default=default, **options)


def adaptive_store(default: Limit, **options: Any) -> AdaptiveRateLimitStore:
    return AdaptiveRateLimitStore(_config(), default=default, **options)


def _config(*, in_memory: bool = False) -> StoreConfig:
    return StoreConfig(in_memory=in_memory or settings.STORES == "memory")
