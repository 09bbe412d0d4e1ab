"""A field for a moment in the club's time zone, whatever the user's own."""

import re
from datetime import UTC, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from core.club import queries as club

SHOWN = "%Y-%m-%dT%H:%M"
TYPED = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?")
INVALID = _("Enter a date and a time.")
SKIPPED = _("This time does not exist because the clocks go forward that night. Choose another time.")
TWICE = _("This time occurs twice because the clocks go back that night. Choose another time.")


class ClubDateTimeInput(forms.DateTimeInput):
    input_type = "datetime-local"
    # They are not shown, but a time that was not changed must keep them.
    supports_microseconds = True


class ClubDateTimeField(forms.Field):
    """Cleans to an aware time in UTC."""

    widget = ClubDateTimeInput

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        zone = format_lazy(_("Time in {zone}."), zone=lazy(_zone_name, str)())
        self.help_text = format_lazy("{} {}", self.help_text, zone) if self.help_text else zone

    def to_python(self, value: object) -> datetime | None:
        if value in self.empty_values:
            return None
        if isinstance(value, datetime):
            return value.astimezone(UTC)
        text = str(value).strip()
        if not TYPED.fullmatch(text):
            raise ValidationError(INVALID)
        try:
            return _in_utc(datetime.fromisoformat(text))
        except (ValueError, OverflowError):
            raise ValidationError(INVALID) from None

    def prepare_value(self, value: object) -> object:
        """A stored time in the club's time zone; a posted text unchanged."""
        return value.astimezone(club.current().zone).strftime(SHOWN) if isinstance(value, datetime) else value

    def has_changed(self, initial: object, data: object) -> bool:
        return not self.disabled and (self.prepare_value(initial) or "") != (data or "")

    def _clean_bound_field(self, bound: forms.BoundField) -> datetime | None:
        """The stored value if it was not changed: it keeps its seconds, and its fold when clocks go back."""
        if isinstance(bound.initial, datetime) and not self.has_changed(bound.initial, bound.data):
            return bound.initial
        cleaned: datetime | None = super()._clean_bound_field(bound)  # type: ignore[misc]
        return cleaned


def _zone_name() -> str:
    return str(club.current().zone)


def _in_utc(local: datetime) -> datetime:
    zone = club.current().zone
    first, second = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    if first == second:
        return first
    # In spring the two folds are in reverse order.
    raise ValidationError(TWICE if first < second else SKIPPED)
