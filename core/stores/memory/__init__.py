"""The same stores in the memory of one process: for a site of one process, for tests, and as a fallback.

Tests hold them to the same promises as the stores in DynamoDB. Limits here are exact to the millisecond;
in DynamoDB they free a place up to a twentieth of the window later.
"""

from core.stores.memory.cache import MemoryCacheStore
from core.stores.memory.dedupe import MemoryDedupeStore
from core.stores.memory.limits import MemoryAdaptiveRateLimitStore, MemoryRateLimitStore

__all__ = [
    "MemoryAdaptiveRateLimitStore",
    "MemoryCacheStore",
    "MemoryDedupeStore",
    "MemoryRateLimitStore",
]
