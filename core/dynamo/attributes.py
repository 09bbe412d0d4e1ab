"""Attribute types that PynamoDB lacks."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Context, Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import Attribute
from pynamodb.constants import LIST, MAP, STRING

from core.dynamo.errors import Invalid, TooLarge

# DynamoDB's own limit for nested values.
DEEPEST = 32
# Of 38 digits.
LARGEST_INTEGER = 10**38 - 1


def to_iso(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds and Z: always 24 characters, so that text sorts like time."""
    if moment.tzinfo is None:
        raise ValueError("A moment needs a time zone.")
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def from_iso(text: str) -> datetime:
    """Read ISO 8601 with Z, +00:00 or another offset, with milliseconds or without; no offset means UTC."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is UTC:
        return moment
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def now() -> datetime:
    """Now, cut to the milliseconds that are stored, so that a record compares equal after a round trip."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


class TimestampAttribute(Attribute[datetime]):
    """A moment as fixed-width ISO 8601 text."""

    attr_type = STRING

    def serialize(self, value: datetime) -> str:
        return to_iso(value)

    def deserialize(self, value: str) -> datetime:
        return from_iso(value)


class DayAttribute(Attribute[date]):
    """A whole day as text, such as 2026-11-16."""

    attr_type = STRING

    def serialize(self, value: date) -> str:
        return value.isoformat()

    def deserialize(self, value: str) -> date:
        return date.fromisoformat(value)


def wrap(value: Any, depth: int = 1) -> dict[str, Any]:
    """A JSON-shaped value as a DynamoDB attribute value."""
    if depth > DEEPEST:
        raise TooLarge(_("This is nested too deeply to be saved."))
    # Exact types first: much faster than isinstance, and most of JSON.
    kind = type(value)
    if kind is str:
        return {"S": value}
    if kind is dict:
        return {"M": {key: wrap(part, depth + 1) for key, part in value.items()}}
    if kind is list:
        return {"L": [wrap(part, depth + 1) for part in value]}
    # bool is a subclass of int, so it comes before the numbers.
    if value is None:
        return {"NULL": True}
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, int | float | Decimal):
        return {"N": number_text(value)}
    if isinstance(value, Mapping):
        return {"M": {key: wrap(part, depth + 1) for key, part in value.items()}}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return {"L": [wrap(part, depth + 1) for part in value]}
    raise TypeError(f"{type(value).__name__} is not a JSON value.")


def number_text(value: float | Decimal) -> str:
    """A number as DynamoDB stores it: at most 38 digits, between 1E-130 and 1E+126; others are `Invalid`."""
    if type(value) is int and -LARGEST_INTEGER <= value <= LARGEST_INTEGER:
        # Most numbers; Decimal takes ten times as long.
        return str(value)
    number = Decimal(repr(value) if isinstance(value, float) else value)
    digits = len(number.normalize(Context(prec=1000)).as_tuple().digits)
    if not number.is_finite() or digits > 38 or (number and not -130 <= number.adjusted() <= 125):
        raise Invalid(_("This number cannot be saved."))
    return str(number)


def number_of(text: str) -> int | float:
    """A stored number: a whole one as int, others as float."""
    try:
        return int(text)
    except ValueError:
        return float(text)


def unwrap(attribute: Mapping[str, Any]) -> Any:
    """The JSON-shaped value in a DynamoDB attribute value: whole numbers as int, others as float."""
    ((kind, value),) = attribute.items()
    match kind:
        case "S" | "BOOL" | "B":
            return value
        case "N":
            return number_of(value)
        case "M":
            return {key: unwrap(part) for key, part in value.items()}
        case "L":
            return [unwrap(part) for part in value]
        case "NULL":
            return None
        case "SS" | "BS":
            return sorted(value)
        case "NS":
            return sorted(unwrap({"N": number}) for number in value)
    raise ValueError(f"Unknown attribute type {kind}.")


class JSONMapAttribute(Attribute[dict[str, Any]]):
    """A JSON object stored as a native map.

    PynamoDB's MapAttribute builds an attribute object per nested value, which makes a 15 KB document
    several times slower to read; this one converts plain values only.
    """

    attr_type = MAP

    def serialize(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return {key: wrap(part, 2) for key, part in value.items()}

    def deserialize(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return {key: unwrap(part) for key, part in value.items()}


class JSONListAttribute(Attribute[list[Any]]):
    """A JSON array stored as a native list."""

    attr_type = LIST

    def serialize(self, value: Sequence[Any]) -> list[Any]:
        return [wrap(part, 2) for part in value]

    def deserialize(self, value: Sequence[Any]) -> list[Any]:
        return [unwrap(part) for part in value]
