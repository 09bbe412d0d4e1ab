"""Ask before what is not easily taken back: in a dialog over the page, or on a page of its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import Text


@dataclass(frozen=True)
class Question:
    """What is asked. `version` is what the person sees of the record that it is about."""

    title: Text
    text: Text
    button: Text
    back: str
    version: int = 0
    is_dangerous: bool = True


class ConfirmPage(FormPage[RefusableForm]):
    """A form page that asks a question, usually without a field. A refusal asks again and says why."""

    form_class = RefusableForm
    template = "core/crud/confirm.html"
    partial = "dialog"
    stale = ()

    def question(self) -> Question:
        """What is asked of the record as it is stored now; refuses those who may not do it."""
        raise NotImplementedError

    def context(self) -> Mapping[str, Any]:
        return {"question": self.question(), "address": self.request.get_full_path()}
