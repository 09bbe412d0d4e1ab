"""Confirmation of an action, in a dialog over the page or on a page of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import Text

BACK = _("Back")


@dataclass(frozen=True)
class Question:
    """The texts of a confirmation. `seen_version` is the version of the record that the page shows."""

    title: Text
    text: Text
    button: Text
    back: str
    seen_version: int = 0
    is_dangerous: bool = True
    # What the action is about, such as a name, and more of it.
    subject: str = ""
    detail: str = ""
    # The title of the link back, and the titles and URLs of the links before it.
    back_title: Text = BACK
    trail: Sequence[tuple[Text, str]] = ()


class ConfirmPage(FormPage[RefusableForm]):
    """A form page with a question, usually without fields. A refused save shows it again with the reason."""

    form_class: type[RefusableForm] = RefusableForm
    template = "core/crud/confirm.html"
    partial = "dialog"
    compares = False
    # A template with what the question is about, such as the facts of the record.
    about: ClassVar[str] = ""
    # The texts of a question that are the same for every record.
    title: ClassVar[Text]
    text: ClassVar[Text]
    button: ClassVar[Text]
    is_dangerous: ClassVar[bool] = False

    def question(self) -> Question:
        """The question for the record as it is stored now; raises PermissionDenied without the right."""
        return self.declared_question()

    def declared_question(self, **about: Any) -> Question:
        texts, back = (self.title, self.text, self.button), self.success_url()
        return Question(*texts, back, is_dangerous=self.is_dangerous, **about)

    def context(self) -> Mapping[str, Any]:
        return {
            "question": self.question(),
            "about": self.about,
            "address": self.request.get_full_path(),
            # After a refusal the question is about the newer version.
            "contested": self.problem,
        }
