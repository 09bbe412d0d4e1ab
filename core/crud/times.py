"""Times as people read them."""

from datetime import date, datetime, time, tzinfo
from functools import lru_cache

from django.conf import settings
from django.utils.formats import date_format, time_format
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import get_language


def club_time(moment: datetime) -> str:
    """A moment on the club's clock with its time zone, for times that somebody chose."""
    return f"{date_format(localtime(moment), 'SHORT_DATETIME_FORMAT')} ({settings.TIME_ZONE})"


def formatted(value: date | time, shown_as: str) -> str:
    """A day, a time or a moment, which is put to the current clock, as `date_format` writes it; kept."""
    if isinstance(value, datetime):
        # Equal moments of two time zones are equal keys: only the hands of the clock tell them apart.
        value = localtime(value).replace(tzinfo=None)
    return _formatted(value, shown_as, get_language())


@lru_cache(maxsize=4096)
def _formatted(value: date | time, shown_as: str, language: str | None) -> str:
    return time_format(value, shown_as) if isinstance(value, time) else date_format(value, shown_as)


@lru_cache(maxsize=4096)
def time_text(moment: date, shown_as: str, language: str | None, zone: tzinfo) -> SafeString:
    """A moment or a day for HTML; lists look up the active language and zone once for all rows."""
    local = moment.astimezone(zone) if isinstance(moment, datetime) else moment
    return escape(date_format(local, shown_as))


def time_element(moment: date, shown_as: str, language: str | None, zone: tzinfo) -> SafeString:
    """The same as `<time>`."""
    local = moment.astimezone(zone) if isinstance(moment, datetime) else moment
    text = time_text(moment, shown_as, language, zone)
    return mark_safe(f'<time datetime="{local.isoformat()}">{text}</time>')  # noqa: S308
