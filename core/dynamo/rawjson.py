"""Raw items as JSON: DynamoDB's own form, with bytes as base64."""

import base64
import json

from core.dynamo.errors import Invalid
from core.dynamo.items import AttributeValue, RawItem


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


def _with_bytes(attribute: AttributeValue) -> AttributeValue:
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
