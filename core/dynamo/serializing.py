"""Serialise the operations on items with `json` instead of botocore's serialiser.

botocore walks through every value of a request with its model of the service; for these operations the only
difference is bytes, which JSON carries as base64.
"""

import base64
import json
from typing import Any


def as_json(parameters: Any) -> bytes:
    return _encoder.encode(parameters).encode()


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


_encoder = json.JSONEncoder(default=_base64, separators=(",", ":"))
