"""How often a person may do something: a rate limit with hidden keys, and a decision for an outage."""

from collections.abc import Callable
from typing import Literal

from django.utils.crypto import salted_hmac

from dynamo.errors import TooManyRequests, Unavailable
from stores import metrics
from stores.chosen import rate_limit_store
from stores.interfaces import Decision, Limit
from stores.memory import MemoryRateLimitStore
from stores.table import now_ms


class Limiter:
    """At most `limit` times in any stretch of `seconds`.

    `when_down` says what counts while DynamoDB cannot be asked: nothing is allowed ("refuse" raises
    Unavailable), or each process counts for itself ("local").
    """

    def __init__(
        self,
        name: str,
        limit: int,
        seconds: int,
        *,
        when_down: Literal["refuse", "local"] = "refuse",
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self.name = name
        self.limit = limit
        self.seconds = seconds
        allowed = Limit(limit, seconds * 1000)
        self._store = rate_limit_store(allowed, clock=clock)
        self._local = MemoryRateLimitStore(default=allowed, clock=clock) if when_down == "local" else None

    def acquire(self, key: str) -> Decision:
        """Take a place if there is one; a key that was refused costs no request until there is."""
        # Keys are addresses of people: what is stored must not tell them.
        hidden = salted_hmac("stores.limits", key, algorithm="sha256").hexdigest()
        resource = f"{self.name}#{hidden}"
        try:
            return self._store.acquire(resource)
        except Unavailable:
            if self._local is None:
                raise
            metrics.count("ratelimit", "Failures")
            return self._local.acquire(resource)

    def ensure(self, key: str) -> None:
        """Take a place or raise TooManyRequests."""
        decision = self.acquire(key)
        if not decision.allowed:
            raise TooManyRequests(retry_after=decision.retry_after)
