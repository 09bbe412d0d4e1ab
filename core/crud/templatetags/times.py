"""Template tag for times."""

from datetime import date

from django import template
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone
from django.utils.translation import get_language

from core.crud import times

register = template.Library()


@register.simple_tag
def time_element(moment: date | None, shown_as: str = "SHORT_DATETIME_FORMAT") -> SafeString | str:
    """A moment or a day as `<time>`; empty for None, which imported records may have."""
    if moment is None:
        return ""
    return times.time_element(moment, shown_as, get_language(), get_current_timezone())
