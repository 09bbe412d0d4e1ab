"""Months of the leaderboard, in the club's time zone."""

from datetime import date, datetime

from django.utils.timezone import localdate

from core.club import queries as club


def month_of(moment: datetime) -> str:
    """The month of a moment, such as 2026-03."""
    return f"{first_day_of(moment):%Y-%m}"


def first_day_of(moment: datetime) -> date:
    return localdate(moment, timezone=club.current().zone).replace(day=1)
