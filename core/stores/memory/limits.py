"""Rate limits in memory, as the times of all admitted requests."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from core.stores.capacity import AdaptiveSettings, Capacity, activity_of, capacity
from core.stores.interfaces import (
    AdaptiveStats,
    AdaptiveStatus,
    AdaptiveUse,
    Decision,
    Limit,
    LimitStats,
    LimitStatus,
    Priority,
)
from core.stores.keys import checked
from core.stores.memory.closable import Closable
from core.stores.ratelimit import LONGEST_REST_MS, moment
from core.stores.refusal_cache import MOST_REFUSALS
from core.stores.table import now_ms


class MemoryRateLimitStore(Closable):
    def __init__(
        self,
        *,
        default: Limit | None = None,
        limits: Mapping[str, Limit] | None = None,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        super().__init__(clock)
        self._default = default or Limit()
        self._limits = dict(limits or {})
        self._taken: defaultdict[str, list[int]] = defaultdict(list)
        self._rests_until: dict[str, int] = {}

    def acquire(self, resource: str) -> Decision:
        with self._lock:
            wait = self.get_wait_time(resource)
            if wait > 0:
                return Decision(False, wait, 0)
            self.record(resource)
            return Decision(True, 0, self.limit_of(resource).requests - len(self._recent(resource)))

    def can_proceed(self, resource: str) -> bool:
        return self.get_wait_time(resource) == 0

    def record(self, resource: str) -> None:
        with self._lock:
            if len(self._taken) >= MOST_REFUSALS:
                self._taken = defaultdict(
                    list, {key: taken for key in list(self._taken) if (taken := self._recent(key))}
                )
            self._recent(resource).append(self._clock())

    def get_status(self, resource: str) -> LimitStatus:
        with self._lock:
            now, limit, recent = self._clock(), self.limit_of(resource), self._recent(resource)
            rests_until = self._rests_until.get(resource, 0)
            left = 0 if rests_until > now else max(0, limit.requests - len(recent))
            reset = max(rests_until, recent[-1] + limit.window_ms if recent else now)
            return LimitStatus(left, moment(reset), limit.requests)

    def get_wait_time(self, resource: str) -> int:
        with self._lock:
            limit = self.limit_of(resource)
            wait = self._wait(self._recent(resource), limit.requests, limit.window_ms)
            return max(wait, self._rests_until.get(resource, 0) - self._clock())

    def cool_down(self, resource: str, milliseconds: int) -> None:
        with self._lock:
            until = self._clock() + min(milliseconds, LONGEST_REST_MS)
            self._rests_until[checked(resource)] = max(until, self._rests_until.get(resource, 0))

    def stats(self, resources: Iterable[str]) -> LimitStats:
        with self._lock:
            self._clock()
            asked = dict.fromkeys(resources)
            used = [len(self._recent(resource)) for resource in asked]
            left = [self.get_status(resource).remaining for resource in asked]
            return LimitStats(
                total_resources=len(asked),
                active_resources=sum(map(bool, used)),
                rate_limited_resources=left.count(0),
                total_requests=sum(used),
            )

    def reset(self, resource: str) -> None:
        self._clock()
        self._taken.pop(checked(resource), None)
        self._rests_until.pop(resource, None)

    def limit_of(self, resource: str) -> Limit:
        return self._limits.get(resource, self._default)

    def _recent(self, resource: str) -> list[int]:
        """The times within the window; older ones are deleted."""
        taken = self._taken[checked(resource)]
        del taken[: bisect_right(taken, self._clock() - self.limit_of(resource).window_ms)]
        return taken

    def _wait(self, recent: list[int], most: int, window_ms: int) -> int:
        if len(recent) < most:
            return 0
        return window_ms if most <= 0 else recent[-most] + window_ms - self._clock()


@dataclass(frozen=True)
class _Share:
    capacity: Capacity
    user_requests: int
    calculated_at: int


class MemoryAdaptiveRateLimitStore(MemoryRateLimitStore):
    def __init__(
        self,
        *,
        default: Limit | None = None,
        limits: Mapping[str, Limit] | None = None,
        settings: AdaptiveSettings | None = None,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        super().__init__(default=default, limits=limits, clock=clock)
        self._settings = settings or AdaptiveSettings()
        self._moments: dict[Priority, defaultdict[str, list[int]]] = {
            "user": defaultdict(list),
            "background": defaultdict(list),
        }
        self._shares: dict[str, _Share] = {}

    def acquire(self, resource: str, priority: Priority = "background") -> Decision:
        with self._lock:
            wait = self.get_wait_time(resource, priority)
            if wait > 0:
                return Decision(False, wait, 0)
            self.record(resource, priority)
            return Decision(True, 0, self._remaining(resource, priority))

    def can_proceed(self, resource: str, priority: Priority = "background") -> bool:
        return self.get_wait_time(resource, priority) == 0

    def record(self, resource: str, priority: Priority = "background") -> None:
        with self._lock:
            super().record(resource)
            self._moments[priority][resource].append(self._clock())
            self._forget_old(resource)

    def get_wait_time(self, resource: str, priority: Priority = "background") -> int:
        with self._lock:
            wait = super().get_wait_time(resource)
            if priority == "user":
                return wait
            share = self._share(resource)
            most = 0 if share.capacity.background_paused else share.capacity.background_max
            if most == 0:
                next_share = share.calculated_at + self._settings.recalculation_interval_ms
                return max(wait, next_share - self._clock())
            window_ms = self.limit_of(resource).window_ms
            return max(wait, self._wait(self._by_background(resource), most, window_ms))

    def get_status(self, resource: str) -> AdaptiveStatus:
        with self._lock:
            plain, share = super().get_status(resource), self._share(resource)
            return AdaptiveStatus(
                remaining=plain.remaining,
                reset_time=plain.reset_time,
                limit=plain.limit,
                user_reserved=share.capacity.user_reserved,
                background_max=share.capacity.background_max,
                background_paused=share.capacity.background_paused,
                recent_user_activity=share.user_requests,
                activity_level=share.capacity.activity_level,
                reason=share.capacity.reason,
                last_calculation=moment(share.calculated_at),
            )

    def stats(self, resources: Iterable[str]) -> AdaptiveStats:
        with self._lock:
            asked = list(dict.fromkeys(resources))
            uses = {resource: self._use(resource) for resource in asked}
            return AdaptiveStats(
                **vars(super().stats(asked)),
                user_requests=sum(use.user_requests for use in uses.values()),
                background_requests=sum(use.background_requests for use in uses.values()),
                resources=uses,
            )

    def recalculate(self, resource: str) -> AdaptiveStatus:
        with self._lock:
            self._shares.pop(resource, None)
            return self.get_status(resource)

    def reset(self, resource: str) -> None:
        with self._lock:
            super().reset(resource)
            for moments in self._moments.values():
                moments.pop(resource, None)
            share = self._calculated(resource)
            self._shares[resource] = replace(share, capacity=replace(share.capacity, reason="Manually reset"))

    def _share(self, resource: str) -> _Share:
        known = self._shares.get(resource)
        interval = self._settings.recalculation_interval_ms
        if known is None or self._clock() >= known.calculated_at + interval:
            known = self._shares[resource] = self._calculated(resource)
        return known

    def _calculated(self, resource: str) -> _Share:
        now, settings = self._clock(), self._settings
        self._forget_old(resource)
        user, background = (self._moments[priority][resource] for priority in ("user", "background"))
        activity = activity_of(user, background, now, settings.monitoring_window_ms)
        share = capacity(self.limit_of(resource).requests, activity, settings, now)
        return _Share(share, activity.user_requests, now)

    def _forget_old(self, resource: str) -> None:
        kept_ms = max(self._settings.monitoring_window_ms, self.limit_of(resource).window_ms)
        for moments in self._moments.values():
            # The last one is kept: its time is needed to detect sustained inactivity.
            known = moments[resource]
            del known[: min(bisect_right(known, self._clock() - kept_ms), max(0, len(known) - 1))]

    def _use(self, resource: str) -> AdaptiveUse:
        taken, by_background = len(self._recent(resource)), len(self._by_background(resource))
        return AdaptiveUse(taken, taken - by_background, by_background, self.get_status(resource))

    def _by_background(self, resource: str) -> list[int]:
        moments = self._moments["background"][resource]
        return moments[bisect_right(moments, self._clock() - self.limit_of(resource).window_ms) :]

    def _remaining(self, resource: str, priority: Priority) -> int:
        left = self.limit_of(resource).requests - len(self._recent(resource))
        if priority == "background":
            share = self._share(resource).capacity
            left = min(left, share.background_max - len(self._by_background(resource)))
        return max(0, left)
