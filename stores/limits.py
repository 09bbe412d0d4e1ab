"""How often something may happen, counted in DynamoDB for all processes together.

A fixed window: at most `limit` times in each window of `seconds`, by one conditional request. A key that was
refused costs no further request until its window ends, so a flood does not become a flood of writes.
"""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.crypto import salted_hmac
from pynamodb.exceptions import VerboseClientError

from dynamo.connection import connection
from dynamo.errors import TooManyRequests, Unavailable
from stores.models import StoreItem

MOST_BLOCKS = 10_000


@dataclass(frozen=True)
class Decision:
    """`retry_after` is in whole seconds, 0 when allowed; `remaining` is how often more in this window."""

    allowed: bool
    retry_after: int
    remaining: int


class Limiter:
    """`when_down` says what to do while DynamoDB cannot be asked: raise Unavailable, or let all through."""

    def __init__(
        self,
        name: str,
        limit: int,
        seconds: int,
        *,
        when_down: Literal["refuse", "allow"] = "refuse",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self.limit = limit
        self.seconds = seconds
        self._lets_through_when_down = when_down == "allow"
        self._clock = clock
        self._blocks = _Blocks()

    def acquire(self, key: str) -> Decision:
        """Take one of the places of this window, if there is one."""
        now = self._clock()
        window = math.floor(now / self.seconds)
        ends_at = (window + 1) * self.seconds
        # Keys are addresses of people: what is stored must not tell them.
        hidden = salted_hmac("stores.limits", key, algorithm="sha256").hexdigest()
        refused = Decision(allowed=False, retry_after=math.ceil(ends_at - now), remaining=0)
        if self._blocks.holds(hidden, now):
            return refused
        try:
            count = self._count(hidden, window, ends_at)
        except Unavailable:
            if self._lets_through_when_down:
                return Decision(allowed=True, retry_after=0, remaining=0)
            raise
        if count is None:
            self._blocks.add(hidden, ends_at, now)
            return refused
        return Decision(allowed=True, retry_after=0, remaining=self.limit - count)

    def ensure(self, key: str) -> None:
        """Take a place or raise TooManyRequests."""
        decision = self.acquire(key)
        if not decision.allowed:
            raise TooManyRequests(retry_after=decision.retry_after)

    def _count(self, hidden: str, window: int, ends_at: int) -> int | None:
        """Which place of the window this is; None when there is none left."""
        request = {
            "TableName": StoreItem.Meta.table_name,
            "Key": {"PK": {"S": f"RATELIMIT#{self.name}#{hidden}"}, "SK": {"S": f"WIN#{window}"}},
            "UpdateExpression": "ADD #count :one SET #ttl = :ttl",
            "ConditionExpression": "attribute_not_exists(#count) OR #count < :limit",
            "ExpressionAttributeNames": {"#count": "count", "#ttl": "TTL"},
            "ExpressionAttributeValues": {
                ":one": {"N": "1"},
                ":limit": {"N": str(self.limit)},
                ":ttl": {"N": str(ends_at)},
            },
            "ReturnValues": "UPDATED_NEW",
        }
        try:
            answer: dict[str, Any] = connection().dispatch("UpdateItem", request)
        except VerboseClientError as error:
            if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
                return None
            raise
        return int(answer["Attributes"]["count"]["N"])


class _Blocks:
    """Keys that this process need not ask about until their window ends; at most so many."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}
        self._lock = threading.Lock()

    def holds(self, key: str, now: float) -> bool:
        return self._until.get(key, 0) > now

    def add(self, key: str, until: float, now: float) -> None:
        with self._lock:
            if len(self._until) >= MOST_BLOCKS:
                self._until = {key: end for key, end in self._until.items() if end > now}
            if len(self._until) < MOST_BLOCKS:
                self._until[key] = until
