"""Reads of the stores for administrators: keys, times, sizes and states, no values that need decoding.

Lists come from the GSI by expiry. The reads of a page are bounded, whatever the size of the table: counts
end at MOST_COUNTED.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from core.dynamo.errors import NotFound, Text
from core.dynamo.items import AttributeValue, RawItem
from core.dynamo.paging import Page, StartKey
from core.stores import cache, dedupe
from core.stores.adaptive import (
    BACKGROUND_BUCKET,
    BUCKETS,
    BY_BACKGROUND,
    META_PREFIX,
    USER_BUCKET,
    allocation_in,
    meta_key,
)
from core.stores.cache.store import KIND as CACHE
from core.stores.cache.store import PREFIX as CACHE_PREFIX
from core.stores.cache.store import is_value
from core.stores.capacity import Capacity
from core.stores.http.client import Outbound
from core.stores.interfaces import Health, Limit, LimitStatus
from core.stores.limits import Limiter
from core.stores.ratelimit import PREFIX as LIMIT_PREFIX
from core.stores.ratelimit import TAKEN, moment, state_key, status_of
from core.stores.sliding_window import Window
from core.stores.table import NEVER, StoreTable, checked, int_of, key_of, now_ms, text

VALUES_PER_PAGE = 50
JOBS_PER_PAGE = 20
MOST_COUNTED = 500
# One BatchGet of 100 items has two for each client: its state and its shares.
MOST_CLIENTS = 50
LONGEST_PREVIEW = 600
LONGEST_ERROR = 200
MINUTES = 15

UNKNOWN = Capacity(0, 0, background_paused=False, activity_level="low", reason="")

_table = StoreTable(None, store="dashboard")


@dataclass(frozen=True)
class Count:
    """A count; `is_more` means that counting stopped at the limit."""

    number: int
    size: int
    is_more: bool


@dataclass(frozen=True)
class Value:
    """A cached value; `expires_at` is None if it never expires."""

    hash: str
    expires_at: datetime | None
    size: int

    @property
    def anchor(self) -> str:
        return _anchor(self.hash)


@dataclass(frozen=True)
class OpenedValue(Value):
    """A cached value with a preview, which is None if only the application can decode it."""

    created_at: datetime
    preview: str | None


@dataclass(frozen=True)
class ShownJob:
    hash: str
    job_id: str
    state: str
    created_at: datetime
    attempt: int
    error: str

    @property
    def anchor(self) -> str:
        return _anchor(self.hash)


@dataclass(frozen=True)
class LimitUse:
    """The use of a limit by the keys that this process saw recently, highest first."""

    title: Text
    limit: Limit
    refusals: int
    by_key: Sequence[LimitStatus]


@dataclass(frozen=True)
class Shares:
    """How people and background jobs share a client's limit; defaults before the first calculation."""

    name: str
    limit: int
    window_ms: int
    used_by_people: int
    used_by_background: int
    rests_until: datetime | None
    capacity: Capacity = UNKNOWN
    calculated_at: datetime | None = None
    # Requests of people and of background jobs, by fifteenths of the monitoring window, newest last.
    activity: Sequence[tuple[int, int]] = ()

    @property
    def is_unused(self) -> bool:
        return not any(map(sum, self.activity))

    @property
    def is_used_up(self) -> bool:
        return self.used_by_people + self.used_by_background >= self.limit


def health() -> Health:
    return cache.CacheStore().health()


def values(start: StartKey | None) -> tuple[Page[Value], Count]:
    """A page of cached values in the order of their expiry, and on the first page their count."""
    listed = _live(CACHE, start=start, most=VALUES_PER_PAGE + 1 if start else MOST_COUNTED)
    found = Page([item for item in listed.items if is_value(item)], listed.next_key)
    page = _cut(found, VALUES_PER_PAGE)
    return Page([_value(item) for item in page.items], page.next_key), _counted(found)


def expired_values() -> int:
    """The number of expired values that are not deleted yet; MOST_COUNTED at most."""
    answer = _query(CACHE, "GSI1SK < :now", most=MOST_COUNTED, Select="COUNT")
    return int(answer["Count"])


def value(hash: str) -> OpenedValue:
    item = _table.get(key_of(CACHE_PREFIX + checked(hash), "DATA"), strong=False)
    if "Data" not in item or int_of(item, "expiresAt", now_ms() + 1) <= now_ms():
        raise NotFound
    data = item["Data"]["M"]
    created_at = moment(int_of(data, "createdAt"))
    return OpenedValue(**vars(_value(item)), created_at=created_at, preview=_preview(data["value"]))


def jobs(start: StartKey | None) -> tuple[Page[ShownJob], Count]:
    """A page of running and finished jobs, those that expire last first, and their count."""
    most = JOBS_PER_PAGE + 1 if start else MOST_COUNTED
    found = _live(dedupe.KIND, start=start, most=most, newest_first=True)
    page = _cut(found, JOBS_PER_PAGE)
    stored = {item["PK"]["S"]: item for item in _states(page.items)}
    # The GSI is eventually consistent: a job may have been deleted.
    existing = [_job(stored[item["PK"]["S"]]) for item in page.items if item["PK"]["S"] in stored]
    return Page(existing, page.next_key), _counted(found)


def count_jobs() -> Count:
    return _counted(_live(dedupe.KIND, most=MOST_COUNTED))


def uses(
    limiters: Iterable[Limiter], clients: Iterable[Outbound], *, is_in_table: bool = True
) -> list[LimitUse]:
    """The use of each limit, read by BatchGets for all keys together."""
    limits = [
        (each.about, Limit(each.limit, each.seconds * 1000), each.usage.refusals, each.usage.resources())
        for each in limiters
    ]
    limits += [
        (_("Requests to %s") % each.name, each.limit, each.usage.refusals, [each.name]) for each in clients
    ]
    keys = [state_key(each) for *_rest, resources in limits for each in resources if is_in_table]
    stored = {item["PK"]["S"]: item for item in _table.get_many(keys, strong=False)} if keys else {}
    return [
        LimitUse(title, limit, refusals, _statuses(limit, [stored.get(LIMIT_PREFIX + each) for each in seen]))
        for title, limit, refusals, seen in limits
    ]


def shares(clients: Iterable[Outbound]) -> list[Shares]:
    """How the limits of these clients are shared, read by one BatchGet."""
    listed = sorted(clients, key=lambda client: client.name)[:MOST_CLIENTS]
    keys = [key for client in listed for key in (state_key(client.name), meta_key(client.name))]
    stored = {item["PK"]["S"]: item for item in _table.get_many(keys, strong=False)} if keys else {}
    return [
        _shares(client, stored.get(LIMIT_PREFIX + client.name, {}), stored.get(META_PREFIX + client.name, {}))
        for client in listed
    ]


def _anchor(hash: str) -> str:
    """An HTML id for a key, which may contain blanks."""
    return hashlib.sha256(hash.encode()).hexdigest()[:16]


def _live(
    kind: str, *, most: int, start: StartKey | None = None, newest_first: bool = False
) -> Page[RawItem]:
    place = {} if start is None else {"ExclusiveStartKey": start}
    answer = _query(kind, "GSI1SK >= :now", most=most, ScanIndexForward=not newest_first, **place)
    return Page(answer["Items"], answer.get("LastEvaluatedKey"))


def _query(kind: str, ends: str, *, most: int, **arguments: Any) -> dict[str, Any]:
    return _table.request(
        "Query",
        IndexName="GSI1",
        KeyConditionExpression=f"GSI1PK = :kind AND {ends}",
        ExpressionAttributeValues={
            ":kind": text(f"EXPIRES#{kind}"),
            ":now": text(f"{now_ms() // 1000 + 1:010}#"),
        },
        Limit=most,
        **arguments,
    )


def _cut(found: Page[RawItem], size: int) -> Page[RawItem]:
    if len(found.items) <= size:
        return found
    last = found.items[size - 1]
    return Page(found.items[:size], {name: last[name] for name in ("PK", "SK", "GSI1PK", "GSI1SK")})


def _counted(found: Page[RawItem]) -> Count:
    size = sum(int_of(item, "size") for item in found.items)
    return Count(len(found.items), size, found.next_key is not None)


def _value(item: RawItem) -> Value:
    ends = int(item["GSI1SK"]["S"].partition("#")[0])
    return Value(
        hash=item["PK"]["S"].removeprefix(CACHE_PREFIX),
        expires_at=None if ends == NEVER else moment(ends * 1000),
        size=int_of(item, "size"),
    )


def _preview(stored: AttributeValue) -> str | None:
    """The text of a number or of JSON; None for a pickled value."""
    if "N" in stored:
        return str(stored["N"])
    if "S" not in stored:
        return None
    return _shortened(stored["S"], LONGEST_PREVIEW)


def _shortened(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[:most]}…"


def _states(listed: Sequence[RawItem]) -> Iterable[RawItem]:
    """The jobs without their results."""
    if not listed:
        return []
    return _table.get_many(
        [{"PK": item["PK"], "SK": item["SK"]} for item in listed],
        strong=False,
        ProjectionExpression=(
            "#PK, #jobId, #leaseUntil, #attempt, #Data.#status, #Data.#error, #Data.#createdAt"
        ),
    )


def _job(item: RawItem) -> ShownJob:
    data = item["Data"]["M"]
    state = data["status"]["S"]
    if state == "pending" and int_of(item, "leaseUntil") <= now_ms():
        state = "abandoned"
    return ShownJob(
        hash=item["PK"]["S"].removeprefix(dedupe.PREFIX),
        job_id=item["jobId"]["S"],
        state=state,
        created_at=moment(int_of(data, "createdAt")),
        attempt=int_of(item, "attempt"),
        error=_shortened(data["error"]["S"], LONGEST_ERROR) if "error" in data else "",
    )


def _shares(client: Outbound, state: RawItem, meta: RawItem) -> Shares:
    now, window = now_ms(), Window(client.limit.window_ms)
    taken = window.used(state, TAKEN, window.part_at(now))
    by_background = window.used(state, BY_BACKGROUND, window.part_at(now))
    rests_until = int_of(state, "coolDownUntil")
    use = Shares(
        name=client.name,
        limit=client.limit.requests,
        window_ms=client.limit.window_ms,
        used_by_people=max(0, taken - by_background),
        used_by_background=by_background,
        rests_until=moment(rests_until) if rests_until > now else None,
        activity=_activity(state, max(1, client.shares.monitoring_window_ms // BUCKETS), now),
    )
    allocation = allocation_in(meta)
    if allocation is None:
        return use
    return replace(use, capacity=allocation.capacity, calculated_at=moment(allocation.calculated_at))


def _statuses(limit: Limit, states: Iterable[RawItem | None]) -> list[LimitStatus]:
    """The keys with current use of the limit, those with the least remaining first."""
    now = now_ms()
    statuses = [status_of(limit, state, now) for state in states if state]
    in_use = [status for status in statuses if status.remaining < limit.requests]
    return sorted(in_use, key=lambda status: status.remaining)


def _activity(state: RawItem, bucket_ms: int, now: int) -> list[tuple[int, int]]:
    last, step = now // bucket_ms, BUCKETS // MINUTES

    def count(family: str, first: int) -> int:
        return sum(int_of(state, f"{family}{bucket}") for bucket in range(first, first + step))

    firsts = range(last - BUCKETS + 1, last + 1, step)
    return [(count(USER_BUCKET, first), count(BACKGROUND_BUCKET, first)) for first in firsts]
