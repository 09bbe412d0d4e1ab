"""Base class and helper of the form pages of scouting."""

from typing import ClassVar, TypeVar

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _

from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import DataError, KeyReused, Text

F = TypeVar("F", bound=RefusableForm)


class ResendablePage(FormPage[F]):
    """A form that the back button may show again: after a refusal it gets a new idempotency key."""

    send_again: ClassVar[Text] = _("Save again if you mean it.")

    def refuse(self, error: DataError) -> HttpResponse:
        was_sent_before = isinstance(error, KeyReused)
        if was_sent_before:
            told = _("You have sent this form before, with other contents.")
            error.message = f"{told} {self.send_again}"
        return super().refuse(error)


def version_to_replace(page: FormPage[F], stored: int) -> int:
    """The version for the hidden field, as from `{% seen_field %}`, of a record that may not exist yet:
    the one the user saw or, after a conflict, was shown."""
    is_told = page.contested is not None
    return stored if is_told or page.request.method != "POST" else page.seen_version
