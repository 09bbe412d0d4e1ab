"""Forms whose widgets have submit buttons of their own, such as "Find"."""

from typing import ClassVar

from django import forms
from django.forms.utils import ErrorDict
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.crud.fields.labels import refuse_unknown
from core.crud.fields.visible import refuse_invisible
from core.crud.fields.widgets import HelpfulWidget
from core.dynamo.errors import Text


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
        refuse_invisible(self)

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
