"""The Lambda function for DynamoDB Streams: `handler` gets the changes of one shard, in order."""

import os
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These modules need the settings.
from core.dynamo.errors import Unavailable  # noqa: E402
from core.dynamo.streams import Change  # noqa: E402
from core.dynamo.streams.failures import handle_or_put_aside  # noqa: E402


def handler(event: dict[str, Any], context: object) -> dict[str, list[dict[str, str]]]:
    """Handle the changes; at an outage returns the failed one, from which on Lambda retries the batch."""
    for record in event["Records"]:
        try:
            handle_or_put_aside(Change.from_lambda(record))
        except Unavailable:
            return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]}
    return {"batchItemFailures": []}
