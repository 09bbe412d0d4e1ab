"""A cache in DynamoDB: values by hash, each with a TTL. Every operation on one key is one request.

`expiresAt` (milliseconds) is the exact expiry, which every read and every condition checks; by TTL DynamoDB
removes the item some time later. While a value is computed, `refreshUntil` is the lease.

`writer` is the id of the last writing request. If a condition fails and the id is our own, the write was
applied and only its answer got lost. A computed value is stored only while the id is still that of the lease.
"""

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from core.dynamo import deadline
from core.dynamo.errors import MissingTable, TooLarge, Unavailable
from core.dynamo.items import AttributeValue, RawItem, size_of
from core.dynamo.transactions import LARGEST_ITEM
from core.stores import metrics
from core.stores.codecs import Codec, JSONCodec, Unreadable
from core.stores.config import StoreConfig
from core.stores.interfaces import CacheStats, Health
from core.stores.memory import open_table
from core.stores.table import ConditionFailed, by_expiry, checked, int_of, key_of, now_ms, number, text

log = logging.getLogger(__name__)

KIND = "CACHE"
PREFIX = "CACHE#"
# `#Data` is absent while a value is being computed for the first time.
LIVE = "attribute_exists(#Data) AND (attribute_not_exists(#expiresAt) OR #expiresAt > :now)"
DEAD = "attribute_not_exists(#Data) OR #expiresAt <= :now"
STALE = f"{DEAD} OR #softExpiresAt <= :now"
NOT_LEASED = "(attribute_not_exists(#refreshUntil) OR #refreshUntil <= :now)"
IS_NOT_MINE = "(attribute_not_exists(#writer) OR #writer <> :me)"
# In the last tenth of its TTL one request computes a value anew, while the others still use it.
FRESH_SHARE = 0.9
LEASE_MS = 30_000
FIRST_PAUSE_SECONDS = 0.05
MISSING = object()


@dataclass(frozen=True)
class Lease:
    """The right to compute a value until a time; `old` is the stored item that it replaces."""

    me: str
    until: int
    old: RawItem


class CacheStore:
    """`codec` encodes the values; by default as JSON."""

    def __init__(
        self,
        config: StoreConfig | None = None,
        *,
        codec: Codec | None = None,
        lease_ms: int = LEASE_MS,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._table = open_table(config, store="cache", clock=clock)
        self._codec = codec or JSONCodec()
        self._lease_ms = lease_ms
        self._clock = self._table.now

    def get(self, hash: str, default: Any = None) -> Any:
        value = self._value(self._table.get(_key(hash)))
        metrics.count("cache", "Misses" if value is MISSING else "Hits")
        return default if value is MISSING else value

    def has(self, hash: str) -> bool:
        return self._is_live(self._table.get(_key(hash)))

    def set(self, hash: str, value: Any, ttl_seconds: float | None) -> None:
        """Store a value; the last one wins. A too large one raises `TooLarge`, and the old one is removed."""
        item = self._item(hash, value, ttl_seconds)
        if _is_too_large(item):
            self._table.delete(_key(hash))
            raise TooLarge
        self._table.put(item)

    def add(self, hash: str, value: Any, ttl_seconds: float | None) -> bool:
        """Store a value if there is none; returns whether it was stored."""
        me = str(uuid4())
        item = self._item(hash, value, ttl_seconds) | {"writer": text(me)}
        if _is_too_large(item):
            raise TooLarge
        try:
            self._table.put(item, ConditionExpression=DEAD, ExpressionAttributeValues=self._now())
        except ConditionFailed as refused:
            return _is_by(me, refused.stored)
        return True

    def touch(self, hash: str, ttl_seconds: float | None) -> bool:
        """Give a live value another TTL; returns whether there was one."""
        ends = by_expiry(KIND, _pk(hash), self._end(ttl_seconds))
        # A new writer ends a running computation, whose TTL is older.
        sets = ends | {"writer": text(str(uuid4()))}
        update = "SET " + ", ".join(f"#{name} = :{name}" for name in sets)
        update += " REMOVE #refreshUntil, #softExpiresAt" + ("" if "TTL" in ends else ", #expiresAt, #TTL")
        values = {f":{name}": value for name, value in sets.items()} | self._now()
        with suppress(ConditionFailed):
            self._table.update(
                _key(hash),
                UpdateExpression=update,
                ConditionExpression=LIVE,
                ExpressionAttributeValues=values,
            )
            return True
        return False

    def increment(self, hash: str, by: int = 1) -> int:
        """Add to a live whole number; its TTL stays."""
        me = str(uuid4())
        values = {":by": number(by), ":number": text("N"), ":me": text(me), **self._now()}
        try:
            changed = self._table.update(
                _key(hash),
                UpdateExpression="SET #Data.#value = #Data.#value + :by, #writer = :me REMOVE #refreshUntil",
                ConditionExpression=f"{LIVE} AND attribute_type(#Data.#value, :number) AND {IS_NOT_MINE}",
                ExpressionAttributeValues=values,
                returns="UPDATED_NEW",
            )
        except ConditionFailed as refused:
            if not self._is_live(refused.stored):
                raise LookupError(hash) from refused
            if not _is_by(me, refused.stored):
                raise TypeError("Only a whole number can be counted up.") from refused
            changed = refused.stored
        return int(changed["Data"]["M"]["value"]["N"])

    def delete(self, hash: str) -> bool:
        """Remove a value; returns whether a live one was there, False also after a lost answer."""
        return self._is_live(self._table.delete(_key(hash), returns="ALL_OLD"))

    def get_many(self, hashes: Iterable[str]) -> dict[str, Any]:
        wanted = {_pk(hash): hash for hash in hashes}
        found: dict[str, Any] = {}
        for item in self._table.get_many(key_of(pk, "DATA") for pk in wanted):
            value = self._value(item)
            if value is not MISSING:
                found[wanted[item["PK"]["S"]]] = value
        metrics.count("cache", "Hits", len(found))
        metrics.count("cache", "Misses", len(wanted) - len(found))
        return found

    def set_many(self, values: Mapping[str, Any], ttl_seconds: float | None) -> list[str]:
        """Store many values; returns the hashes of too large ones, whose old values are removed."""
        items = {hash: self._item(hash, value, ttl_seconds) for hash, value in values.items()}
        too_large = [hash for hash, item in items.items() if _is_too_large(item)]
        self._table.put_many(item for hash, item in items.items() if hash not in too_large)
        self.delete_many(too_large)
        return too_large

    def delete_many(self, hashes: Iterable[str]) -> None:
        self._table.delete_many(_key(hash) for hash in dict.fromkeys(hashes))

    def get_or_compute(self, hash: str, compute: Callable[[], Any], ttl_seconds: float | None) -> Any:
        """The value; of concurrent misses one computes it, the others wait.

        Towards the end of its TTL one computes it anew while the others still get the old one. If DynamoDB
        cannot be reached, or a web request has waited for half of its time, it is computed without a lease.
        """
        try:
            value, lease = self._find_or_lease(hash)
        except Unavailable:
            metrics.count("cache", "Failures")
            return compute()
        if lease is not None:
            return self._compute(hash, compute, ttl_seconds, lease)
        return compute() if value is MISSING else value

    def clear(self, prefix: str = "") -> int:
        """Remove all values whose hash has this prefix; the index may lack those of the last second."""
        listed = self._listed(prefix)
        self._table.delete_many({"PK": item["PK"], "SK": item["SK"]} for item in listed)
        return sum(map(is_value, listed))

    def count(self, prefix: str = "") -> int:
        return sum(map(is_value, self._listed(prefix)))

    def clean_up(self) -> int:
        """Remove what has expired, unless it was set again since the index was read."""
        return self._table.remove_expired(KIND, self._clock())

    def stats(self) -> CacheStats:
        second = self._clock() // 1000
        total = expired = size = 0
        for item in filter(is_value, self._table.all_listed(KIND)):
            total += 1
            expired += int(item["GSI1SK"]["S"].partition("#")[0]) <= second
            size += int_of(item, "size")
        return CacheStats(total, expired, size)

    def health(self) -> Health:
        """Whether the table answers, and how fast."""
        started = time.monotonic()
        try:
            self._table.get(key_of("HEALTH#", "DATA"), strong=False)
        except (MissingTable, Unavailable) as error:
            return Health(False, (time.monotonic() - started) * 1000, str(error))
        return Health(True, (time.monotonic() - started) * 1000, self._table.name)

    def close(self) -> None:
        self._table.close()

    def _listed(self, prefix: str) -> list[RawItem]:
        listed = self._table.all_listed(KIND)
        return [item for item in listed if item["PK"]["S"].startswith(PREFIX + prefix)]

    def _find_or_lease(self, hash: str) -> tuple[Any, Lease | None]:
        """The value, or the lease to compute it; neither if a web request cannot wait any longer."""
        page = deadline.current()
        # The other half is for computing it, and for the rest of the request.
        half = page.left / 2 if page else 0
        found = self._table.get(_key(hash))
        poll = 0
        while True:
            value = self._value(found)
            is_leased = int_of(found, "refreshUntil") > self._clock()
            if value is not MISSING and (is_leased or self._is_fresh(found)):
                metrics.count("cache", "Hits")
                return value, None
            if not is_leased:
                lease, found = self._take_lease(hash, found)
                if lease is not None:
                    metrics.count("cache", "Misses")
                    return MISSING, lease
            elif page and page.left <= half:
                metrics.count("cache", "Misses")
                return MISSING, None
            else:
                metrics.count("cache", "Waits")
                deadline.pause(poll, first=FIRST_PAUSE_SECONDS)
                poll += 1
                found = self._table.get(_key(hash))

    def _take_lease(self, hash: str, found: RawItem) -> tuple[Lease | None, RawItem]:
        """The lease, or None and the stored item if somebody else was first."""
        me, until = str(uuid4()), self._clock() + self._lease_ms
        try:
            if self._value(found) is MISSING:
                self._put_lease(hash, me, until, found)
            else:
                self._table.update(
                    _key(hash),
                    UpdateExpression="SET #refreshUntil = :until, #writer = :me",
                    ConditionExpression=f"({STALE}) AND {NOT_LEASED}",
                    ExpressionAttributeValues={":until": number(until), ":me": text(me), **self._now()},
                )
        except ConditionFailed as refused:
            if not _is_by(me, refused.stored):
                return None, refused.stored
        return Lease(me, until, found), found

    def _put_lease(self, hash: str, me: str, until: int, found: RawItem) -> None:
        """Put a lease where there is no value; it is in the index, so that `clear` and `clean_up` end it."""
        condition, values = f"({DEAD}) AND {NOT_LEASED}", self._now()
        if self._is_live(found):
            # Live but unreadable: only this very value may be replaced before it expires.
            condition = f"#Data.#value = :unreadable AND {NOT_LEASED}"
            values[":unreadable"] = found["Data"]["M"]["value"]
        lease = {"refreshUntil": number(until), "writer": text(me)}
        self._table.put(
            _key(hash) | by_expiry(KIND, _pk(hash), until) | lease,
            ConditionExpression=condition,
            ExpressionAttributeValues=values,
        )

    def _compute(self, hash: str, compute: Callable[[], Any], ttl_seconds: float | None, lease: Lease) -> Any:
        try:
            value = compute()
            item = self._item(hash, value, ttl_seconds)
        except BaseException as error:
            old = self._value(lease.old)
            self._give_back(hash, lease, is_live=old is not MISSING)
            if old is MISSING or not isinstance(error, Exception):
                raise
            log.warning("A cached value could not be computed anew; the old one is used", exc_info=True)
            return old
        with suppress(ConditionFailed, Unavailable):
            if _is_too_large(item):
                self._table.delete(_key(hash), **_if_mine(lease))
            else:
                self._table.put(item, **_if_mine(lease))
        return value

    def _give_back(self, hash: str, lease: Lease, *, is_live: bool) -> None:
        """After a failure the next one may try: at once, or when the lease or the old value ends."""
        until = number(min(lease.until, int_of(lease.old, "expiresAt")))
        with suppress(ConditionFailed, Unavailable):
            if is_live:
                back_off = "SET #refreshUntil = :until"
                self._table.update(_key(hash), UpdateExpression=back_off, **_if_mine(lease, until=until))
            else:
                self._table.delete(_key(hash), **_if_mine(lease))

    def _item(self, hash: str, value: Any, ttl_seconds: float | None) -> RawItem:
        now, end, pk = self._clock(), self._end(ttl_seconds), _pk(hash)
        item = _key(hash) | by_expiry(KIND, pk, end)
        item["Data"] = {"M": {"value": self._codec.encode(pk, value), "createdAt": number(now)}}
        if end is not None:
            item["softExpiresAt"] = number(now + round((end - now) * FRESH_SHARE))
        item["size"] = number(size_of(item))
        return item

    def _end(self, ttl_seconds: float | None) -> int | None:
        return None if ttl_seconds is None else self._clock() + round(max(0.0, ttl_seconds) * 1000)

    def _now(self) -> RawItem:
        return {":now": number(self._clock())}

    def _is_live(self, item: RawItem) -> bool:
        now = self._clock()
        return "Data" in item and int_of(item, "expiresAt", now + 1) > now

    def _is_fresh(self, item: RawItem) -> bool:
        now = self._clock()
        return int_of(item, "softExpiresAt", now + 1) > now

    def _value(self, item: RawItem) -> Any:
        if not self._is_live(item):
            return MISSING
        try:
            return self._codec.decode(item["PK"]["S"], item["Data"]["M"]["value"])
        except Unreadable:
            return MISSING


def _pk(hash: str) -> str:
    return PREFIX + checked(hash)


def _key(hash: str) -> RawItem:
    return key_of(_pk(hash), "DATA")


def _is_too_large(item: RawItem) -> bool:
    return size_of(item) > LARGEST_ITEM


def _is_by(me: str, item: RawItem) -> bool:
    return item.get("writer") == text(me)


def _if_mine(lease: Lease, **values: AttributeValue) -> dict[str, Any]:
    """The condition that nobody wrote since the lease was taken, and the values of the expressions."""
    named = {f":{name}": value for name, value in values.items()}
    return {
        "ConditionExpression": "#writer = :me",
        "ExpressionAttributeValues": {":me": text(lease.me)} | named,
    }


def is_value(listed: RawItem) -> bool:
    """Whether the index shows a value; a lease has no size."""
    return "size" in listed
