"""Times as people read them."""

from datetime import datetime

from django.conf import settings
from django.utils.formats import date_format
from django.utils.timezone import localtime


def club_time(moment: datetime) -> str:
    """A moment on the club's clock with its time zone, for times that somebody chose."""
    return f"{date_format(localtime(moment), 'SHORT_DATETIME_FORMAT')} ({settings.TIME_ZONE})"
