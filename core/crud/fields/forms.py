"""Forms whose widgets have buttons of their own."""

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
        """Whether a button was pressed that only helps to fill in the form: then show it again as typed."""
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
        """Show it without complaints: what is wrong with it is said when it is saved."""
        self._errors = ErrorDict(renderer=self.renderer)
        self.cleaned_data = {}


class HelpedForm(_FormWithHelp):
    """A form with these fields. All records that were newly chosen in it are looked up at once."""

    # Who fills it in, and chooses only what they may see; None where nothing is written from the form.
    chooser: User | None = None

    def _post_clean(self) -> None:
        super()._post_clean()
        refuse_unknown(self, self.chooser)


class RowForm(_FormWithHelp):
    """One row of a `RowsField`; what was chosen in it is looked up with the form around it."""

    title: ClassVar[Text] = _("Row")
