"""Parsers of single SAMS values: numbers as text, German decimals and dates, empty text for null."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from typing import Any, Literal

Pair = tuple[int, int]
Side = Literal[1, 2]
SIDES: dict[str, Side] = {"1": 1, "TEAM1": 1, "2": 2, "TEAM2": 2}


def text(value: object) -> str | None:
    """The value as stripped text; None for null, empty text, an object or a list."""
    if value is None or isinstance(value, Mapping | list):
        return None
    return str(value).strip() or None


def decimal(value: object) -> float | None:
    """A number, also written as "2,533" or with a line break; None for ∞, the quotient without a defeat."""
    written = text(value)
    if written is None or isinstance(value, bool):
        return None
    with suppress(ValueError):
        number = float(written.replace(",", "."))
        # JSON and DynamoDB know neither infinity nor "not a number".
        return number if abs(number) < 1e15 else None
    return None


def whole(value: object) -> int | None:
    number = decimal(value)
    return int(number) if number is not None and number == int(number) else None


def day(value: object) -> date | None:
    """A day written as 2026-11-16 or 16.11.2026, or the date part of an ISO datetime."""
    written = text(value) or ""
    with suppress(ValueError):
        return date.fromisoformat(written[:10])
    with suppress(ValueError):
        return datetime.strptime(written, "%d.%m.%Y").date()
    return None


def clock(value: object) -> time | None:
    with suppress(ValueError):
        return time.fromisoformat(text(value) or "").replace(second=0, microsecond=0, tzinfo=None)
    return None


def pair(value: object) -> Pair | None:
    """The two numbers of "3:1"."""
    first, colon, second = (text(value) or "").partition(":")
    numbers = whole(first), whole(second)
    if not colon or numbers[0] is None or numbers[1] is None:
        return None
    return numbers[0], numbers[1]


def winner(value: object, team_uuids: Sequence[str | None]) -> Side | None:
    """Which side won; given as a team's uuid or, in older responses, as 1, 2, TEAM1 or TEAM2."""
    written = text(value)
    if written is None:
        return None
    if written in team_uuids:
        return 1 if written == team_uuids[0] else 2
    return SIDES.get(written.upper())


def mapping(value: object) -> Mapping[str, Any]:
    """The value if it is an object, otherwise an empty one."""
    return value if isinstance(value, Mapping) else {}


def objects(value: object) -> list[Mapping[str, Any]]:
    """A list of objects; a single object becomes a list of one, anything else an empty list."""
    if isinstance(value, Mapping):
        return [value]
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
