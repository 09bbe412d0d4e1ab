"""A month at a glance: whole weeks, each day with what is on it."""

from datetime import date

import pytest
from django.template import engines
from django.template.loader import render_to_string
from django.utils import translation

from core.crud.months import Month

TODAY = date(2026, 11, 17)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("2026-02", date(2026, 2, 1)),
        ("2099-12", date(2099, 12, 1)),
        ("", date(2026, 11, 1)),
        ("2026-13", date(2026, 11, 1)),
        ("1999-12", date(2026, 11, 1)),
        ("2026-2", date(2026, 11, 1)),
        ("2026-02-01", date(2026, 11, 1)),
    ],
)
def test_what_nobody_can_have_chosen_is_the_month_in_which_we_are(typed, first):
    assert Month.asked(typed, TODAY).first == first


@pytest.mark.parametrize(("language", "first"), [("en", "Monday"), ("de", "Monday"), ("pt-br", "Sunday")])
def test_weeks_begin_on_the_day_that_is_usual_in_the_language(language: str, first: str) -> None:
    with translation.override(language):
        weeks = Month.asked("2026-11", TODAY).dates

    assert {f"{week[0]:%A}" for week in weeks} == {first}
    assert {len(week) for week in weeks} == {7}


def test_weeks_are_whole_and_their_other_days_are_outside():
    weeks = Month.asked("2026-11", TODAY).weeks(lambda _day: [])
    assert [len(week) for week in weeks] == [7] * 6
    assert (weeks[0][0].date, weeks[-1][-1].date) == (date(2026, 10, 26), date(2026, 12, 6))
    outside = [day.date.month for week in weeks for day in week if day.is_outside]
    assert outside == [10] * 6 + [12] * 6


def test_days_before_today_are_over_in_the_current_month_only():
    def over(typed):
        weeks = Month.asked(typed, TODAY).weeks(lambda _day: [])
        return [day.date for week in weeks for day in week if day.is_earlier]

    assert (over("2026-11")[0], over("2026-11")[-1]) == (date(2026, 10, 26), date(2026, 11, 16))
    assert over("2026-10") == []


def test_each_day_has_what_is_on_it_and_today_is_marked():
    weeks = Month.asked("2026-11", TODAY).weeks(lambda day: ["match"] if day.day == 17 else [])
    (today,) = [day for week in weeks for day in week if day.is_today]
    assert (today.date, today.entries) == (TODAY, ["match"])
    entries = engines["django"].from_string("{{ day.entries.0 }} on the {{ day.date.day }}th")
    page = render_to_string("core/crud/month.html", {"weeks": weeks, "day_template": entries})
    assert page.count("match on the 17th") == 1
    assert page.count('free"') == 41
    assert '<td role="cell" class="today" id="today" aria-current="date">' in page
    assert '<th role="columnheader" scope="col" abbr="Monday">Mon</th>' in page
