"""How a store reaches its table; by default by the application's connection, in its table."""

import re
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from core.dynamo.connection import SharedConnection
from core.stores.models import StoreItem

MOST_IN_A_BATCH = 25
DEFAULT_RETRIES = 3
DEFAULT_RETRY_DELAY_MS = 100


@dataclass(frozen=True)
class StoreConfig:
    """`client` is botocore's; `stores clean --forever` cleans up each `cleanup_interval_ms`, 0 forbids it.

    With `in_memory` each store keeps its items in this process.
    """

    table_name: str = field(default_factory=lambda: StoreItem.Meta.table_name)
    region: str | None = None
    endpoint: str | None = None
    client: Any = None
    max_retries: int = DEFAULT_RETRIES
    retry_delay_ms: int = DEFAULT_RETRY_DELAY_MS
    batch_size: int = MOST_IN_A_BATCH
    cleanup_interval_ms: int = 300_000
    in_memory: bool = False

    def __post_init__(self) -> None:
        _require(
            re.fullmatch(r"[A-Za-z0-9_.-]{3,255}", self.table_name),
            "table_name must be 3 to 255 letters, digits, dots, dashes or underscores",
        )
        _require(
            self.endpoint is None or re.match("https?://.", self.endpoint),
            "endpoint must be an http or https address",
        )
        _require(self.max_retries >= 0, "max_retries must be 0 or more")
        _require(self.retry_delay_ms >= 0, "retry_delay_ms must be 0 or more")
        _require(1 <= self.batch_size <= MOST_IN_A_BATCH, f"batch_size must be 1 to {MOST_IN_A_BATCH}")
        _require(self.cleanup_interval_ms >= 0, "cleanup_interval_ms must be 0 or more")

    @property
    def shares_connection(self) -> bool:
        """Whether the application's connection can be used."""
        own = (self.region, self.endpoint, self.client) != (None, None, None)
        retries = (self.max_retries, self.retry_delay_ms)
        return not own and retries == (DEFAULT_RETRIES, DEFAULT_RETRY_DELAY_MS)


class StoreConnection(SharedConnection):
    """A connection of its own, for a store elsewhere or with other retries."""

    def __init__(self, config: StoreConfig) -> None:
        super().__init__()
        self.region = config.region or settings.AWS_REGION
        self.host = config.endpoint or settings.DYNAMODB_ENDPOINT
        self._client = config.client
        self._retries = config.max_retries
        self.contention_retries = config.max_retries
        self.first_pause = config.retry_delay_ms / 1000

    @property
    def breakdown_retries(self) -> int:
        return self._retries


def _require(holds: object, rule: str) -> None:
    if not holds:
        raise ImproperlyConfigured(f"Store: {rule}.")
