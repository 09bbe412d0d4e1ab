"""What has to follow from a change that is already made: handlers of the tables' streams.

A handler is a plain function in `<app>/streams.py` that may be called again for the same change:

    @on("sponsor", "REMOVE")
    def delete_logo(change: Change) -> None: ...

    @when_gone("media")
    def delete_files(record: RawItem) -> None: ...

They run under `manage.py streams` and, on AWS, in a Lambda function (`config/lambda_entry.py`).
"""

from core.dynamo.streams.changes import Change
from core.dynamo.streams.handlers import on, when_gone

__all__ = ["Change", "on", "when_gone"]
