"""The cache: a store of values with a time, and Django's cache framework on it."""

from core.stores.cache.backend import DynamoDBCache
from core.stores.cache.store import CacheStore

__all__ = ["CacheStore", "DynamoDBCache"]
