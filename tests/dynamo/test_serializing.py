"""Requests to DynamoDB: written as plain JSON, and the same as botocore would have sent."""

import json
from typing import Any

import pytest
from botocore.loaders import Loader
from botocore.model import ServiceModel
from botocore.serialize import JSONSerializer
from botocore.session import Session

from dynamo.connection import connection
from dynamo.parsing import OPERATIONS_ON_ITEMS
from dynamo.serializing import ItemSerializer
from dynamo.support import SupportItem

MODEL = ServiceModel(Loader().load_service_model("dynamodb", "service-2"))
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


def written(serializer: JSONSerializer, name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    request: dict[str, Any] = serializer.serialize_to_request(parameters, MODEL.operation_model(name))
    return request | {"body": json.loads(request["body"])}


def test_every_operation_on_items_is_compared() -> None:
    assert REQUESTS.keys() == OPERATIONS_ON_ITEMS


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_what_botocore_would_send(name: str) -> None:
    assert written(ItemSerializer(), name, REQUESTS[name]) == written(JSONSerializer(), name, REQUESTS[name])


def test_other_operations_are_left_to_botocore() -> None:
    parameters = {"TableName": "t", "AttributeDefinitions": []}

    assert written(ItemSerializer(), "CreateTable", parameters) == written(
        JSONSerializer(), "CreateTable", parameters
    )


def test_what_is_no_value_of_dynamodb_is_refused_before_it_is_sent() -> None:
    with pytest.raises(TypeError):
        written(ItemSerializer(), "PutItem", {"TableName": "t", "Item": {"x": {"S": object()}}})


@pytest.mark.usefixtures("db")
def test_the_connection_writes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    write = ItemSerializer.serialize_to_request

    def noted(serializer: ItemSerializer, parameters: dict[str, Any], model: Any) -> Any:
        asked.append(model.name)
        return write(serializer, parameters, model)

    monkeypatch.setattr(ItemSerializer, "serialize_to_request", noted)
    connection().dispatch(
        "GetItem", {"TableName": SupportItem.Meta.table_name, "Key": {"PK": {"S": "a"}, "SK": {"S": "b"}}}
    )

    assert asked == ["GetItem"]


@pytest.mark.parametrize("endpoint", [None, "http://127.0.0.1:8000"])
def test_the_endpoint_of_a_client_is_the_one_that_the_rules_find(endpoint: str | None) -> None:
    client = Session().create_client(
        "dynamodb",
        "eu-central-1",
        endpoint_url=endpoint,
        aws_access_key_id="key",
        aws_secret_access_key="secret",
    )
    for name, parameters in REQUESTS.items():
        url, headers, properties = client._resolve_endpoint_ruleset(
            MODEL.operation_model(name), parameters, {"client_region": "eu-central-1"}
        )
        assert (url, headers, properties.get("authSchemes")) == (client.meta.endpoint_url, {}, None)
