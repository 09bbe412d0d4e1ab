"""A rate limit that reserves a share for people while they are active; background jobs get the rest.

The limit itself is exact, as in the plain store. Background jobs are held to their share by a second family
of counters in the same item and the same request. The shares follow from the recent activity: counts in
buckets of 20 seconds (for the usual window) in that item, from which one process per interval writes META.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.dynamo.attributes import unwrap, wrap
from core.dynamo.items import RawItem
from core.stores.capacity import Activity, AdaptiveSettings, Capacity, capacity
from core.stores.config import StoreConfig
from core.stores.interfaces import AdaptiveStats, AdaptiveStatus, AdaptiveUse, Limit, Priority
from core.stores.ratelimit import PREFIX, TAKEN, RateLimitStore, moment, state_key
from core.stores.sliding_window import LATE_PARTS, Window, numbers
from core.stores.table import ConditionFailed, checked, int_of, key_of, now_ms, number

META_PREFIX = "ADAPTIVE#"
BY_BACKGROUND = "g"
USER_BUCKET, BACKGROUND_BUCKET = "u", "b"
# Fifteen for each third of the monitoring window.
BUCKETS = 45


@dataclass(frozen=True)
class Allocation:
    """The shares, and when they were calculated."""

    capacity: Capacity
    calculated_at: int
    user_requests: int
    background_requests: int


class AdaptiveRateLimitStore(RateLimitStore):
    def __init__(
        self,
        config: StoreConfig | None = None,
        *,
        default: Limit | None = None,
        limits: Mapping[str, Limit] | None = None,
        settings: AdaptiveSettings | None = None,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        super().__init__(config, default=default, limits=limits, clock=clock)
        self._settings = settings or AdaptiveSettings()
        self._bucket_ms = max(1, self._settings.monitoring_window_ms // BUCKETS)
        self._allocations: dict[str, Allocation] = {}
        self._lock = threading.Lock()

    def get_status(self, resource: str) -> AdaptiveStatus:
        state, stored = self._read(resource)
        return self._status(resource, state, self._renewed(resource, state, stored))

    def stats(self, resources: Iterable[str]) -> AdaptiveStats:
        """As in the plain store, with the shares, by BatchGets of fifty resources."""
        self._now()
        distinct = list(dict.fromkeys(resources))
        keys = [key for resource in distinct for key in (state_key(resource), meta_key(resource))]
        found = {item["PK"]["S"]: item for item in self._table.get_many(keys)}
        states = {resource: found.get(PREFIX + resource, {}) for resource in distinct}
        uses = {
            resource: self._use(resource, state, found.get(META_PREFIX + resource, {}))
            for resource, state in states.items()
        }
        return AdaptiveStats(
            **vars(self._limit_stats(states)),
            user_requests=sum(use.user_requests for use in uses.values()),
            background_requests=sum(use.background_requests for use in uses.values()),
            resources=uses,
        )

    def recalculate(self, resource: str) -> AdaptiveStatus:
        """Calculate the shares now, without waiting for the interval."""
        state, allocation = self._read(resource)
        return self._status(resource, state, self._calculate(resource, state, allocation))

    def reset(self, resource: str) -> None:
        """Free all places, and forget the recent activity."""
        now = self._now()
        unknown = Activity(0, 0, 0, 0, None, None)
        initial = capacity(self.limit_of(resource).requests, unknown, self._settings, now)
        meta = _meta_item(resource, _allocation(initial, unknown, now), reason="Manually reset")
        table = self._table.name
        self._table.transact(
            {"Delete": {"TableName": table, "Key": state_key(resource)}},
            {"Put": {"TableName": table, "Item": meta}},
        )
        self._allocations.pop(resource, None)
        self._forget_refusals(resource)

    def _families(self, priority: Priority) -> Sequence[str]:
        return (TAKEN,) if priority == "user" else (TAKEN, BY_BACKGROUND)

    def _caps(self, resource: str, priority: Priority) -> dict[str, int]:
        caps = super()._caps(resource, priority)
        if priority == "background":
            shared = self._current(resource).capacity
            caps[BY_BACKGROUND] = (0 if shared.background_paused else shared.background_max) - 1
        return caps

    def _next_chance(self, resource: str, now: int) -> int:
        """If the share is 0: after the next calculation."""
        allocation = self._allocations.get(resource)
        if allocation is None:
            return super()._next_chance(resource, now)
        return max(now + 1, allocation.calculated_at + self._settings.recalculation_interval_ms)

    def _activity_of(self, priority: Priority, now: int) -> dict[str, Any]:
        is_user = priority == "user"
        bucket = f"{USER_BUCKET if is_user else BACKGROUND_BUCKET}{now // self._bucket_ms}"
        return {
            "also_add": [f"#{bucket} :one"],
            "also_set": {"lastUserAt" if is_user else "lastBackgroundAt": now},
        }

    def _kept_ms(self, resource: str) -> int:
        settings = self._settings
        looked_back = settings.monitoring_window_ms + 2 * settings.sustained_inactivity_threshold_ms
        return max(super()._kept_ms(resource), looked_back)

    def _over(self, state: RawItem, window: Window, now: int) -> list[str]:
        part, bucket = window.part_at(now) - LATE_PARTS, now // self._bucket_ms - BUCKETS
        first = {TAKEN: part, BY_BACKGROUND: part, USER_BUCKET: bucket, BACKGROUND_BUCKET: bucket}
        return [
            f"{family}{n}" for family, least in first.items() for n in numbers(state, family) if n < least
        ]

    def _current(self, resource: str) -> Allocation:
        """The allocation in force; read or calculated at most once per interval in a process."""
        allocation = self._allocations.get(resource)
        if allocation is None or not self._is_current(allocation):
            with self._lock:
                allocation = self._allocations.get(resource)
                if allocation is None or not self._is_current(allocation):
                    state, stored = self._read(resource)
                    allocation = self._allocations[resource] = self._renewed(resource, state, stored)
        return allocation

    def _renewed(self, resource: str, state: RawItem, stored: Allocation | None) -> Allocation:
        if stored is not None and self._is_current(stored):
            return stored
        return self._calculate(resource, state, stored)

    def _is_current(self, allocation: Allocation) -> bool:
        return self._now() < allocation.calculated_at + self._settings.recalculation_interval_ms

    def _read(self, resource: str) -> tuple[RawItem, Allocation | None]:
        """The limiter's state and META, in one request."""
        found = {
            item["SK"]["S"]: item for item in self._table.get_many([state_key(resource), meta_key(resource)])
        }
        return found.get("STATE", {}), allocation_in(found.get("META", {}))

    def _use(self, resource: str, state: RawItem, meta: RawItem) -> AdaptiveUse:
        now = self._now()
        taken, by_background = (self._used(resource, state, kind, now) for kind in (TAKEN, BY_BACKGROUND))
        allocation = allocation_in(meta)
        if allocation is None or not self._is_current(allocation):
            # Calculated like for the next request, but not written: statistics change nothing.
            allocation = self._calculated(resource, state)
        return AdaptiveUse(
            request_count=taken,
            user_requests=max(0, taken - by_background),
            background_requests=by_background,
            allocation=self._status(resource, state, allocation),
        )

    def _calculated(self, resource: str, state: RawItem) -> Allocation:
        now = self._now()
        activity = self._activity(state, now)
        share = capacity(self.limit_of(resource).requests, activity, self._settings, now)
        return _allocation(share, activity, now)

    def _calculate(self, resource: str, state: RawItem, seen: Allocation | None) -> Allocation:
        """Write META unless another process was first; then use what that one wrote."""
        calculated = self._calculated(resource, state)
        condition: dict[str, Any] = {"ConditionExpression": "attribute_not_exists(#Data.#backgroundMax)"}
        if seen is not None:
            condition = {
                "ConditionExpression": "#Data.#lastCalculation = :seen",
                "ExpressionAttributeValues": {":seen": number(seen.calculated_at)},
            }
        try:
            self._table.put(_meta_item(resource, calculated), **condition)
        except ConditionFailed as refused:
            calculated = allocation_in(refused.stored) or calculated
        self._allocations[resource] = calculated
        return calculated

    def _activity(self, state: RawItem, now: int) -> Activity:
        """The activity by the buckets; each counts as long as part of it is in the window."""
        last = now // self._bucket_ms

        def between(family: str, newest: int, oldest: int) -> int:
            return sum(
                int_of(state, f"{family}{bucket}")
                for bucket in numbers(state, family)
                if last - oldest < bucket <= last - newest
            )

        third = BUCKETS // 3
        return Activity(
            user_requests=between(USER_BUCKET, 0, BUCKETS),
            latest_user_requests=between(USER_BUCKET, 0, third),
            earlier_user_requests=between(USER_BUCKET, third, 2 * third),
            background_requests=between(BACKGROUND_BUCKET, 0, BUCKETS),
            last_user_at=int_of(state, "lastUserAt") if "lastUserAt" in state else None,
            last_background_at=int_of(state, "lastBackgroundAt") if "lastBackgroundAt" in state else None,
        )

    def _status(self, resource: str, state: RawItem, allocation: Allocation) -> AdaptiveStatus:
        return AdaptiveStatus(
            **vars(self._limit_status(resource, state)),
            **vars(allocation.capacity),
            recent_user_activity=allocation.user_requests,
            last_calculation=moment(allocation.calculated_at),
        )


def meta_key(resource: str) -> RawItem:
    return key_of(META_PREFIX + checked(resource), "META")


def _allocation(share: Capacity, activity: Activity, now: int) -> Allocation:
    return Allocation(share, now, activity.user_requests, activity.background_requests)


def _meta_item(resource: str, allocation: Allocation, *, reason: str = "") -> RawItem:
    share = allocation.capacity
    data = {
        "userRequestCount": allocation.user_requests,
        "backgroundRequestCount": allocation.background_requests,
        "lastCalculation": allocation.calculated_at,
        "backgroundPaused": share.background_paused,
        "activityLevel": share.activity_level,
        "reason": reason or share.reason,
        "userReserved": share.user_reserved,
        "backgroundMax": share.background_max,
    }
    return meta_key(resource) | {"Data": wrap(data)}


def allocation_in(meta: RawItem) -> Allocation | None:
    """The shares in META; that of the original package, under the same key, has none."""
    if "Data" not in meta or "backgroundMax" not in meta["Data"]["M"]:
        return None
    data = unwrap(meta["Data"])
    share = Capacity(
        user_reserved=data["userReserved"],
        background_max=data["backgroundMax"],
        background_paused=data["backgroundPaused"],
        activity_level=data["activityLevel"],
        reason=data["reason"],
    )
    return Allocation(
        share, data["lastCalculation"], data["userRequestCount"], data["backgroundRequestCount"]
    )
