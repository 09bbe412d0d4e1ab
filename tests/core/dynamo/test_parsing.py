"""Answers of DynamoDB: read as plain JSON, and the same as botocore would have told."""

import base64
import json
from typing import Any

import pytest
from botocore.exceptions import HTTPClientError
from botocore.loaders import Loader
from botocore.model import OperationModel, ServiceModel
from botocore.parsers import JSONParser
from hypothesis import given
from hypothesis import strategies as st

from core.dynamo.connection import connection
from core.dynamo.parsing import PLAIN, ItemParser
from core.dynamo.support_table import SupportItem

MODEL = ServiceModel(Loader().load_service_model("dynamodb", "service-2"))
ITEM = {
    "text": {"S": 'B and BS and "B": quoted, ß, 😀'},
    "number": {"N": "-1.50"},
    "yes": {"BOOL": True},
    "nothing": {"NULL": True},
    "letter": {"S": "B"},
    "texts": {"SS": ["a", "b"]},
    "numbers": {"NS": ["1", "2"]},
    "map": {"M": {"list": {"L": [{"M": {}}, {"S": ""}]}}},
}
BYTES = {"B": base64.b64encode(b"\x00\xff").decode()}


def operation(name: str) -> OperationModel:
    return MODEL.operation_model(name)


def answer(payload: object, status: int = 200) -> dict[str, Any]:
    headers = {"x-amzn-requestid": "R1"}
    return {"status_code": status, "headers": headers, "body": json.dumps(payload).encode(), "context": {}}


def parsed(parser: JSONParser, payload: object, name: str, status: int = 200) -> dict[str, Any]:
    told: dict[str, Any] = parser.parse(answer(payload, status), operation(name).output_shape)
    told["ResponseMetadata"].pop("HTTPHeaders", None)
    return told


@pytest.fixture
def by_botocore(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The shapes that botocore's own parser was given."""
    shapes: list[str] = []
    parse = JSONParser.parse

    def noted(parser: JSONParser, response: dict[str, Any], shape: Any) -> Any:
        shapes.append(shape.name)
        return parse(parser, response, shape)

    monkeypatch.setattr(JSONParser, "parse", noted)
    return shapes


def test_every_plain_answer_is_one_of_dynamodb_and_has_no_times() -> None:
    shapes = [operation(name).output_shape for name in MODEL.operation_names]
    outputs = {shape.name: shape for shape in shapes if shape is not None}

    assert outputs.keys() >= PLAIN
    for name in PLAIN:
        assert "timestamp" not in kinds(outputs[name], set())


def kinds(shape: Any, seen: set[str]) -> set[str]:
    """The kinds of all values within a shape."""
    if shape.name in seen:
        return set()
    seen.add(shape.name)
    parts = {"structure": ["members"], "list": ["member"], "map": ["key", "value"]}.get(shape.type_name, [])
    inner = [getattr(shape, part) for part in parts]
    shapes = [each for part in inner for each in (part.values() if isinstance(part, dict) else [part])]
    return {shape.type_name}.union(*(kinds(each, seen) for each in shapes))


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("GetItem", {"Item": ITEM}),
        ("GetItem", {}),
        ("Query", {"Items": [ITEM, ITEM], "Count": 2, "ScannedCount": 2, "LastEvaluatedKey": ITEM}),
        ("BatchGetItem", {"Responses": {"t": [ITEM]}, "UnprocessedKeys": {"t": {"Keys": [ITEM]}}}),
        ("UpdateItem", {"Attributes": ITEM, "ConsumedCapacity": {"TableName": "t", "CapacityUnits": 0.5}}),
        ("TransactWriteItems", {"ConsumedCapacity": [{"TableName": "t", "CapacityUnits": 2.0}]}),
    ],
)
def test_an_answer_is_what_botocore_would_tell_without_asking_it(
    by_botocore: list[str], name: str, payload: dict[str, Any]
) -> None:
    assert parsed(ItemParser(), payload, name) == payload | {
        "ResponseMetadata": {"HTTPStatusCode": 200, "RequestId": "R1"}
    }
    assert by_botocore == []
    assert parsed(ItemParser(), payload, name) == parsed(JSONParser(), payload, name)


def values() -> st.SearchStrategy[dict[str, Any]]:
    kinds = st.one_of(
        st.builds(lambda text: {"S": text}, st.text()),
        st.builds(lambda number: {"N": str(number)}, st.integers()),
        st.builds(lambda data: {"B": base64.b64encode(data).decode()}, st.binary()),
        st.builds(
            lambda data: {"BS": [base64.b64encode(data).decode()]},
            st.binary(),
        ),
    )
    return st.recursive(
        kinds,
        lambda inner: st.one_of(
            st.builds(lambda parts: {"L": parts}, st.lists(inner, max_size=3)),
            st.builds(lambda parts: {"M": parts}, st.dictionaries(st.text(max_size=3), inner, max_size=3)),
        ),
        max_leaves=8,
    )


@given(st.dictionaries(st.sampled_from(["B", "BS", "S", "a"]), values()))
def test_any_item_is_read_as_botocore_reads_it(item: dict[str, Any]) -> None:
    payload = {"Item": item}

    assert parsed(ItemParser(), payload, "GetItem") == parsed(JSONParser(), payload, "GetItem")


@pytest.mark.parametrize("space", ["", " ", "\n"])
def test_bytes_come_as_bytes(space: str) -> None:
    body = f'{{"Item":{{"a":{{"B"{space}:{space}"{BYTES["B"]}"}}}}}}'.encode()

    told = ItemParser().parse(answer({}) | {"body": body}, operation("GetItem").output_shape)

    assert told["Item"] == {"a": {"B": b"\x00\xff"}}


def test_errors_and_times_are_left_to_botocore(by_botocore: list[str]) -> None:
    error = {"__type": "x#ValidationException", "message": "no"}

    assert parsed(ItemParser(), error, "GetItem", 400)["Error"] == {
        "Code": "ValidationException",
        "Message": "no",
    }
    described = parsed(ItemParser(), {"Table": {"CreationDateTime": 0}}, "DescribeTable")
    assert described["Table"]["CreationDateTime"].year == 1970
    assert by_botocore == ["GetItemOutput", "DescribeTableOutput"]


@pytest.mark.parametrize("body", [b"<html>", b"", b"\xff"])
def test_an_answer_that_is_no_json_is_a_breakdown_and_not_an_absent_record(body: bytes) -> None:
    with pytest.raises(HTTPClientError):
        ItemParser().parse(answer({}) | {"body": body}, operation("GetItem").output_shape)


@pytest.mark.usefixtures("db")
def test_the_shared_connection_reads_its_answers_so(by_botocore: list[str]) -> None:
    key = {"PK": {"S": "1"}, "SK": {"S": "1"}}

    connection().dispatch("GetItem", {"TableName": SupportItem.Meta.table_name, "Key": key})

    assert by_botocore == []
