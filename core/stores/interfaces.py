"""What the stores take and answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

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
