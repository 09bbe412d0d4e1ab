"""Write requests to DynamoDB as the JSON that they are.

botocore goes through every value of a request with its model of the service. For the operations on items that
changes nothing but bytes, which JSON carries as base64; all other operations are still left to botocore.
"""

import base64
import json
from typing import Any

from botocore.serialize import JSONSerializer

from dynamo.parsing import OPERATIONS_ON_ITEMS


class ItemSerializer(JSONSerializer):  # type: ignore[misc]
    def serialize_to_request(self, parameters: dict[str, Any], operation_model: Any) -> dict[str, Any]:
        if operation_model.name not in OPERATIONS_ON_ITEMS:
            left: dict[str, Any] = super().serialize_to_request(parameters, operation_model)
            return left
        request: dict[str, Any] = super().serialize_to_request({}, operation_model)
        request["body"] = json.dumps(parameters, default=_base64, separators=(",", ":")).encode()
        return request


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()
