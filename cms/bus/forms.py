"""Form of a bus booking."""

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cms.base.fields import OptionalTextField
from cms.bus.models import MOST_DAYS
from core.crud.forms import RecordForm
from core.dynamo.errors import DataError

FIRST_YEAR, LAST_YEAR = 2000, 2100


class DayField(forms.DateField):
    def __init__(self, **kwargs: Any) -> None:
        # The format of <input type="date">, independent of the language.
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        super().__init__(widget=widget, input_formats=["%Y-%m-%d"], **kwargs)
        self.error_messages["invalid"] = _("Enter a date.")

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value and not FIRST_YEAR <= value.year <= LAST_YEAR:
            raise forms.ValidationError(_("Enter a date."))


class BookingForm(RecordForm):
    driver = forms.CharField(label=_("Driver"), max_length=200)
    from_day = DayField(label=_("From"))
    to_day = DayField(label=_("To"), help_text=_("The last day you need the bus."))
    comment = OptionalTextField(label=_("Comment"), max_length=500, rows=3)

    def clean(self) -> None:
        super().clean()
        cleaned = self.cleaned_data
        first, last = cleaned.get("from_day"), cleaned.get("to_day")
        if first and last and last < first:
            self.add_error("to_day", _("The last day cannot be before the first."))
        elif first and last and (last - first).days >= MOST_DAYS:
            self.add_error("to_day", _("The bus can be booked for at most 40 days at a time."))

    def add_refusal(self, error: DataError) -> int:
        """Show the refusal for days that are taken at the field of the first day."""
        if error.field != "days":
            return super().add_refusal(error)
        self.add_error("from_day", str(error))
        self.focus_first_error()
        return error.status_code
