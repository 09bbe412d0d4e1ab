"""Parse DynamoDB's responses with orjson instead of botocore's parser.

botocore walks through every value of a response with its model of the service, which takes ten times as long
as reading the JSON. For the operations on items the only difference is bytes, which JSON carries as base64:
so errors, responses with bytes and all other operations are left to botocore.
"""

import re
from typing import Any

import orjson
from botocore.exceptions import HTTPClientError
from botocore.parsers import JSONParser

# Their parameters and results are items, keys and numbers only, no timestamps.
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
            answer: dict[str, Any] = orjson.loads(body)
        except ValueError as error:
            # botocore would take it for an empty response: for a record that does not exist.
            raise HTTPClientError(error=error) from error
        if not isinstance(answer, dict):
            raise HTTPClientError(error="the answer is no object")
        # Less than botocore's: nobody reads the headers of a successful response.
        answer["ResponseMetadata"] = {
            "HTTPStatusCode": 200,
            "RequestId": response["headers"].get("x-amzn-requestid", ""),
        }
        return answer


def _has_bytes(body: bytes) -> bool:
    # The substring search is much faster than the regular expression, and most responses have neither.
    return (b'"B"' in body or b'"BS"' in body) and BYTES.search(body) is not None
