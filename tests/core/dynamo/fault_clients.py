"""Clients of the fault proxy and of the engine behind it."""

from collections.abc import Callable
from typing import Any

import botocore.session
from botocore.config import Config
from botocore.exceptions import ClientError

# It reads its model of the service once.
SESSION = botocore.session.Session()


def connect(endpoint: str, read_timeout: float = 60) -> Any:
    return SESSION.create_client(
        "dynamodb",
        region_name="eu-west-1",
        endpoint_url=endpoint,
        aws_access_key_id="test",
        aws_secret_access_key="test",
        config=Config(retries={"total_max_attempts": 1}, read_timeout=read_timeout, max_pool_connections=100),
    )


def make_table_of_pages(client: Any, name: str) -> None:
    """Pages by id, listed by status in an index."""
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": a, "AttributeType": "S"} for a in ("id", "status")],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-status",
                "KeySchema": [
                    {"AttributeName": "status", "KeyType": "HASH"},
                    {"AttributeName": "id", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )


def page(id: str, status: str = "draft", **attributes: str) -> dict[str, Any]:
    return {name: {"S": value} for name, value in {"id": id, "status": status, **attributes}.items()}


def key(id: str) -> dict[str, Any]:
    return {"id": {"S": id}}


def ids(items: list[dict[str, Any]]) -> list[str]:
    return [item["id"]["S"] for item in items]


def put(table: str, id: str) -> dict[str, Any]:
    return {"Put": {"TableName": table, "Item": page(id)}}


def add_one(table: str, id: str) -> dict[str, Any]:
    values = {":one": {"N": "1"}}
    update = {"UpdateExpression": "ADD visits :one", "ExpressionAttributeValues": values}
    return {"TableName": table, "Key": key(id), **update}


def visits(faulty_client: Any, table: str, id: str) -> int:
    return int(
        faulty_client.get_item(TableName=table, Key=key(id), ConsistentRead=True)["Item"]["visits"]["N"]
    )


def everything(faulty_client: Any, table: str) -> list[str]:
    return sorted(ids(faulty_client.scan(TableName=table, ConsistentRead=True)["Items"]))


def by_status(faulty_client: Any, table: str, status: str, **options: Any) -> Any:
    return faulty_client.query(
        TableName=table,
        IndexName="by-status",
        KeyConditionExpression="#status = :status",
        ExpressionAttributeNames={"#status": "status"},
        ExpressionAttributeValues={":status": {"S": status}},
        **options,
    )


def outcome(call: Callable[[], Any]) -> str:
    try:
        call()
    except ClientError as error:
        return str(error.response["Error"]["Code"])
    return "done"
