"""Ask another service: from the cache if it is fresh, once for all who ask at once, never too often."""

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from config.logs import events
from dynamo.errors import TooLarge, TooManyRequests
from stores import metrics
from stores.capacity import AdaptiveSettings
from stores.chosen import adaptive_store, cache_store, dedupe_store
from stores.codecs import SignedPickleCodec
from stores.errors import AlreadyInProgress, JobFailed, JobLost
from stores.http.errors import FetchFailed
from stores.http.transport import Answer, Caps, IPAddress, Transport, is_public
from stores.interfaces import Limit, Priority
from stores.table import now_ms

DAY = 24 * 3600
# Longer than a request takes with all its redirects, and than a job waits for its turn.
LEASE_MS = 120_000
COOL_DOWN_SECONDS = 60
LONGEST_COOL_DOWN_SECONDS = 3600
BUSY = {429, 503}


@dataclass(frozen=True)
class Fetched:
    """An answer; `is_stale` when the other service could not be asked and this is an earlier one."""

    status: int
    content_type: str
    body: bytes
    fetched_at: int
    is_stale: bool = False

    def json(self) -> Any:
        return json.loads(self.body)


# Every client that the application declares: the table does not know their limits.
CLIENTS: dict[str, "HttpClient"] = {}


class HttpClient:
    """All processes share the limit of a `name`; an answer may serve `stale_seconds` longer in need."""

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
        self.name = name
        self.limit = limit
        self.shares = shares or AdaptiveSettings()
        self._ttl_seconds = ttl_seconds
        self._stale_seconds = stale_seconds
        self._clock = clock
        self._transport = Transport(
            origins, headers=headers or {}, caps=caps or Caps(), may_connect=may_connect
        )
        self._cache = cache_store(codec=SignedPickleCodec(), clock=clock)
        self._jobs = dedupe_store(codec=SignedPickleCodec(), lease_ms=LEASE_MS, clock=clock)
        self.limits = adaptive_store(limit, shares=self.shares, clock=clock)
        CLIENTS[name] = self

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

        `patience_seconds` is how long a job may wait for its turn; an earlier answer is better than waiting.
        """
        whole = _with_params(address, params)
        self._transport.ensure_allowed(whole)
        key = f"http:{self.name}:{hashlib.sha256(whole.encode()).hexdigest()}"
        ttl = self._ttl_seconds if ttl_seconds is None else ttl_seconds
        known = self._known(key)
        if known is not None and self._is_fresh(known, ttl):
            metrics.count("http", "Hits")
            return known
        metrics.count("http", "Misses")
        try:
            return self._fetch_once(key, ttl, lambda: self._fetch(whole, priority, patience_seconds))
        except (FetchFailed, TooManyRequests) as error:
            if known is None:
                raise
            events.warning("outbound_stale", client=self.name, reason=type(error).__name__)
            metrics.count("http", "Stale")
            return replace(known, is_stale=True)

    def close(self) -> None:
        CLIENTS.pop(self.name, None)
        self._transport.close()
        for store in (self._cache, self._jobs, self.limits):
            store.close()

    def _known(self, key: str) -> Fetched | None:
        kept = self._cache.get(key)
        return None if kept is None else Fetched(**kept)

    def _is_fresh(self, fetched: Fetched, ttl: float) -> bool:
        return self._clock() < fetched.fetched_at + ttl * 1000

    def _fetch_once(self, key: str, ttl: float, fetch: Callable[[], Fetched]) -> Fetched:
        """Fetch it, or wait for the one who does."""
        try:
            job_id = self._jobs.register(key)
        except AlreadyInProgress:
            return self._result_of_another(key)
        # Another one may have finished since we looked.
        fetched = self._known(key)
        try:
            if fetched is None or not self._is_fresh(fetched, ttl):
                fetched = fetch()
        except Exception as error:
            with suppress(JobLost):
                self._jobs.fail(key, error, job_id=job_id)
            raise
        # Kept before those who wait are told: whoever comes then finds it.
        self._cache.set_many({key: asdict(fetched)}, ttl + self._stale_seconds)
        with suppress(JobLost, TooLarge):
            self._jobs.complete(key, asdict(fetched), job_id=job_id)
        return fetched

    def _result_of_another(self, key: str) -> Fetched:
        try:
            result = self._jobs.wait_for(key)
        except JobFailed as error:
            raise FetchFailed(str(error)) from error
        if result is None:
            raise FetchFailed("nobody fetched it")
        return Fetched(**result)

    def _fetch(self, address: str, priority: Priority, patience_seconds: float) -> Fetched:
        self._wait_for_cool_down()
        self._wait_for_turn(priority, patience_seconds)
        started = time.monotonic()
        answer = self._transport.get(address)
        took = round((time.monotonic() - started) * 1000)
        events.info(
            "outbound", client=self.name, host=urlsplit(address).hostname, status=answer.status, ms=took
        )
        if answer.status in BUSY:
            self._cool_down(answer)
        if answer.status != 404 and not 200 <= answer.status < 300:
            raise FetchFailed("refused", status=answer.status)
        return Fetched(answer.status, answer.content_type, answer.body, self._clock())

    def _wait_for_turn(self, priority: Priority, patience_seconds: float) -> None:
        deadline = time.monotonic() + patience_seconds
        while True:
            decision = self.limits.acquire(self.name, priority)
            if decision.allowed:
                return
            if time.monotonic() + decision.wait_ms / 1000 > deadline:
                raise TooManyRequests(retry_after=decision.retry_after)
            time.sleep(decision.wait_ms / 1000)

    def _wait_for_cool_down(self) -> None:
        """The other service asked to be left alone; no patience is long enough for that."""
        until = self._cache.get(self._cool_down_key())
        if until is not None:
            raise TooManyRequests(retry_after=max(1, math.ceil((until - self._clock()) / 1000)))

    def _cool_down(self, answer: Answer) -> None:
        seconds = min(LONGEST_COOL_DOWN_SECONDS, _seconds(answer.retry_after, self._clock()))
        metrics.count("http", "CoolDowns")
        self._cache.set(self._cool_down_key(), self._clock() + round(seconds * 1000), seconds)

    def _cool_down_key(self) -> str:
        return f"http:{self.name}:cool-down"


def _with_params(address: str, params: Mapping[str, str | int | bool] | None) -> str:
    """One address for one question: parameters by name, booleans as the web writes them."""
    if not params:
        return address
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in params.items()}
    return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(sorted(texts.items()))}"


def _seconds(retry_after: str, now: int) -> float:
    """What Retry-After says, as a number or as a date; a minute if it says nothing sensible."""
    if retry_after.isdecimal():
        return max(1.0, float(retry_after))
    try:
        moment = parsedate_to_datetime(retry_after)
    except ValueError:
        return COOL_DOWN_SECONDS
    return max(1.0, moment.astimezone(UTC).timestamp() - datetime.fromtimestamp(now / 1000, UTC).timestamp())
