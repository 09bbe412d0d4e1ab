"""The protocols of the stores; tests run against both implementations, DynamoDB and memory."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol, TypeVar

T = TypeVar("T")
Priority = Literal["user", "background"]
ActivityLevel = Literal["low", "moderate", "high"]
JobStatus = Literal["pending", "completed", "failed"]


@dataclass(frozen=True)
class CacheStats:
    total_items: int
    expired_items: int
    estimated_size_bytes: int


@dataclass(frozen=True)
class Health:
    success: bool
    duration_ms: float
    details: str


class CacheStore(Protocol):
    """Values by hash, each with a TTL. None never expires; 0 or less expires at once."""

    def get(self, hash: str, default: Any = None) -> Any: ...

    def set(self, hash: str, value: Any, ttl_seconds: float | None) -> None: ...

    def add(self, hash: str, value: Any, ttl_seconds: float | None) -> bool: ...

    def touch(self, hash: str, ttl_seconds: float | None) -> bool: ...

    def increment(self, hash: str, by: int = 1) -> int: ...

    def delete(self, hash: str) -> bool: ...

    def get_many(self, hashes: Iterable[str]) -> dict[str, Any]: ...

    def set_many(self, values: Mapping[str, Any], ttl_seconds: float | None) -> list[str]: ...

    def delete_many(self, hashes: Iterable[str]) -> None: ...

    def get_or_compute(self, hash: str, compute: Callable[[], Any], ttl_seconds: float | None) -> Any: ...

    def clear(self, prefix: str = "") -> int: ...

    def clean_up(self) -> int: ...

    def stats(self) -> CacheStats: ...

    def health(self) -> Health: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Job:
    """Work that many wait for and one does. Times are epoch milliseconds."""

    job_id: str
    status: JobStatus
    lease_until: int
    created_at: int
    attempt: int
    result: Any = None
    error: str = ""


@dataclass(frozen=True)
class Registration:
    """With `is_owner` the caller does the `job`; otherwise somebody else does, or did."""

    is_owner: bool
    job: Job

    @property
    def job_id(self) -> str:
        return self.job.job_id


@dataclass(frozen=True)
class DedupeStats:
    total_jobs: int
    pending_jobs: int
    completed_jobs: int
    failed_jobs: int
    expired_jobs: int


class DedupeStore(Protocol):
    """Concurrent requests for the same work: one does it, the others wait for its result."""

    def wait_for(self, hash: str, *, timeout_seconds: float = 30.0) -> Any: ...

    def register(self, hash: str) -> str: ...

    def register_or_join(self, hash: str) -> Registration: ...

    def complete(self, hash: str, value: Any, *, job_id: str) -> None: ...

    def fail(self, hash: str, error: Exception, *, job_id: str) -> None: ...

    def is_in_progress(self, hash: str) -> bool: ...

    def run(self, hash: str, work: Callable[[], Any]) -> Any: ...

    def clean_up(self) -> int: ...

    def stats(self) -> DedupeStats: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Limit:
    """At most `requests` in any stretch of `window_ms`."""

    requests: int = 200
    window_ms: int = 60_000

    def __post_init__(self) -> None:
        if self.requests < 0 or self.window_ms < 1:
            raise ValueError("A limit has 0 or more requests and a window of at least a millisecond.")


@dataclass(frozen=True)
class Decision:
    """`wait_ms` says when to ask again, 0 when allowed; `remaining` is how many more fit now."""

    allowed: bool
    wait_ms: int
    remaining: int

    @property
    def retry_after(self) -> int:
        """`wait_ms` in whole seconds, for the HTTP header."""
        return -(-self.wait_ms // 1000)


@dataclass(frozen=True)
class LimitStatus:
    remaining: int
    reset_time: datetime
    limit: int


@dataclass(frozen=True)
class LimitStats:
    """The current usage of some resources; those that are rate-limited have no place left."""

    total_resources: int
    active_resources: int
    rate_limited_resources: int
    total_requests: int


class RateLimitStore(Protocol):
    """At most so many per resource in any trailing window, for all processes together."""

    def acquire(self, resource: str) -> Decision: ...

    def can_proceed(self, resource: str) -> bool: ...

    def record(self, resource: str) -> None: ...

    def get_status(self, resource: str) -> LimitStatus: ...

    def get_wait_time(self, resource: str) -> int: ...

    def cool_down(self, resource: str, milliseconds: int) -> None: ...

    def stats(self, resources: Iterable[str]) -> LimitStats: ...

    def reset(self, resource: str) -> None: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class AdaptiveStatus(LimitStatus):
    user_reserved: int
    background_max: int
    background_paused: bool
    recent_user_activity: int
    activity_level: ActivityLevel
    reason: str
    last_calculation: datetime


@dataclass(frozen=True)
class AdaptiveUse:
    """Usage and shares of one resource within its window."""

    request_count: int
    user_requests: int
    background_requests: int
    allocation: AdaptiveStatus


@dataclass(frozen=True)
class AdaptiveStats(LimitStats):
    user_requests: int
    background_requests: int
    resources: Mapping[str, AdaptiveUse]


class AdaptiveRateLimitStore(Protocol):
    """A rate limit that reserves a share for people while they are active; jobs get the rest."""

    def acquire(self, resource: str, priority: Priority = "background") -> Decision: ...

    def can_proceed(self, resource: str, priority: Priority = "background") -> bool: ...

    def record(self, resource: str, priority: Priority = "background") -> None: ...

    def get_status(self, resource: str) -> AdaptiveStatus: ...

    def get_wait_time(self, resource: str, priority: Priority = "background") -> int: ...

    def cool_down(self, resource: str, milliseconds: int) -> None: ...

    def stats(self, resources: Iterable[str]) -> AdaptiveStats: ...

    def recalculate(self, resource: str) -> AdaptiveStatus: ...

    def reset(self, resource: str) -> None: ...

    def close(self) -> None: ...
