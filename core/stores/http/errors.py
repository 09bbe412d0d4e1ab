"""What a request to another service can end with."""

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import DataError


class NotAllowed(DataError):
    """The address is not one that this client may ask."""

    message = _("This address may not be asked.")


class FetchFailed(DataError):
    """The other service did not answer, or not as it should; `status` is what it answered, if anything."""

    status_code = 503
    message = _("The other service cannot be reached right now. Please try again later.")
    retry_after = 60

    def __init__(self, reason: str, *, status: int | None = None) -> None:
        super().__init__()
        self.reason = reason
        self.status = status
