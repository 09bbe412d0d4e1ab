"""What form pages of scouting share."""

from typing import ClassVar, TypeVar

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _

from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import DataError, KeyReused, Text

F = TypeVar("F", bound=RefusableForm)


class ResendablePage(FormPage[F]):
    """A form that the back button brings up again: when it is refused, it gets a new idempotency key."""

    send_again: ClassVar[Text] = _("Save again if you mean it.")

    def refuse(self, error: DataError) -> HttpResponse:
        was_sent_before = isinstance(error, KeyReused)
        if was_sent_before:
            told = _("You have sent this form before, with other contents.")
            error.message = f"{told} {self.send_again}"
        return super().refuse(error)


def version_to_replace(page: FormPage[F], stored: int) -> int:
    """As `{% seen_field %}`, where there may be no record yet: what the person saw or was told of."""
    is_told = page.contested is not None
    return stored if is_told or page.request.method != "POST" else page.seen_version
