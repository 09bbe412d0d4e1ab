"""Forms whose widgets have submit buttons of their own, such as "Find"."""

import copy
import re
from typing import Any, ClassVar, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.forms.forms import DeclarativeFieldsMetaclass
from django.forms.utils import ErrorDict
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.crud.fields.pickers import refuse_unknown
from core.crud.fields.widgets import HelpfulWidget
from core.dynamo.errors import Text

T = TypeVar("T")
# Unicode's Default_Ignorable_Code_Point, and the blank Braille pattern.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


class _Fields(dict[str, forms.Field]):
    """The fields that a form declares. Each form has copies of them, made as Django does but without
    `copy.copy`, which goes through the protocol of pickle and takes most of the time."""

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, forms.Field]:
        return {name: _copied_field(field, memo) for name, field in self.items()}


def _copied_field(field: forms.Field, memo: dict[int, Any]) -> forms.Field:
    if type(field).__deepcopy__ is not forms.Field.__deepcopy__:
        return copy.deepcopy(field, memo)
    copied = _shallow(field)
    copied.widget = _copied_widget(field.widget, memo)
    copied.error_messages = field.error_messages.copy()
    copied.validators = field.validators[:]
    return copied


def _copied_widget(widget: forms.Widget, memo: dict[int, Any]) -> forms.Widget:
    if type(widget).__deepcopy__ is not forms.Widget.__deepcopy__:
        return copy.deepcopy(widget, memo)
    copied = _shallow(widget)
    copied.attrs = widget.attrs.copy()
    return copied


def _shallow(original: T) -> T:
    copied = object.__new__(type(original))
    copied.__dict__.update(original.__dict__)
    return copied


class _Metaclass(DeclarativeFieldsMetaclass):
    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        form: Any = super().__new__(cls, *args, **kwargs)
        form.base_fields = _Fields(form.base_fields)
        return form


class _FormWithHelp(forms.Form, metaclass=_Metaclass):
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
