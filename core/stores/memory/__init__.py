"""The stores in the memory of one process: for a site of one process, for tests, and as a fallback.

The same tests run for them and for the stores in DynamoDB. Limits are exact to the millisecond here; in
DynamoDB capacity is released up to a twentieth of the window later.
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
