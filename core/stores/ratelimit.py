"""Rate limits over a trailing window in DynamoDB, exact for all processes; one request per call."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from core.dynamo.items import RawItem
from core.stores import metrics
from core.stores.config import StoreConfig
from core.stores.interfaces import Decision, Limit, LimitStats, LimitStatus, Priority
from core.stores.memory import open_table
from core.stores.refusal_cache import MOST_REFUSALS, RefusalCache
from core.stores.sliding_window import LATE_PARTS, PARTS, Window, numbers
from core.stores.table import ConditionFailed, checked, int_of, key_of, now_ms, number, ttl_of

PREFIX = "RATELIMIT#"
TAKEN = "e"
IN_TIME = "(attribute_not_exists(#lastAt) OR #lastAt <= :latest)"
RESTED = "(attribute_not_exists(#coolDownUntil) OR #coolDownUntil <= :lastAt)"
TRIES_WHEN_LATE = 3
LONGEST_REST_MS = 24 * 3600 * 1000


class RateLimitStore:
    """`limits` are the limits of single resources, in place of `default`.

    Priorities matter to the adaptive store only.
    """

    def __init__(
        self,
        config: StoreConfig | None = None,
        *,
        default: Limit | None = None,
        limits: Mapping[str, Limit] | None = None,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._table = open_table(config, store="ratelimit", clock=clock)
        self._now = self._table.now
        self._default = default or Limit()
        self._limits = dict(limits or {})
        self._refusals = RefusalCache()
        # Ended parts in the last answer that a usual write does not remove, as after a pause.
        self._leftovers: dict[str, list[str]] = {}

    def acquire(self, resource: str, priority: Priority = "background") -> Decision:
        """Take a place if there is one; exact under concurrency."""
        window, refusal_key = Window(self.limit_of(resource).window_ms), f"{priority}#{resource}"
        for _try in range(TRIES_WHEN_LATE):
            refused_for = self._refusals.until(refusal_key) - self._now()
            if refused_for > 0:
                return refusal(refused_for)
            caps = self._caps(resource, priority)
            # After looking up the caps, which may have taken a while.
            now = self._now()
            if min(caps.values()) < 0:
                return refusal(self._next_chance(resource, now) - now)
            try:
                state = self._charge(resource, now, caps, **self._activity_of(priority, now))
            except ConditionFailed as refused:
                if window.is_late(refused.stored, TAKEN, now):
                    continue
                free_at = self._free_at(resource, refused.stored, caps, now)
                self._refusals.add(refusal_key, free_at, now)
                return refusal(free_at - now)
            part = window.part_at(now)
            left = min(most + 1 - window.used(state, family, part) for family, most in caps.items())
            return Decision(True, 0, max(0, left))
        return refusal(window.start_of(1))

    def can_proceed(self, resource: str, priority: Priority = "background") -> bool:
        """Whether there is a place now; only `acquire` also takes it."""
        return self.get_wait_time(resource, priority) == 0

    def record(self, resource: str, priority: Priority = "background") -> None:
        """Count a request that was made anyway, even above the limit."""
        now, families = self._now(), self._families(priority)
        self._charge(resource, now, dict.fromkeys(families), **self._activity_of(priority, now))

    def get_status(self, resource: str) -> LimitStatus:
        return self._limit_status(resource, self._table.get(state_key(resource)))

    def get_wait_time(self, resource: str, priority: Priority = "background") -> int:
        """Milliseconds until there is a place, 0 when there is one."""
        now = self._now()
        refused_until = self._refusals.until(f"{priority}#{resource}")
        if refused_until > now:
            return refused_until - now
        caps = self._caps(resource, priority)
        if min(caps.values()) < 0:
            return self._next_chance(resource, now) - now
        return self._free_at(resource, self._table.get(state_key(resource)), caps, now) - now

    def cool_down(self, resource: str, milliseconds: int) -> None:
        """Refuse everything for so long, a day at most; a longer cool-down stays."""
        until = self._now() + min(milliseconds, LONGEST_REST_MS)
        ends = {"coolDownUntil": until, "TTL": ttl_of(until + self._kept_ms(resource))}
        with suppress(ConditionFailed):
            self._table.update(
                state_key(resource),
                UpdateExpression=f"SET {', '.join(f'#{name} = :{name}' for name in ends)}",
                ConditionExpression="attribute_not_exists(#coolDownUntil) OR #coolDownUntil < :coolDownUntil",
                ExpressionAttributeValues={f":{name}": number(value) for name, value in ends.items()},
            )

    def stats(self, resources: Iterable[str]) -> LimitStats:
        """The usage of these resources, by BatchGets of a hundred; the table has no list of them."""
        self._now()
        distinct = list(dict.fromkeys(resources))
        found = {item["PK"]["S"]: item for item in self._table.get_many(map(state_key, distinct))}
        return self._limit_stats({resource: found.get(PREFIX + resource, {}) for resource in distinct})

    def reset(self, resource: str) -> None:
        """Free all places, and end a cool-down."""
        self._table.delete(state_key(resource))
        self._forget_refusals(resource)

    def close(self) -> None:
        self._table.close()

    def limit_of(self, resource: str) -> Limit:
        return self._limits.get(resource, self._default)

    def _forget_refusals(self, resource: str) -> None:
        for priority in ("user", "background"):
            self._refusals.forget(f"{priority}#{resource}")

    # --- What a store with shares does otherwise

    def _families(self, priority: Priority) -> Sequence[str]:
        """The families of counters to which a request belongs."""
        return (TAKEN,)

    def _caps(self, resource: str, priority: Priority) -> dict[str, int]:
        """For each family, how many may be taken already for one more to fit."""
        return {TAKEN: self.limit_of(resource).requests - 1}

    def _next_chance(self, resource: str, now: int) -> int:
        """When to ask again if not even one fits."""
        return now + self.limit_of(resource).window_ms

    def _activity_of(self, priority: Priority, now: int) -> dict[str, Any]:
        """What `_charge` is to write besides."""
        return {}

    # --- The state of a resource

    def _free_at(self, resource: str, state: RawItem, caps: Mapping[str, int], now: int) -> int:
        """The time from which one more of each family fits and no cool-down is on."""
        window = Window(self.limit_of(resource).window_ms)
        places = [window.free_at(state, family, most, now) for family, most in caps.items()]
        return max(int_of(state, "coolDownUntil"), *places)

    def _limit_status(self, resource: str, state: RawItem) -> LimitStatus:
        return status_of(self.limit_of(resource), state, self._now())

    def _limit_stats(self, states: Mapping[str, RawItem]) -> LimitStats:
        now = self._now()
        used = [self._used(resource, state, TAKEN, now) for resource, state in states.items()]
        left = [self._limit_status(resource, state).remaining for resource, state in states.items()]
        return LimitStats(
            total_resources=len(states),
            active_resources=sum(map(bool, used)),
            rate_limited_resources=left.count(0),
            total_requests=sum(used),
        )

    def _used(self, resource: str, state: RawItem, family: str, now: int) -> int:
        window = Window(self.limit_of(resource).window_ms)
        return window.used(state, family, window.part_at(now))

    def _charge(
        self,
        resource: str,
        now: int,
        caps: Mapping[str, int | None],
        *,
        also_add: Sequence[str] = (),
        also_set: Mapping[str, int] = MappingProxyType({}),
    ) -> RawItem:
        """Charge one request to these families; a family with a cap is a condition that it fits."""
        window = Window(self.limit_of(resource).window_ms)
        part = window.part_at(now)
        conditions: list[str] = []
        values = {":one": number(1)}
        for family, most in caps.items():
            if most is not None:
                values[f":{family}"] = number(most)
                conditions += [window.fits(family, part, f":{family}"), window.in_time(family, part)]
        if conditions:
            values[":latest"] = number(window.last_served_by(now))
            conditions += [IN_TIME, RESTED]
        charged = [name for family in caps for name in window.charge(family, part)]
        ended = {name for family in caps for name in window.over(family, part)}
        ended |= set(self._leftovers.pop(resource, []))
        added = [*charged, *also_add]
        # A late write may charge parts that have ended for others.
        ended -= {name.split()[0].removeprefix("#") for name in added}
        # Without conditions a cool-down is not noticed, and the item must not expire before its end.
        rest_ms = 0 if conditions else LONGEST_REST_MS
        sets = {"TTL": ttl_of(now + self._kept_ms(resource) + rest_ms), "lastAt": now, **also_set}
        values |= {f":{name}": number(value) for name, value in sets.items()}
        state = self._table.update(
            state_key(resource),
            UpdateExpression=(
                f"ADD {', '.join(added)} "
                f"SET {', '.join(f'#{name} = :{name}' for name in sets)} "
                f"REMOVE {', '.join(f'#{name}' for name in sorted(ended))}"
            ),
            ExpressionAttributeValues=values,
            returns="ALL_NEW",
            **({"ConditionExpression": " AND ".join(conditions)} if conditions else {}),
        )
        leftovers = self._over(state, window, now)
        if leftovers and len(self._leftovers) < MOST_REFUSALS:
            self._leftovers[resource] = leftovers
        return state

    def _kept_ms(self, resource: str) -> int:
        """How long the state matters after its last write, even if that was late."""
        window_ms = self.limit_of(resource).window_ms
        return window_ms + (LATE_PARTS + 2) * window_ms // PARTS

    def _over(self, state: RawItem, window: Window, now: int) -> list[str]:
        """The names of parts in the state that have ended."""
        first = window.part_at(now) - LATE_PARTS
        return [f"{TAKEN}{part}" for part in numbers(state, TAKEN) if part < first]


def status_of(limit: Limit, state: RawItem, now: int) -> LimitStatus:
    """The status of a stored state; during a cool-down no place is left."""
    window, rests_until = Window(limit.window_ms), int_of(state, "coolDownUntil")
    left = 0 if rests_until > now else limit.requests - window.used(state, TAKEN, window.part_at(now))
    return LimitStatus(
        remaining=max(0, left),
        reset_time=moment(max(rests_until, window.empty_at(state, TAKEN, now))),
        limit=limit.requests,
    )


def moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC)


def refusal(wait_ms: int) -> Decision:
    metrics.count("ratelimit", "Refusals")
    return Decision(False, wait_ms, 0)


def state_key(resource: str) -> RawItem:
    return key_of(PREFIX + checked(resource), "STATE")
