"""Handlers of DynamoDB Streams: what follows from a change after it is stored.

A handler is a function in a `streams.py`. It must be idempotent, as it may get the same change again:

    @on("sponsor", "REMOVE")
    def delete_logo(change: Change) -> None: ...

    @when_gone("media")
    def delete_files(record: RawItem) -> None: ...

They run under `manage.py streams` and, on AWS, in a Lambda function (`config/lambda_entry.py`).
"""

from core.dynamo.streams.background import in_background
from core.dynamo.streams.changes import Change
from core.dynamo.streams.handlers import on, when_gone

__all__ = ["Change", "in_background", "on", "when_gone"]
