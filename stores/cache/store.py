"""Values by hash in DynamoDB, each with its time. Every operation on one key is one request.

An item has its exact end in `expiresAt` (milliseconds), which every read and every condition checks; TTL only
lets DynamoDB remove it some time later.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from dynamo.errors import TooLarge, Unavailable
from dynamo.items import RawItem, size_of
from dynamo.transactions import LARGEST_ITEM
from stores import metrics
from stores.codecs import Codec, JSONCodec, Unreadable
from stores.config import StoreConfig
from stores.interfaces import CacheStats, Health
from stores.keys import checked
from stores.polling import pause_before
from stores.table import Refused, StoreTable, by_expiry, int_of, key_of, now_ms, number, text, ttl_of

KIND = "CACHE"
PREFIX = "CACHE#"
# `#Data` is absent while a value is being computed for the first time.
LIVE = "attribute_exists(#Data) AND (attribute_not_exists(#expiresAt) OR #expiresAt > :now)"
DEAD = "attribute_not_exists(#Data) OR #expiresAt <= :now"
STALE = f"{DEAD} OR #softExpiresAt <= :now"
# A value is computed anew in the last tenth of its time, by one, while the others still use it.
FRESH_SHARE = 0.9
LEASE_MS = 30_000
MISSING = object()


class CacheStore:
    """`codec` says how values are written; without one they are JSON."""

    def __init__(
        self,
        config: StoreConfig | None = None,
        *,
        codec: Codec | None = None,
        lease_ms: int = LEASE_MS,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._table = StoreTable(config, store="cache")
        self._codec = codec or JSONCodec()
        self._lease_ms = lease_ms
        self._clock = clock

    def get(self, hash: str, default: Any = None) -> Any:
        value = self._value(self._table.get(_key(hash)))
        metrics.count("cache", "Misses" if value is MISSING else "Hits")
        return default if value is MISSING else value

    def has(self, hash: str) -> bool:
        return self._is_live(self._table.get(_key(hash)))

    def set(self, hash: str, value: Any, ttl_seconds: float | None) -> None:
        """Keep a value; the last one wins. One that is too large is refused, and the old one is gone."""
        item = self._item(hash, value, ttl_seconds)
        if _is_too_large(item):
            self._table.delete(_key(hash))
            raise TooLarge
        self._table.put(item)

    def add(self, hash: str, value: Any, ttl_seconds: float | None) -> bool:
        """Keep a value only where there is none, and tell whether it was kept."""
        item = self._item(hash, value, ttl_seconds)
        if _is_too_large(item):
            raise TooLarge
        with suppress(Refused):
            self._table.put(item, ConditionExpression=DEAD, ExpressionAttributeValues=self._now())
            return True
        return False

    def touch(self, hash: str, ttl_seconds: float | None) -> bool:
        """Give a live value another time, and tell whether there was one."""
        ends = by_expiry(KIND, _pk(hash), self._end(ttl_seconds))
        update = "SET " + ", ".join(f"#{name} = :{name}" for name in ends)
        update += " REMOVE #softExpiresAt" if "TTL" in ends else " REMOVE #softExpiresAt, #expiresAt, #TTL"
        values = {f":{name}": value for name, value in ends.items()} | self._now()
        with suppress(Refused):
            self._table.update(
                _key(hash),
                UpdateExpression=update,
                ConditionExpression=LIVE,
                ExpressionAttributeValues=values,
            )
            return True
        return False

    def increment(self, hash: str, by: int = 1) -> int:
        """Add to a live whole number; it keeps its time."""
        try:
            changed = self._table.update(
                _key(hash),
                UpdateExpression="SET #Data.#value = #Data.#value + :by",
                ConditionExpression=f"{LIVE} AND attribute_type(#Data.#value, :number)",
                ExpressionAttributeValues={":by": number(by), ":number": text("N"), **self._now()},
                returns="UPDATED_NEW",
            )
        except Refused as refused:
            if self._is_live(refused.stored):
                raise TypeError("Only a whole number can be counted up.") from refused
            raise LookupError(hash) from refused
        return int(changed["Data"]["M"]["value"]["N"])

    def delete(self, hash: str) -> bool:
        """Remove a value, and tell whether a live one was there."""
        with suppress(Refused):
            self._table.delete(_key(hash), ConditionExpression=LIVE, ExpressionAttributeValues=self._now())
            return True
        return False

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
        """Keep many values; answers which were too large, whose old values are gone."""
        items = {hash: self._item(hash, value, ttl_seconds) for hash, value in values.items()}
        too_large = [hash for hash, item in items.items() if _is_too_large(item)]
        self._table.put_many(item for hash, item in items.items() if hash not in too_large)
        self.delete_many(too_large)
        return too_large

    def delete_many(self, hashes: Iterable[str]) -> None:
        self._table.delete_many(_key(hash) for hash in dict.fromkeys(hashes))

    def get_or_compute(self, hash: str, compute: Callable[[], Any], ttl_seconds: float | None) -> Any:
        """The value; however many miss it at once, one of them computes it.

        Towards the end of its time one computes it anew while the others still get the old one. Without
        DynamoDB everybody computes for themselves.
        """
        try:
            return self._fetch_or_compute(hash, compute, ttl_seconds)
        except Unavailable:
            metrics.count("cache", "Failures")
            return compute()

    def clear(self, prefix: str = "") -> int:
        """Remove all values whose hash begins so; the index may not yet show those of the last second."""
        keys = self._keys(prefix)
        self._table.delete_many(keys)
        return len(keys)

    def count(self, prefix: str = "") -> int:
        return len(self._keys(prefix))

    def clean_up(self) -> int:
        """Remove what has expired, unless it was set again since the index was read."""
        return self._table.remove_expired(KIND, self._clock())

    def stats(self) -> CacheStats:
        second = self._clock() // 1000
        total = expired = size = 0
        for item in self._table.all_listed(KIND):
            total += 1
            expired += int(item["GSI1SK"]["S"].partition("#")[0]) <= second
            size += int_of(item, "size")
        return CacheStats(total, expired, size)

    def health(self) -> Health:
        """Whether the table answers, and how fast."""
        started = time.monotonic()
        try:
            self._table.get(key_of("HEALTH#", "DATA"), strong=False)
        except Unavailable as error:
            return Health(False, (time.monotonic() - started) * 1000, str(error))
        return Health(True, (time.monotonic() - started) * 1000, self._table.name)

    def close(self) -> None:
        self._table.close()

    def _keys(self, prefix: str) -> list[RawItem]:
        listed = (item["PK"]["S"] for item in self._table.all_listed(KIND))
        return [key_of(pk, "DATA") for pk in listed if pk.startswith(PREFIX + prefix)]

    def _fetch_or_compute(self, hash: str, compute: Callable[[], Any], ttl_seconds: float | None) -> Any:
        found = self._table.get(_key(hash))
        poll = 0
        while True:
            value = self._value(found)
            if value is not MISSING and int_of(found, "softExpiresAt", self._clock() + 1) > self._clock():
                metrics.count("cache", "Hits")
                return value
            if int_of(found, "refreshUntil") <= self._clock():
                lease, found = self._take_lease(hash)
                if lease:
                    metrics.count("cache", "Misses")
                    return self._compute(hash, compute, ttl_seconds, lease)
            elif value is not MISSING:
                metrics.count("cache", "Hits")
                return value
            else:
                metrics.count("cache", "Waits")
                pause_before(poll)
                poll += 1
                found = self._table.get(_key(hash))

    def _take_lease(self, hash: str) -> tuple[int, RawItem]:
        """The end of our lease, or 0 and the item as it is when somebody else was first."""
        now = self._clock()
        until = now + self._lease_ms
        try:
            self._table.update(
                _key(hash),
                UpdateExpression="SET #refreshUntil = :until, #TTL = if_not_exists(#TTL, :ttl)",
                ConditionExpression=(
                    f"({STALE}) AND (attribute_not_exists(#refreshUntil) OR #refreshUntil <= :now)"
                ),
                ExpressionAttributeValues={
                    ":until": number(until),
                    ":ttl": number(ttl_of(until)),
                    ":now": number(now),
                },
            )
        except Refused as refused:
            return 0, refused.stored
        return until, {}

    def _compute(self, hash: str, compute: Callable[[], Any], ttl_seconds: float | None, lease: int) -> Any:
        try:
            value = compute()
        except BaseException:
            # The next one may try at once.
            with suppress(Refused, Unavailable):
                self._table.update(
                    _key(hash),
                    UpdateExpression="REMOVE #refreshUntil",
                    ConditionExpression="#refreshUntil = :lease",
                    ExpressionAttributeValues={":lease": number(lease)},
                )
            raise
        with suppress(TooLarge, Unavailable):
            self.set(hash, value, ttl_seconds)
        return value

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
