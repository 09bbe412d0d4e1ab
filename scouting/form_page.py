"""A base class of the form pages of scouting."""

from typing import ClassVar

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _

from core.crud.form_page import F, FormPage
from core.dynamo.errors import DataError, KeyReused, Text


class ResendablePage(FormPage[F]):
    """A form that the back button may show again: after a refusal it gets a new idempotency key."""

    send_again: ClassVar[Text] = _("Save again to confirm.")

    def refuse(self, error: DataError) -> HttpResponse:
        was_sent_before = isinstance(error, KeyReused)
        if was_sent_before:
            sent_before = _("You have already sent this form with other answers.")
            error.message = f"{sent_before} {self.send_again}"
        return super().refuse(error)
