"""One record of a stream: an item as it was and as it became."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from core.dynamo import rawjson
from core.dynamo.items import RawItem

# Who removes what has expired. dynoxide says that somebody did and leaves open who.
DYNAMODB = ("dynamodb.amazonaws.com", "")


@dataclass(frozen=True)
class Change:
    """`event` is INSERT, MODIFY or REMOVE; `has_expired` tells that DynamoDB itself removed the item."""

    table: str
    event: str
    sequence_number: str
    at: datetime
    before: RawItem | None
    after: RawItem | None
    has_expired: bool = False

    @property
    def image(self) -> RawItem:
        """The item as it is now, or was last."""
        return self.after or self.before or {}

    @classmethod
    def from_stream(cls, table: str, record: Mapping[str, Any]) -> Self:
        """As GetRecords answers."""
        return cls._read(table, record, record["dynamodb"]["ApproximateCreationDateTime"].astimezone(UTC))

    @classmethod
    def from_lambda(cls, record: Mapping[str, Any]) -> Self:
        """As Lambda passes it on: bytes as base64, the time in seconds, the table in the stream's name."""
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
    """A change made through the API carries no identity at all."""
    if identity is None:
        return False
    # GetRecords and Lambda spell it differently.
    return (identity.get("PrincipalId") or identity.get("principalId") or "") in DYNAMODB
