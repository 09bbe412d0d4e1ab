"""Errors of the stores and of outbound requests, besides those of the data layer."""

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Conflict, DataError, Invalid


class StoreClosed(DataError):
    """An operation on a store after `close`."""

    message = _("This store was closed and cannot be used any more.")


class InvalidKey(Invalid):
    message = _("A key must have 1 to 512 bytes and no control characters.")


class AlreadyInProgress(Conflict):
    message = _("This is already in progress.")


class JobLost(Conflict):
    """The job was taken over by another owner, or it has ended."""

    message = _("This job has ended or was taken over.")


class JobFailed(DataError):
    """Raised for those who wait for a job whose owner reported a failure."""

    message = _("This did not work.")


class WaitedTooLong(DataError):
    status_code = 503
    message = _("This is taking longer than expected. Try again in a moment.")
    retry_after = 5


class NotAllowed(DataError):
    """The URL or its IP address is not allowed for this client."""

    message = _("Requests to this address are not allowed.")


class FetchFailed(DataError):
    """The other service gave no answer, or not a valid one; `status` is its HTTP status, if any."""

    status_code = 503
    message = _("The other service is not responding. Try again later.")
    retry_after = 60

    def __init__(self, reason: str, *, status: int | None = None) -> None:
        super().__init__()
        self.reason = reason
        self.status = status
