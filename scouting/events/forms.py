"""Django forms for an event: its own fields, its teams and its matches."""

from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from core.crud.forms import RecordForm, RefusableForm

LONGEST_NAME, LONGEST_PLACE = 120, 120
LONGEST_LINES = 40_000
DAY = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class EventForm(RecordForm):
    """An existing event: its code is part of the URL and cannot change."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    place = forms.CharField(label=_("Where"), max_length=LONGEST_PLACE, required=False)
    starts_on = forms.DateField(label=_("First day"), required=False, widget=DAY)
    ends_on = forms.DateField(label=_("Last day"), required=False, widget=DAY)
    time_zone = forms.CharField(
        label=_("Time zone"),
        max_length=40,
        required=False,
        help_text=_(
            "For example America/New_York. Scouts can correct their forms until the end of "
            "the last day there."
        ),
    )
    is_own = forms.BooleanField(
        label=_("Our own event"),
        required=False,
        help_text=_("For week 0, practice or a scrimmage. Not loaded from The Blue Alliance."),
    )

    @classmethod
    def initial_of(cls, record: Any) -> dict[str, Any]:
        return super().initial_of(record) | {"starts_on": record.first_day, "ends_on": record.last_day}

    def clean_time_zone(self) -> str | None:
        typed = str(self.cleaned_data["time_zone"])
        if typed and typed not in available_timezones():
            raise forms.ValidationError(_("This is not a time zone. Enter one such as America/New_York."))
        return typed or None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        starts_on, ends_on = cleaned.get("starts_on"), cleaned.get("ends_on")
        if starts_on and ends_on and ends_on < starts_on:
            self.add_error("ends_on", _("The last day must not be before the first day."))
        return cleaned

    def fields_of(self) -> dict[str, Any]:
        """The attributes to write to the event; dates as ISO text."""
        fields = {name: value for name, value in self.cleaned_data.items() if name != "event"}
        days = {name: fields[name] and fields[name].isoformat() for name in ("starts_on", "ends_on")}
        return fields | days


class NewEventForm(EventForm):
    """A new event: for one that The Blue Alliance knows, the code is enough."""

    field_order = ("event", "is_own", "name")
    event = forms.CharField(
        label=_("Code"),
        max_length=16,
        help_text=_("Year and code, such as 2026mndu. For our own event, any code."),
    )
    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("Leave empty to use the name from The Blue Alliance."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("is_own") and not cleaned.get("name"):
            self.add_error("name", _("Enter a name for our own event."))
        return cleaned

    def fields_of(self) -> dict[str, Any]:
        fields = super().fields_of()
        return fields | {"name": fields["name"] or self.cleaned_data["event"].strip().lower()}


class LinesForm(RefusableForm):
    """A list typed as text, one item per line."""

    text = forms.CharField(
        required=False, strip=False, max_length=LONGEST_LINES, widget=forms.Textarea(attrs={"rows": 18})
    )

    def __init__(self, *data: Any, label: str, help: str, **options: Any) -> None:
        super().__init__(*data, **options)
        self.fields["text"].label = label
        self.fields["text"].help_text = help
