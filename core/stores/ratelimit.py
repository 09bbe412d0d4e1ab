"""Rate limits over a trailing window in DynamoDB, exact for all processes; one request per call."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from types import MappingProxyType

from core.dynamo.items import RawItem
from core.stores import metrics
from core.stores.config import StoreConfig
from core.stores.errors import StoreClosed
from core.stores.interfaces import Decision, Limit, LimitStats, LimitStatus
from core.stores.keys import checked
from core.stores.refusal_cache import MOST_REFUSALS, RefusalCache
from core.stores.sliding_window import LATE_PARTS, PARTS, Window, numbers
from core.stores.table import Refused, StoreTable, int_of, key_of, now_ms, number, ttl_of

PREFIX = "RATELIMIT#"
TAKEN = "e"
IN_TIME = "(attribute_not_exists(#lastAt) OR #lastAt <= :latest)"
RESTED = "(attribute_not_exists(#coolDownUntil) OR #coolDownUntil <= :lastAt)"
TRIES_WHEN_LATE = 3
LONGEST_REST_MS = 24 * 3600 * 1000


class RateLimitStore:
    """`limits` are the limits of single resources, in place of `default`."""

    def __init__(
        self,
        config: StoreConfig | None = None,
        *,
        default: Limit | None = None,
        limits: Mapping[str, Limit] | None = None,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._table = StoreTable(config, store="ratelimit")
        self._default = default or Limit()
        self._limits = dict(limits or {})
        self._clock = clock
        self._closed = False
        self._refusals = RefusalCache()
        # Ended parts in the last answer that a usual write does not remove, as after a pause.
        self._leftovers: dict[str, list[str]] = {}

    def acquire(self, resource: str) -> Decision:
        """Take a place if there is one; exact under concurrency."""
        limit = self.limit_of(resource)
        window = Window(limit.window_ms)
        for _try in range(TRIES_WHEN_LATE):
            now = self._now()
            refused_until = self._refusals.until(resource)
            if refused_until > now:
                return refusal(refused_until - now)
            if limit.requests == 0:
                return refusal(limit.window_ms)
            try:
                state = self._charge(resource, now, {TAKEN: limit.requests - 1})
            except Refused as refused:
                if window.is_late(refused.stored, TAKEN, now):
                    continue
                free_at = self._free_at(resource, refused.stored, {TAKEN: limit.requests - 1}, now)
                self._refusals.add(resource, free_at, now)
                return refusal(free_at - now)
            return Decision(True, 0, max(0, limit.requests - window.used(state, TAKEN, window.part_at(now))))
        return refusal(window.start_of(1))

    def can_proceed(self, resource: str) -> bool:
        """Whether there is a place now; only `acquire` also takes it."""
        return self.get_wait_time(resource) == 0

    def record(self, resource: str) -> None:
        """Count a request that was made anyway, even above the limit."""
        self._charge(resource, self._now(), {TAKEN: None})

    def get_status(self, resource: str) -> LimitStatus:
        return self._limit_status(resource, self._table.get(state_key(resource)))

    def get_wait_time(self, resource: str) -> int:
        """Milliseconds until there is a place, 0 when there is one."""
        now, limit = self._now(), self.limit_of(resource)
        refused_until = self._refusals.until(resource)
        if refused_until > now:
            return refused_until - now
        if limit.requests == 0:
            return limit.window_ms
        state = self._table.get(state_key(resource))
        return self._free_at(resource, state, {TAKEN: limit.requests - 1}, now) - now

    def cool_down(self, resource: str, milliseconds: int) -> None:
        """Refuse everything for so long, a day at most; a longer cool-down stays."""
        until = self._now() + min(milliseconds, LONGEST_REST_MS)
        ends = {"coolDownUntil": until, "TTL": ttl_of(until + self._kept_ms(resource))}
        with suppress(Refused):
            self._table.update(
                state_key(resource),
                UpdateExpression=f"SET {', '.join(f'#{name} = :{name}' for name in ends)}",
                ConditionExpression="attribute_not_exists(#coolDownUntil) OR #coolDownUntil < :coolDownUntil",
                ExpressionAttributeValues={f":{name}": number(value) for name, value in ends.items()},
            )

    def stats(self, resources: Iterable[str]) -> LimitStats:
        """The usage of these resources, by BatchGets of a hundred; the table has no list of them."""
        self._now()
        asked = list(dict.fromkeys(resources))
        found = {item["PK"]["S"]: item for item in self._table.get_many(map(state_key, asked))}
        return self._limit_stats({resource: found.get(PREFIX + resource, {}) for resource in asked})

    def reset(self, resource: str) -> None:
        """Free all places, and end a cool-down."""
        self._table.delete(state_key(resource))
        self._refusals.forget(resource)

    def close(self) -> None:
        self._closed = True
        self._table.close()

    def limit_of(self, resource: str) -> Limit:
        return self._limits.get(resource, self._default)

    def _now(self) -> int:
        """The time; as every operation asks for it, a closed store raises here even without a request."""
        if self._closed:
            raise StoreClosed
        return self._clock()

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
