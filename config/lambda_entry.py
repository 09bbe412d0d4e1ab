"""The Lambda function for DynamoDB Streams: `handler` gets the changes of one shard, in order."""

import logging
import os
from typing import Any, Protocol

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

# These modules need the settings.
from core.dynamo.errors import Unavailable  # noqa: E402
from core.dynamo.streams import Change, metrics  # noqa: E402
from core.dynamo.streams.failures import handle_or_put_aside  # noqa: E402

log = logging.getLogger(__name__)

# Less is not enough for one more change, with its attempts and the pauses between them: Lambda would end the
# function and send the whole batch again, for ever.
LEAST_MILLISECONDS = 40_000


class Context(Protocol):
    def get_remaining_time_in_millis(self) -> int: ...


def handler(event: dict[str, Any], context: Context) -> dict[str, list[dict[str, str]]]:
    """Handle the changes; returns the first that was not handled, from which on Lambda sends them again."""
    changes = [Change.from_lambda(record) for record in event["Records"]]
    oldest = metrics.age_of(changes[0])
    failures = []
    for place, change in enumerate(changes):
        is_late = place > 0 and context.get_remaining_time_in_millis() < LEAST_MILLISECONDS
        if is_late or not _is_handled(change):
            failures = [{"itemIdentifier": change.sequence_number}]
            break
    metrics.write(oldest)
    return {"batchItemFailures": failures}


def _is_handled(change: Change) -> bool:
    try:
        handle_or_put_aside(change)
    except Unavailable:
        return False
    except Exception:
        # It could not even be put aside. What was handled before it must not be sent again.
        log.exception("Change %s of table %s stops its stream", change.sequence_number, change.table)
        return False
    return True
