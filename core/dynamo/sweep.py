"""Delete expired items, for engines that do not do it themselves."""

from collections.abc import Iterator
from typing import Any

from core.dynamo.items import RawItem
from core.dynamo.maintenance import RequestRefused, request, scan_items
from core.dynamo.tables import TableSpec

PAGE_SIZE = 500
# As on AWS, a TTL further back than this is ignored.
OLDEST_SECONDS = 5 * 365 * 24 * 3600
EXPIRED = "#ttl BETWEEN :oldest AND :now"


def expired_keys(spec: TableSpec, *, now: int) -> Iterator[RawItem]:
    """The keys of the items that had expired at `now` (seconds), read page by page."""
    names = {f"#key{number}": key.name for number, key in enumerate(spec.keys)}
    expired = _expired(spec, now)
    expired["ExpressionAttributeNames"] |= names
    return scan_items(
        TableName=spec.name,
        FilterExpression=EXPIRED,
        ProjectionExpression=", ".join(names),
        Limit=PAGE_SIZE,
        **expired,
    )


def delete_if_expired(spec: TableSpec, key: RawItem, *, now: int) -> bool:
    """Delete one item, unless its TTL was extended since it was read."""
    try:
        request(
            "DeleteItem", TableName=spec.name, Key=key, ConditionExpression=EXPIRED, **_expired(spec, now)
        )
        return True
    except RequestRefused as refusal:
        if refusal.code != "ConditionalCheckFailedException":
            raise
        return False


def _expired(spec: TableSpec, now: int) -> dict[str, dict[str, Any]]:
    return {
        "ExpressionAttributeNames": {"#ttl": spec.ttl},
        "ExpressionAttributeValues": {":oldest": {"N": str(now - OLDEST_SECONDS)}, ":now": {"N": str(now)}},
    }
