"""Errors of outbound requests."""

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import DataError


class NotAllowed(DataError):
    """The URL or its IP address is not allowed for this client."""

    message = _("This address may not be asked.")


class FetchFailed(DataError):
    """The other service gave no answer, or not a valid one; `status` is its HTTP status, if any."""

    status_code = 503
    message = _("The other service cannot be reached right now. Please try again later.")
    retry_after = 60

    def __init__(self, reason: str, *, status: int | None = None) -> None:
        super().__init__()
        self.reason = reason
        self.status = status
