"""Requests of operator commands: with long time-outs and more retries than web requests, and Scan."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings

from core.common import env
from core.dynamo.errors import DataError, Unavailable
from core.dynamo.items import RawItem

# Retried with jitter by botocore: throttling, server errors, broken connections.
PATIENT = Config(
    connect_timeout=2,
    read_timeout=10,
    retries={"mode": "standard", "total_max_attempts": 5},
    # Validation doubles the time of a restore and is not needed: the values come from DynamoDB or our models.
    # It would also refuse the shard ids of dynoxide, which are too short.
    parameter_validation=False,
)
AWS_DOMAINS = (".amazonaws.com", ".amazonaws.com.cn", ".api.aws")


class RequestRefused(DataError):
    """An error answer of DynamoDB; `code` is its error code."""

    def __init__(self, operation: str, error: ClientError) -> None:
        self.code: str = error.response["Error"]["Code"]
        reason = error.response["Error"].get("Message", "")
        super().__init__(f"DynamoDB refused {operation}: {': '.join(filter(None, (self.code, reason)))}")


def request(operation: str, **arguments: Any) -> dict[str, Any]:
    """One request such as `request("DescribeTable", TableName=name)`."""
    return _send("dynamodb", settings.DYNAMODB_ENDPOINT, operation, arguments)


def stream_request(operation: str, **arguments: Any) -> dict[str, Any]:
    """One request to DynamoDB Streams; a local engine serves them at the same endpoint."""
    endpoint = env.address("AWS_ENDPOINT_URL_DYNAMODB_STREAMS")
    if endpoint is None and not is_aws():
        endpoint = settings.DYNAMODB_ENDPOINT
    return _send("dynamodbstreams", endpoint, operation, arguments)


def scan(**arguments: Any) -> Iterator[dict[str, Any]]:
    """The pages of a Scan, each read when it is asked for."""
    page = request("Scan", **arguments)
    yield page
    while "LastEvaluatedKey" in page:
        page = request("Scan", **arguments, ExclusiveStartKey=page["LastEvaluatedKey"])
        yield page


def scan_items(**arguments: Any) -> Iterator[RawItem]:
    for page in scan(**arguments):
        yield from page["Items"]


def is_aws() -> bool:
    """Whether the engine is AWS (maybe through a private endpoint) and not a local one."""
    endpoint = settings.DYNAMODB_ENDPOINT
    return not endpoint or (urlsplit(endpoint).hostname or "").endswith(AWS_DOMAINS)


def _send(service: str, endpoint: str | None, operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        client = _client(service, settings.AWS_REGION, endpoint)
        answer: dict[str, Any] = client._make_api_call(operation, arguments)
        return answer
    except ClientError as error:
        raise RequestRefused(operation, error) from error
    except BotoCoreError as error:
        where = endpoint or f"AWS in {settings.AWS_REGION}"
        raise Unavailable(f"DynamoDB ({where}) cannot be reached: {type(error).__name__}.") from error


@lru_cache(maxsize=8)
def _client(service: str, region: str, endpoint: str | None) -> Any:
    session = botocore.session.get_session()
    return session.create_client(service, region_name=region, endpoint_url=endpoint or None, config=PATIENT)
