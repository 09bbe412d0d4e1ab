"""GET requests to other services: cached, deduplicated and rate-limited.

People and background jobs are deduplicated apart: a person must not wait for a job that waits for its limit.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from core.common.logs import events
from core.dynamo.errors import DataError, TooManyRequests, Unavailable
from core.dynamo.items import size_of
from core.stores import metrics
from core.stores.capacity import AdaptiveSettings
from core.stores.codecs import SignedPickleCodec
from core.stores.dedupe import LARGEST_RESULT
from core.stores.errors import AlreadyInProgress, FetchFailed, JobFailed
from core.stores.factory import adaptive_store, cache_store, dedupe_store
from core.stores.http.bounds import Answer, Caps, IPAddress, is_public
from core.stores.interfaces import Limit, Priority
from core.stores.table import now_ms
from core.stores.usage import RecentUsage

DAY = 24 * 3600
# Besides the time of the request itself: DNS, half a minute at most, and DynamoDB.
GRACE_SECONDS = 45
COOL_DOWN_SECONDS = 60
LONGEST_COOL_DOWN_SECONDS = 3600
BUSY = {429, 503}
REFUSED_FOR = "refused_for"


@dataclass(frozen=True)
class Fetched:
    """An answer; with `is_stale` an earlier one, because the other service could not be asked."""

    status: int
    content_type: str
    body: bytes
    fetched_at: int
    is_stale: bool = False

    @property
    def moment(self) -> datetime:
        return datetime.fromtimestamp(self.fetched_at / 1000, UTC)

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise FetchFailed("not JSON", status=self.status) from error


# All declared services, for the operators' dashboard: the table does not have their limits.
CLIENTS: dict[str, "Outbound"] = {}


class Outbound:
    """Another service and the rate limit of all processes together.

    Declared at import, so that a process that has not made a client can show the usage too. The client
    replaces it in CLIENTS.
    """

    def __init__(
        self,
        name: str,
        limit: Limit,
        *,
        shares: AdaptiveSettings | None = None,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self.name = name
        self.limit = limit
        self.shares = shares or AdaptiveSettings()
        self.limits = adaptive_store(limit, settings=self.shares, clock=clock)
        self.usage = RecentUsage()
        CLIENTS[name] = self


class HttpClient(Outbound):
    """All processes share the limit of a `name`; in an outage an answer serves `stale_seconds` longer."""

    def __init__(
        self,
        name: str,
        *,
        origins: Iterable[str],
        limit: Limit,
        ttl_seconds: float = 300,
        stale_seconds: float = DAY,
        headers: Mapping[str, str] | None = None,
        caps: Caps | None = None,
        shares: AdaptiveSettings | None = None,
        may_connect: Callable[[IPAddress], bool] = is_public,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        # Not at import, because httpx takes 25 ms and few processes need it.
        from core.stores.http.transport import Transport

        super().__init__(name, limit, shares=shares, clock=clock)
        self._ttl_seconds = ttl_seconds
        self._stale_seconds = stale_seconds
        self._clock = clock
        caps = caps or Caps()
        self._transport = Transport(origins, headers=headers or {}, caps=caps, may_connect=may_connect)
        self._cache = cache_store(codec=SignedPickleCodec(), clock=clock)
        self._lease_seconds = caps.total_seconds + GRACE_SECONDS
        lease_ms = round(self._lease_seconds * 1000)
        self._jobs = dedupe_store(codec=SignedPickleCodec(), lease_ms=lease_ms, clock=clock)

    def get(
        self,
        address: str,
        params: Mapping[str, str | int | bool] | None = None,
        *,
        priority: Priority = "background",
        ttl_seconds: float | None = None,
        patience_seconds: float = 0,
    ) -> Fetched:
        """The answer to a GET: 2xx or 404. Raises NotAllowed, FetchFailed or TooManyRequests.

        `patience_seconds` is how long to wait for the rate limit. If the request fails, an earlier answer is
        returned if there is one.
        """
        whole = _with_params(address, params)
        self._transport.ensure_allowed(whole)
        key = f"http:{self.name}:{hashlib.sha256(whole.encode()).hexdigest()}"
        ttl = self._ttl_seconds if ttl_seconds is None else ttl_seconds
        cached = self._cached(key)
        if cached is not None and self._is_fresh(cached, ttl):
            metrics.count("http", "Hits")
            return cached
        metrics.count("http", "Misses")
        try:
            return self._fetch_when_allowed(_Request(key, whole, ttl, priority), patience_seconds)
        except DataError as error:
            if cached is None:
                raise
            events.warning("outbound_stale", client=self.name, reason=type(error).__name__)
            metrics.count("http", "Stale")
            return replace(cached, is_stale=True)

    def close(self) -> None:
        CLIENTS.pop(self.name, None)
        self._transport.close()
        for store in (self._cache, self._jobs, self.limits):
            store.close()

    def _cached(self, key: str) -> Fetched | None:
        kept = self._cache.get(key)
        return None if kept is None else Fetched(**kept)

    def _is_fresh(self, fetched: Fetched, ttl: float) -> bool:
        return self._clock() < fetched.fetched_at + ttl * 1000

    def _fetch_when_allowed(self, request: "_Request", patience_seconds: float) -> Fetched:
        """Fetch when the rate limit allows it; the job is not held while waiting for that."""
        deadline = time.monotonic() + patience_seconds
        while True:
            try:
                return self._fetch_once(request)
            except TooManyRequests as refusal:
                wait = refusal.retry_after or 1
                if time.monotonic() + wait > deadline:
                    raise
            time.sleep(wait)

    def _fetch_once(self, request: "_Request") -> Fetched:
        """Fetch, or wait for the result of whoever does."""
        try:
            job_id = self._jobs.register(request.job)
        except AlreadyInProgress:
            return self._result_of_another(request.job)
        try:
            # Another one may have finished since the cache was read.
            fetched = self._cached(request.key)
            if fetched is None or not self._is_fresh(fetched, request.ttl_seconds):
                fetched = self._fetch(request)
        except TooManyRequests as refusal:
            self._publish(request.job, job_id, {REFUSED_FOR: refusal.retry_after})
            raise
        except Exception as error:
            with suppress(DataError):
                self._jobs.fail(request.job, error, job_id=job_id)
            raise
        self._publish(request.job, job_id, asdict(fetched))
        return fetched

    def _publish(self, job: str, job_id: str, result: dict[str, Any]) -> None:
        """Store the result for those who wait; if that fails, the own answer is still good."""
        with suppress(DataError):
            self._jobs.complete(job, result, job_id=job_id)

    def _result_of_another(self, job: str) -> Fetched:
        try:
            result = self._jobs.wait_for(job, timeout_seconds=self._lease_seconds)
        except JobFailed as error:
            raise FetchFailed(str(error)) from error
        if result is None:
            raise FetchFailed("nobody fetched it")
        if REFUSED_FOR in result:
            raise TooManyRequests(retry_after=result[REFUSED_FOR])
        return Fetched(**result)

    def _fetch(self, request: "_Request") -> Fetched:
        """Send the request, and cache the answer."""
        started = time.monotonic()
        answer = self._transport.get(request.address, lambda: self._acquire(request.priority))
        took = round((time.monotonic() - started) * 1000)
        host = urlsplit(request.address).hostname
        events.info("outbound", client=self.name, host=host, status=answer.status, ms=took)
        if answer.status in BUSY:
            self._cool_down(answer)
        if answer.status != 404 and not 200 <= answer.status < 300:
            raise FetchFailed("refused", status=answer.status)
        fetched = Fetched(answer.status, answer.content_type, answer.body, self._clock())
        _ensure_cacheable(fetched)
        with suppress(Unavailable):
            self._cache.set_many({request.key: asdict(fetched)}, request.ttl_seconds + self._stale_seconds)
        return fetched

    def _acquire(self, priority: Priority) -> None:
        decision = self.limits.acquire(self.name, priority)
        self.usage.note(self.name, is_allowed=decision.allowed)
        if not decision.allowed:
            raise TooManyRequests(retry_after=decision.retry_after)

    def _cool_down(self, answer: Answer) -> None:
        """The other service answered 429 or 503: send nothing until its Retry-After."""
        seconds = min(LONGEST_COOL_DOWN_SECONDS, _seconds(answer.retry_after, self._clock()))
        metrics.count("http", "CoolDowns")
        with suppress(Unavailable):
            self.limits.cool_down(self.name, round(seconds * 1000))


@dataclass(frozen=True)
class _Request:
    """`key` is the cache key of the answer."""

    key: str
    address: str
    ttl_seconds: float
    priority: Priority

    @property
    def job(self) -> str:
        # People and jobs never share one.
        return f"{self.key}:{self.priority}"


def _with_params(address: str, params: Mapping[str, str | int | bool] | None) -> str:
    """The URL with its query, normalised: parameters sorted, booleans in lower case."""
    if not params:
        return address
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in params.items()}
    return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(sorted(texts.items()))}"


def _ensure_cacheable(fetched: Fetched) -> None:
    """Refuse an answer that is too large to be stored, before it replaces an earlier one."""
    packed = SignedPickleCodec().encode("", asdict(fetched))
    if size_of({"result": packed}) > LARGEST_RESULT:
        raise FetchFailed("too large to keep", status=fetched.status)


def _seconds(retry_after: str, now: int) -> float:
    """The seconds of a Retry-After header, a number or a date; a minute if it is neither."""
    if retry_after.isdecimal():
        return max(1.0, float(retry_after))
    try:
        moment = parsedate_to_datetime(retry_after).astimezone(UTC)
    except (ValueError, OverflowError):
        return COOL_DOWN_SECONDS
    return max(1.0, moment.timestamp() - now / 1000)
