"""Confirmation of an action, in a dialog over the page or on a page of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import Text


@dataclass(frozen=True)
class Question:
    """The texts of a confirmation. `version` is the version of the record that the page shows."""

    title: Text
    text: Text
    button: Text
    back: str
    version: int = 0
    is_dangerous: bool = True


class ConfirmPage(FormPage[RefusableForm]):
    """A form page with a question, usually without fields. A refused save shows it again with the reason."""

    form_class = RefusableForm
    template = "core/crud/confirm.html"
    partial = "dialog"
    compares = False

    def question(self) -> Question:
        """The question for the record as it is stored now; raises PermissionDenied without the right."""
        raise NotImplementedError

    def context(self) -> Mapping[str, Any]:
        return {"question": self.question(), "address": self.request.get_full_path()}
