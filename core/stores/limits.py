"""`Limiter`: a rate limit whose keys (e-mail or IP addresses) are stored as HMACs."""

from collections.abc import Callable, Iterable
from math import ceil

from django.utils.crypto import salted_hmac

from core.dynamo.errors import Text, TooManyRequests
from core.stores.factory import rate_limit_store
from core.stores.interfaces import Decision, Limit, LimitStats, LimitStatus
from core.stores.table import now_ms
from core.stores.usage import RecentUsage

# All declared limiters, by name, for the operators' dashboard: the table has neither limits nor names.
LIMITERS: dict[str, "Limiter"] = {}


class Limiter:
    """At most `limit` times in any stretch of `seconds`.

    `about` tells administrators what is limited, `normalize` gives the form of a key that is counted. While
    DynamoDB cannot be reached, nothing is allowed. With `in_process`, each process counts for itself, without
    a request.
    """

    def __init__(
        self,
        name: str,
        *,
        limit: int,
        seconds: int,
        about: Text | None = None,
        normalize: Callable[[str], str] = str,
        in_process: bool = False,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self.name = name
        self.limit = limit
        self.seconds = seconds
        # `about or name` would evaluate a lazy text, which is too early at import time.
        self.about = name if about is None else about
        self.normalize = normalize
        self.usage = RecentUsage()
        self._store = rate_limit_store(Limit(limit, seconds * 1000), in_process=in_process, clock=clock)
        LIMITERS[name] = self

    def acquire(self, key: str) -> Decision:
        """Take a place if there is one; a refused key costs no request until there is one again."""
        resource = self.resource_of(key)
        decision = self._store.acquire(resource)
        self.usage.note(resource, is_allowed=decision.allowed)
        return decision

    def ensure(self, key: str) -> None:
        """Take a place or raise TooManyRequests."""
        decision = self.acquire(key)
        if not decision.allowed:
            raise TooManyRequests(retry_after=decision.retry_after)

    def ensure_free(self, key: str) -> None:
        """Raise TooManyRequests if no place is left; take none."""
        wait_ms = self._store.get_wait_time(self.resource_of(key))
        if wait_ms > 0:
            raise TooManyRequests(retry_after=ceil(wait_ms / 1000))

    def status(self, key: str) -> LimitStatus:
        return self._store.get_status(self.resource_of(key))

    def stats(self, resources: Iterable[str]) -> LimitStats:
        """The usage of those resources that belong to this limiter."""
        return self._store.stats(each for each in resources if each.startswith(f"{self.name}#"))

    def reset(self, key: str) -> None:
        """Free all places; other processes may remember a refusal until it would have ended."""
        self._store.reset(self.resource_of(key))

    def resource_of(self, key: str) -> str:
        # Keys are personal data, so they are not stored in plain.
        hidden = salted_hmac("core.stores.limits", self.normalize(key), algorithm="sha256").hexdigest()
        return f"{self.name}#{hidden}"
