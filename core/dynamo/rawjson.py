"""Raw items as JSON: DynamoDB's own form, with bytes as base64."""

import base64
import json
from typing import Any

from core.dynamo.errors import Invalid

# As in `core/dynamo/items.py`, which needs this module.
RawItem = dict[str, dict[str, Any]]


def as_json(parameters: Any) -> bytes:
    """The parameters of an operation on items.

    botocore walks through every value of a request with its model of the service; for these operations the
    only difference is bytes.
    """
    return _encoder.encode(parameters).encode()


def dumps(raw: RawItem) -> bytes:
    text = json.dumps(raw, default=_base64, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise Invalid from error


def loads(text: bytes) -> RawItem:
    return with_bytes(json.loads(text))


def with_bytes(item: RawItem) -> RawItem:
    """An item read from JSON, with base64 decoded to bytes."""
    return {name: _with_bytes(value) for name, value in item.items()}


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


_encoder = json.JSONEncoder(default=_base64, separators=(",", ":"))


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
