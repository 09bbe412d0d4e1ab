"""Requests to DynamoDB: written as plain JSON, and the same as botocore would have sent."""

import copy
import json
from enum import StrEnum
from functools import cache
from typing import Any
from unittest.mock import patch

import pytest
from botocore.config import Config
from botocore.session import Session

from core.dynamo.connection import connection
from core.dynamo.errors import Invalid
from core.dynamo.parsing import OPERATIONS_ON_ITEMS
from core.dynamo.rawjson import dumps, loads
from core.dynamo.support_table import SupportItem
from core.dynamo.transport import Transport

ITEM = {
    "text": {"S": 'quoted " and \\, ß, 😀, \u2028'},
    "number": {"N": "-1.50"},
    "yes": {"BOOL": True},
    "nothing": {"NULL": True},
    "bytes": {"B": b"\x00\xff"},
    "several": {"BS": [b"\x00", b"\x01\x02\x03"]},
    "texts": {"SS": ["a", "b"]},
    "map": {"M": {"list": {"L": [{"M": {"deep": {"B": b"x"}}}, {"S": ""}]}}},
}
KEY = {"PK": {"S": "a"}}
CONDITION = {
    "ConditionExpression": "#0 = :0",
    "ExpressionAttributeNames": {"#0": "version"},
    "ExpressionAttributeValues": {":0": {"N": "1"}},
    "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
}
PUT: dict[str, Any] = {"TableName": "t", "Item": ITEM, **CONDITION}
UPDATE: dict[str, Any] = {"TableName": "t", "Key": KEY, "UpdateExpression": "SET #0 = :0", **CONDITION}
REQUESTS: dict[str, dict[str, Any]] = {
    "GetItem": {"TableName": "t", "Key": KEY, "ConsistentRead": True},
    "PutItem": PUT,
    "UpdateItem": UPDATE,
    "DeleteItem": {"TableName": "t", "Key": KEY, **CONDITION},
    "Query": {"TableName": "t", "Limit": 5, "ScanIndexForward": False, "ExclusiveStartKey": ITEM},
    "Scan": {"TableName": "t", "Segment": 0, "TotalSegments": 2},
    "BatchGetItem": {"RequestItems": {"t": {"Keys": [KEY], "ConsistentRead": True}}},
    "BatchWriteItem": {
        "RequestItems": {"t": [{"PutRequest": {"Item": ITEM}}, {"DeleteRequest": {"Key": KEY}}]}
    },
    "TransactGetItems": {"TransactItems": [{"Get": {"TableName": "t", "Key": KEY}}]},
    "TransactWriteItems": {
        "TransactItems": [{"Put": PUT}, {"Update": UPDATE}],
        "ClientRequestToken": "token",
    },
}


def test_every_operation_on_items_is_compared() -> None:
    assert REQUESTS.keys() == OPERATIONS_ON_ITEMS


class Sent(Exception):
    """What would have been sent."""


@cache
def client(endpoint: str | None) -> Any:
    return Session().create_client(
        "dynamodb",
        "eu-central-1",
        endpoint_url=endpoint,
        aws_access_key_id="key",
        aws_secret_access_key="secret",
        config=Config(user_agent="Fieldhouse", parameter_validation=False),
    )


def sent_by_botocore(endpoint: str | None, name: str) -> tuple[str, dict[str, str], Any]:
    def stop(request: Any, **_: Any) -> None:
        headers = {key: _text(value) for key, value in request.headers.items()}
        raise Sent(request.url, headers, json.loads(request.body))

    botocores = client(endpoint)
    botocores.meta.events.register("before-send", stop)
    with pytest.raises(Sent) as told:
        botocores._make_api_call(name, copy.deepcopy(REQUESTS[name]))
    return told.value.args


def sent_by_us(endpoint: str | None, name: str) -> tuple[str, dict[str, str], Any]:
    ours = client(endpoint)
    transport = Transport(Session(), endpoint=ours.meta.endpoint_url, pool_size=1)

    def stop(url: str, headers: dict[str, str], body: bytes) -> None:
        raise Sent(url, headers, json.loads(body))

    with patch.object(transport, "_answer", stop), pytest.raises(Sent) as told:
        transport.call(ours, name, copy.deepcopy(REQUESTS[name]))
    return told.value.args


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


@pytest.mark.parametrize("endpoint", [None, "http://127.0.0.1:8000", "https://dynamodb.test/"])
@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_what_botocore_would_send(name: str, endpoint: str | None) -> None:
    url, headers, body = sent_by_us(endpoint, name)
    their_url, their_headers, their_body = sent_by_botocore(endpoint, name)

    assert (url, body) == (their_url, their_body)
    for each in ("X-Amz-Target", "Content-Type", "User-Agent"):
        assert headers[each] == their_headers[each], each


def test_a_transaction_has_a_token_that_stays_when_it_is_sent_again() -> None:
    parameters: dict[str, Any] = {"TransactItems": []}
    transport = Transport(Session(), endpoint="http://127.0.0.1:8000", pool_size=1)
    bodies: list[Any] = []

    def stop(url: str, headers: dict[str, str], body: bytes) -> None:
        bodies.append(json.loads(body))
        raise Sent

    with patch.object(transport, "_answer", stop):
        for _attempt in range(2):
            with pytest.raises(Sent):
                transport.call(client("http://127.0.0.1:8000"), "TransactWriteItems", parameters)

    assert len(bodies[0]["ClientRequestToken"]) == 36
    assert bodies[0] == bodies[1]


def test_what_is_no_value_of_dynamodb_is_refused_before_it_is_sent() -> None:
    with pytest.raises(TypeError):
        dumps({"TableName": "t", "Item": {"x": {"S": object()}}})


def test_half_an_emoji_is_no_text() -> None:
    with pytest.raises(Invalid):
        dumps({"TableName": "t", "Item": {"x": {"S": "\ud83d"}}})


def test_names_in_a_map_become_text() -> None:
    class Slug(StrEnum):
        NEWS = "news"

    names = {1: {"S": "a"}, Slug.NEWS: {"S": "b"}, None: {"S": "c"}}

    assert loads(dumps({"x": {"M": names}})) == {
        "x": {"M": {"1": {"S": "a"}, "news": {"S": "b"}, "null": {"S": "c"}}}
    }


@pytest.mark.usefixtures("db")
def test_the_connection_sends_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    call = Transport._signed_answer

    def noted(transport: Transport, client: Any, operation: str, body: bytes) -> Any:
        asked.append(operation)
        return call(transport, client, operation, body)

    monkeypatch.setattr(Transport, "_signed_answer", noted)
    name = SupportItem.Meta.table_name
    connection().dispatch("GetItem", {"TableName": name, "Key": {"PK": {"S": "a"}, "SK": {"S": "b"}}})
    # All but the operations on items is left to botocore.
    described = connection().dispatch("DescribeTable", {"TableName": name})

    assert asked == ["GetItem"]
    assert described["Table"]["TableName"] == name
