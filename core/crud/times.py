"""Formatting of times, cached."""

from datetime import date, datetime, time, tzinfo
from functools import lru_cache

from django.utils.formats import date_format, time_format
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import get_current_timezone, localtime
from django.utils.translation import get_language


def club_time(moment: datetime) -> str:
    """A moment in the club's time zone, which is named, for times that a person chose."""
    return f"{date_format(localtime(moment), 'SHORT_DATETIME_FORMAT')} ({get_current_timezone()})"


def formatted(value: date | time, shown_as: str) -> str:
    """A day, a time, or a moment in the current time zone, formatted by `date_format`; cached."""
    if isinstance(value, datetime):
        # Naive, because aware datetimes of two time zones can be equal as cache keys.
        value = localtime(value).replace(tzinfo=None)
    return _formatted(value, shown_as, get_language())


@lru_cache(maxsize=4096)
def _formatted(value: date | time, shown_as: str, language: str | None) -> str:
    return time_format(value, shown_as) if isinstance(value, time) else date_format(value, shown_as)


@lru_cache(maxsize=4096)
def time_text(moment: date, shown_as: str, language: str | None, zone: tzinfo) -> SafeString:
    """A moment or a day, escaped; language and zone are parameters, because lists look them up once."""
    local = moment.astimezone(zone) if isinstance(moment, datetime) else moment
    return escape(date_format(local, shown_as))


def time_element(moment: date, shown_as: str, language: str | None, zone: tzinfo) -> SafeString:
    """A moment or a day as a `<time>` element."""
    local = moment.astimezone(zone) if isinstance(moment, datetime) else moment
    text = time_text(moment, shown_as, language, zone)
    return mark_safe(f'<time datetime="{local.isoformat()}">{text}</time>')  # noqa: S308
