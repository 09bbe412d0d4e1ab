"""Raw items as JSON: DynamoDB's own form, with bytes as base64.

orjson writes it fifty times as fast as `json`, which took a tenth of the time of a save.
"""

import base64
from typing import Any

import orjson

from core.dynamo.errors import Invalid

# As in `core/dynamo/items.py`, which needs this module.
RawItem = dict[str, dict[str, Any]]


def dumps(raw: Any, *, sort_keys: bool = False) -> bytes:
    """Raw items, or the parameters of an operation on items.

    botocore walks through every value of a request with its model of the service; for these operations the
    only difference is bytes.
    """
    options = orjson.OPT_NON_STR_KEYS | (orjson.OPT_SORT_KEYS if sort_keys else 0)
    try:
        return orjson.dumps(raw, default=_base64, option=options)
    except orjson.JSONEncodeError as error:
        if error.__cause__ is not None:
            # `_base64` did not know it either.
            raise
        # Text that is no Unicode, such as half of an emoji: DynamoDB would refuse it.
        raise Invalid from error


def loads(text: bytes) -> RawItem:
    return with_bytes(orjson.loads(text))


def with_bytes(item: RawItem) -> RawItem:
    """An item read from JSON, with base64 decoded to bytes."""
    return {name: _with_bytes(value) for name, value in item.items()}


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _with_bytes(attribute: dict[str, Any]) -> dict[str, Any]:
    ((kind, value),) = attribute.items()
    match kind:
        case "B":
            return {"B": base64.b64decode(value)}
        case "BS":
            return {"BS": [base64.b64decode(part) for part in value]}
        case "M":
            return {"M": {name: _with_bytes(part) for name, part in value.items()}}
        case "L":
            return {"L": [_with_bytes(part) for part in value]}
    return attribute
