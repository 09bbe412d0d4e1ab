"""Copy items of another store: of another table, or of the SQLite file of the original package.

Only items that have not expired are copied, with their expiry, and never over a live item.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from core.dynamo.attributes import unwrap
from core.dynamo.items import AttributeValue, RawItem, size_of
from core.dynamo.maintenance import RequestRefused, request, scan_items
from core.stores.cache.store import KIND, PREFIX
from core.stores.codecs import JSONCodec
from core.stores.table import by_expiry, checked, int_of, key_of, number, text

# Not sessions; and shares of adaptive limits are calculated anew in half a minute.
KINDS = ("CACHE#", "DEDUPE#", "RATELIMIT#")


def from_table(name: str, *, now: int) -> Iterator[RawItem]:
    """The live items of another store table; those of the original package are converted."""
    for item in scan_items(TableName=name):
        copied = _in_our_form(item)
        if copied is not None and not _is_over(copied, now):
            yield copied


def from_sqlite(path: Path, *, now: int) -> Iterator[RawItem]:
    """The live cache values of the original's SQLite store; its jobs and limits expire within minutes."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT hash, value, expires_at, created_at FROM cache")
        for hash, value, expires_at, created_at in rows:
            json_text = value.decode() if isinstance(value, bytes) else str(value)
            item = _cache_item(PREFIX + checked(hash), text(json_text), int(expires_at), int(created_at))
            if not _is_over(item, now):
                yield item


def write_unless_live(item: RawItem, table_name: str) -> bool:
    """Write one item unless a live one is there; returns whether it was written."""
    live_until: dict[str, Any] = {":now": number(time.time_ns() // 1_000_000)}
    try:
        request(
            "PutItem",
            TableName=table_name,
            Item=item,
            ConditionExpression="attribute_not_exists(PK) OR expiresAt <= :now",
            ExpressionAttributeValues=live_until,
        )
    except RequestRefused as refusal:
        if refusal.code != "ConditionalCheckFailedException":
            raise
        return False
    return True


def _in_our_form(item: RawItem) -> RawItem | None:
    pk, sk = item["PK"]["S"], item["SK"]["S"]
    if not pk.startswith(KINDS) or sk.startswith(("REQ#", "JOB#")):
        # The original's jobs and requests expire within minutes.
        return None
    if pk.startswith(PREFIX):
        return _value_in_our_form(item)
    return item


def _value_in_our_form(item: RawItem) -> RawItem | None:
    pk, data = item["PK"]["S"], item.get("Data", {"M": {}})["M"]
    if "value" not in data:
        # It is being computed.
        return None
    if "expiresAt" in item or "TTL" not in item:
        return item
    value: AttributeValue = data["value"]
    # The original keeps JSON texts; the document draws the value itself.
    stored = value if "S" in value else JSONCodec().encode(pk, unwrap(value))
    return _cache_item(pk, stored, int_of(item, "TTL") * 1000, int_of(data, "createdAt"))


def _cache_item(pk: str, stored: AttributeValue, expires_at: int, created_at: int) -> RawItem:
    item = key_of(pk, "DATA") | by_expiry(KIND, pk, expires_at)
    item["Data"] = {"M": {"value": stored, "createdAt": number(created_at)}}
    item["size"] = number(size_of(item))
    return item


def _is_over(item: RawItem, now: int) -> bool:
    ends = int_of(item, "expiresAt") or int_of(item, "TTL") * 1000
    return bool(ends) and ends <= now
