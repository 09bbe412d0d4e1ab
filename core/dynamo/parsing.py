"""Read DynamoDB's answers as the JSON that they are.

botocore goes through every value of an answer once more with its model of the service, which takes ten times
as long as reading the JSON. For the operations on items that changes nothing but bytes, which JSON carries as
base64; so errors, answers with bytes and all other operations are still left to botocore.
"""

import json
import re
from typing import Any

from botocore.exceptions import HTTPClientError
from botocore.parsers import JSONParser

# These ask and answer with items, keys and numbers only: no times.
OPERATIONS_ON_ITEMS = {
    "GetItem",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "Query",
    "Scan",
    "BatchGetItem",
    "BatchWriteItem",
    "TransactGetItems",
    "TransactWriteItems",
}
PLAIN = {f"{operation}Output" for operation in OPERATIONS_ON_ITEMS}
BYTES = re.compile(rb'"BS?"\s*:')


class ItemParser(JSONParser):  # type: ignore[misc]
    def parse(self, response: dict[str, Any], shape: Any) -> dict[str, Any]:
        body: bytes = response["body"]
        if response["status_code"] != 200 or shape is None or shape.name not in PLAIN or _has_bytes(body):
            parsed: dict[str, Any] = super().parse(response, shape)
            return parsed
        try:
            answer: dict[str, Any] = json.loads(body.decode())
        except ValueError as error:
            # botocore would take it for an empty answer: for a record that does not exist.
            raise HTTPClientError(error=error) from error
        if not isinstance(answer, dict):
            raise HTTPClientError(error="the answer is no object")
        # Not all that botocore tells here: nobody asks for the headers of an answer without an error.
        answer["ResponseMetadata"] = {
            "HTTPStatusCode": 200,
            "RequestId": response["headers"].get("x-amzn-requestid", ""),
        }
        return answer


def _has_bytes(body: bytes) -> bool:
    # Looking for the letters first is much faster than the expression alone; most answers have neither.
    return (b'"B"' in body or b'"BS"' in body) and BYTES.search(body) is not None
