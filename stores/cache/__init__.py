"""The cache: a store of values with a time, and Django's cache framework on it."""

from stores.cache.backend import DynamoDBCache
from stores.cache.store import CacheStore

__all__ = ["CacheStore", "DynamoDBCache"]
