"""A calendar month: its weeks, each day with its entries."""

import re
from calendar import Calendar
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar

from django.utils.formats import get_format
from django.utils.translation import gettext as _

from core.crud.times import formatted

E = TypeVar("E")
TYPED = re.compile(r"(20\d\d)-(0[1-9]|1[0-2])", re.ASCII)


@dataclass(frozen=True)
class Day(Generic[E]):
    date: date
    entries: Sequence[E]
    is_today: bool
    # Before today in the current month: a phone may fold such days.
    is_earlier: bool
    # Of the month before or after, to fill a week.
    is_outside: bool

    @property
    def name(self) -> str:
        return formatted(self.date, _("l, j F"))

    @property
    def classes(self) -> str:
        names = {
            "outside": self.is_outside,
            "today": self.is_today,
            "earlier": self.is_earlier,
            "free": not self.entries,
        }
        return " ".join(name for name, is_set in names.items() if is_set)


@dataclass(frozen=True)
class Month:
    """`first` is its first day; `today` decides which days are over."""

    first: date
    today: date

    @classmethod
    def asked(cls, typed: str, today: date) -> "Month":
        """The month of a typed `yyyy-mm`; the current one if it is invalid."""
        found = TYPED.fullmatch(typed)
        return cls(date(int(found[1]), int(found[2]), 1) if found else today.replace(day=1), today)

    @property
    def dates(self) -> list[list[date]]:
        """Whole weeks, which begin on the day that is usual in the language."""
        # Django counts from Sunday, Python from Monday.
        first_weekday = (get_format("FIRST_DAY_OF_WEEK") - 1) % 7
        return Calendar(first_weekday).monthdatescalendar(self.first.year, self.first.month)

    def weeks(self, entries_on: Callable[[date], Sequence[E]]) -> list[list[Day[E]]]:
        """The days for `core/crud/month.html`."""
        return [[self._day(day, entries_on(day)) for day in week] for week in self.dates]

    def _day(self, day: date, entries: Sequence[E]) -> Day[E]:
        return Day(
            day,
            entries,
            is_today=day == self.today,
            is_earlier=self.today.replace(day=1) == self.first and day < self.today,
            is_outside=day.month != self.first.month,
        )
