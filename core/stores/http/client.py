"""Ask another service: from the cache if it is fresh, once for all who ask at once, never too often.

People and jobs ask apart: a person must not wait for a job that has no place.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC
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
from core.stores.errors import AlreadyInProgress, JobFailed
from core.stores.factory import adaptive_store, cache_store, dedupe_store
from core.stores.http.bounds import Answer, Caps, IPAddress, is_public
from core.stores.http.errors import FetchFailed
from core.stores.interfaces import Limit, Priority
from core.stores.table import now_ms
from core.stores.usage import Seen

DAY = 24 * 3600
# What a request takes beside its own time: looking up names, half a minute at most, and asking DynamoDB.
GRACE_SECONDS = 45
COOL_DOWN_SECONDS = 60
LONGEST_COOL_DOWN_SECONDS = 3600
BUSY = {429, 503}
REFUSED_FOR = "refused_for"


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


# Every service that the application asks: the table does not know their limits.
CLIENTS: dict[str, "Outbound"] = {}


class Outbound:
    """Another service and how often all processes together may ask it.

    Declared where its module is imported, so that also a process that has not asked it yet can tell how much
    is used. The client takes its place when it is made.
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
        self.limits = adaptive_store(limit, shares=self.shares, clock=clock)
        self.seen = Seen()
        CLIENTS[name] = self


class HttpClient(Outbound):
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
        # With httpx, which takes 25 ms: only who asks another service needs it.
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

        `patience_seconds` is how long a job may wait for its turn. Whatever goes wrong, an earlier answer
        serves if there is one.
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
            return self._fetch_in_turn(_Question(key, whole, ttl, priority), patience_seconds)
        except DataError as error:
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

    def _fetch_in_turn(self, question: "_Question", patience_seconds: float) -> Fetched:
        """Fetch it when there is a place; whoever sleeps until then keeps nobody waiting."""
        deadline = time.monotonic() + patience_seconds
        while True:
            try:
                return self._fetch_once(question)
            except TooManyRequests as refusal:
                wait = refusal.retry_after or 1
                if time.monotonic() + wait > deadline:
                    raise
            time.sleep(wait)

    def _fetch_once(self, question: "_Question") -> Fetched:
        """Fetch it, or wait for the one who does."""
        try:
            job_id = self._jobs.register(question.job)
        except AlreadyInProgress:
            return self._result_of_another(question.job)
        try:
            # Another one may have finished since we looked.
            fetched = self._known(question.key)
            if fetched is None or not self._is_fresh(fetched, question.ttl_seconds):
                fetched = self._fetch(question)
        except TooManyRequests as refusal:
            self._tell(question.job, job_id, {REFUSED_FOR: refusal.retry_after})
            raise
        except Exception as error:
            with suppress(DataError):
                self._jobs.fail(question.job, error, job_id=job_id)
            raise
        self._tell(question.job, job_id, asdict(fetched))
        return fetched

    def _tell(self, job: str, job_id: str, result: dict[str, Any]) -> None:
        """Tell those who wait. If that fails, we have our answer all the same."""
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

    def _fetch(self, question: "_Question") -> Fetched:
        """Ask the other service, and keep what it answers."""
        started = time.monotonic()
        answer = self._transport.get(question.address, lambda: self._take_turn(question.priority))
        took = round((time.monotonic() - started) * 1000)
        host = urlsplit(question.address).hostname
        events.info("outbound", client=self.name, host=host, status=answer.status, ms=took)
        if answer.status in BUSY:
            self._cool_down(answer)
        if answer.status != 404 and not 200 <= answer.status < 300:
            raise FetchFailed("refused", status=answer.status)
        fetched = Fetched(answer.status, answer.content_type, answer.body, self._clock())
        _ensure_it_can_be_kept(fetched)
        with suppress(Unavailable):
            self._cache.set_many({question.key: asdict(fetched)}, question.ttl_seconds + self._stale_seconds)
        return fetched

    def _take_turn(self, priority: Priority) -> None:
        decision = self.limits.acquire(self.name, priority)
        self.seen.note(self.name, is_allowed=decision.allowed)
        if not decision.allowed:
            raise TooManyRequests(retry_after=decision.retry_after)

    def _cool_down(self, answer: Answer) -> None:
        """The other service asked to be left alone: nobody has a turn until then."""
        seconds = min(LONGEST_COOL_DOWN_SECONDS, _seconds(answer.retry_after, self._clock()))
        metrics.count("http", "CoolDowns")
        with suppress(Unavailable):
            self.limits.cool_down(self.name, round(seconds * 1000))


@dataclass(frozen=True)
class _Question:
    """`key` is where its answer is kept."""

    key: str
    address: str
    ttl_seconds: float
    priority: Priority

    @property
    def job(self) -> str:
        # People and jobs never share one.
        return f"{self.key}:{self.priority}"


def _with_params(address: str, params: Mapping[str, str | int | bool] | None) -> str:
    """One address for one question: parameters by name, booleans as the web writes them."""
    if not params:
        return address
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in params.items()}
    return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(sorted(texts.items()))}"


def _ensure_it_can_be_kept(fetched: Fetched) -> None:
    """What is too large would reach nobody who waits, and would take the place of an earlier answer."""
    packed = SignedPickleCodec().encode("", asdict(fetched))
    if size_of({"result": packed}) > LARGEST_RESULT:
        raise FetchFailed("too large to keep", status=fetched.status)


def _seconds(retry_after: str, now: int) -> float:
    """What Retry-After says, as a number or as a date; a minute if it says nothing sensible."""
    if retry_after.isdecimal():
        return max(1.0, float(retry_after))
    try:
        moment = parsedate_to_datetime(retry_after).astimezone(UTC)
    except (ValueError, OverflowError):
        return COOL_DOWN_SECONDS
    return max(1.0, moment.timestamp() - now / 1000)
