"""Errors of the data layer, with messages for people. Views never see an AWS exception."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


class DataError(Exception):
    """The root of every error of the data layer.

    `field` names the form field it belongs to, and `current` is the record as stored now, where known.
    `retry_after`, in seconds, says when trying again may help.
    """

    status_code = 500
    # In a form with its field: what can be corrected there is a mistake in the form, whatever refused it.
    status_code_at_field = 422
    message: Text = _("This could not be loaded or saved.")
    retry_after: int | None = None

    def __init__(self, message: Text | None = None, *, field: str | None = None, current: Any = None) -> None:
        self.message = message or type(self).message
        self.field = field
        self.current = current
        super().__init__(self.message)

    def __str__(self) -> str:
        return str(self.message)

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the HTTP answer."""
        return {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}


class NotFound(DataError):
    status_code = 404
    message = _("This does not exist or was deleted.")


class Missing(NotFound):
    """Records that this one refers to are gone; `records` has the entity and key of each."""

    message = _("Your choice has been deleted in the meantime. Choose again.")

    def __init__(self, *, field: str, records: Sequence[tuple[str, str]]) -> None:
        super().__init__(field=field)
        self.records = records


class AlreadyExists(DataError):
    status_code = 409
    message = _("This already exists.")


class Conflict(DataError):
    status_code = status_code_at_field = 409
    message = _("Someone else changed this in the meantime.")


class InUse(Conflict):
    message = _("This is still in use. Remove it there first.")


class KeyReused(DataError):
    """An idempotency key with another payload; `answer` is the stored answer of the first request."""

    status_code = 422
    message = _("This form was already sent with other contents. Reload the page and try again.")

    def __init__(self, answer: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.answer = answer or {}


class TooLarge(DataError):
    status_code = 413
    message = _("This is too large to save. Shorten it and try again.")


class Invalid(DataError):
    status_code = 400
    message = _("This cannot be read or saved as it is.")


class InvalidToken(DataError):
    status_code = 400
    message = _("This link has expired. Start again from the first page.")


class Unavailable(DataError):
    """The store did not answer in time."""

    status_code = 503
    message = _("The database is not responding. Try again in a moment.")
    retry_after = 5


class MissingTable(DataError):
    """DynamoDB has no such table, so waiting does not help. The log says which, and what to do."""

    message = _("This part of the site is not set up yet. Tell whoever runs the site.")


class TooManyRequests(DataError):
    status_code = 429
    message = _("Too many attempts. Wait a moment and try again.")

    def __init__(self, *, retry_after: int) -> None:
        super().__init__()
        self.retry_after = retry_after


class Replayed(Exception):
    """The same request was carried out before; `answer` is its stored answer."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self.answer = answer
        super().__init__("already carried out")
