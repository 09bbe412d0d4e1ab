"""Forms whose widgets have submit buttons of their own, such as "Find"."""

import re
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.forms.utils import ErrorDict
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.crud.fields.pickers import refuse_unknown
from core.crud.fields.widgets import HelpfulWidget
from core.dynamo.errors import Text

# Unicode's Default_Ignorable_Code_Point, and the blank Braille pattern.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


class _FormWithHelp(forms.Form):
    def wants_help(self) -> bool:
        """Whether a widget's own button was pressed, so that the form is shown again instead of saved."""
        return self.is_bound and any(
            isinstance(field.widget, HelpfulWidget)
            and field.widget.wants_help(self.data, self.add_prefix(name))
            for name, field in self.fields.items()
        )

    def full_clean(self) -> None:
        if self.wants_help():
            self.show_as_typed()
        else:
            super().full_clean()

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        _refuse_invisible(self)

    def is_valid(self) -> bool:
        return not self.wants_help() and super().is_valid()

    def show_as_typed(self) -> None:
        """Show the posted values without errors; they are validated when the form is saved."""
        self._errors = ErrorDict(renderer=self.renderer)
        self.cleaned_data = {}


class HelpedForm(_FormWithHelp):
    """A form with such fields. All newly chosen records are validated by one BatchGet."""

    # The user, who may choose only records that they may view; None if the form is not saved.
    chooser: User | None = None

    def _post_clean(self) -> None:
        super()._post_clean()
        refuse_unknown(self, self.chooser)


class RowForm(_FormWithHelp):
    """One row of a `RowsField`; the form around it validates the records that were chosen in it."""

    title: ClassVar[Text] = _("Row")


def _refuse_invisible(form: forms.Form) -> None:
    """Add an error to a text that is empty or too short without its invisible characters.

    The characters stay in the value: emoji and some scripts need them.
    """
    for name, value in list(form.cleaned_data.items()):
        field = form.fields.get(name)
        if isinstance(field, forms.CharField) and isinstance(value, str) and INVISIBLE.search(value):
            try:
                _check_visible(form, name, field, value)
            except ValidationError as error:
                form.add_error(name, error)


def _check_visible(form: forms.Form, name: str, field: forms.CharField, value: str) -> None:
    seen: Any = field.clean(INVISIBLE.sub("", value))
    if seen in field.empty_values:
        form.cleaned_data[name] = seen
