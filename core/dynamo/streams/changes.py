"""One record of a stream: an item before and after a change."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from core.dynamo import rawjson
from core.dynamo.items import RawItem

# The principal of a TTL deletion; dynoxide leaves it empty.
DYNAMODB = ("dynamodb.amazonaws.com", "")


@dataclass(frozen=True)
class Change:
    """`event` is INSERT, MODIFY or REMOVE; with `has_expired` it is a TTL deletion by DynamoDB."""

    table: str
    event: str
    sequence_number: str
    at: datetime
    before: RawItem | None
    after: RawItem | None
    has_expired: bool = False

    @property
    def image(self) -> RawItem:
        """The item after the change; of a removed item, before it."""
        return self.after or self.before or {}

    @classmethod
    def from_stream(cls, table: str, record: Mapping[str, Any]) -> Self:
        """From a record of GetRecords."""
        return cls._read(table, record, record["dynamodb"]["ApproximateCreationDateTime"].astimezone(UTC))

    @classmethod
    def from_lambda(cls, record: Mapping[str, Any]) -> Self:
        """From a record of a Lambda event: bytes as base64, the time in seconds, the table in the ARN."""
        table = record["eventSourceARN"].split(":table/")[1].split("/")[0]
        at = datetime.fromtimestamp(record["dynamodb"]["ApproximateCreationDateTime"], UTC)
        images = {
            name: rawjson.with_bytes(record["dynamodb"][name])
            for name in ("OldImage", "NewImage")
            if name in record["dynamodb"]
        }
        return cls._read(table, {**record, "dynamodb": {**record["dynamodb"], **images}}, at)

    @classmethod
    def _read(cls, table: str, record: Mapping[str, Any], at: datetime) -> Self:
        return cls(
            table=table,
            event=record["eventName"],
            sequence_number=record["dynamodb"]["SequenceNumber"],
            at=at,
            before=record["dynamodb"].get("OldImage"),
            after=record["dynamodb"].get("NewImage"),
            has_expired=_has_expired(record.get("userIdentity")),
        )


def _has_expired(identity: Mapping[str, str] | None) -> bool:
    """Whether this is the identity of a TTL deletion; changes by the API carry none."""
    if identity is None:
        return False
    # GetRecords and Lambda spell it differently.
    return (identity.get("PrincipalId") or identity.get("principalId") or "") in DYNAMODB
