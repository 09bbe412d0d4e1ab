"""Formatted days and times: kept, and yet always in the language and on the clock of who looks."""

from datetime import UTC, date, datetime, time, timedelta, timezone

from django.template import Context, Template
from django.utils import translation
from django.utils.timezone import override

from core.crud.times import formatted


def test_a_day_is_told_in_the_language_that_is_active():
    day = date(2026, 11, 18)
    said = []
    for language in ("en", "de", "en"):
        with translation.override(language):
            said.append(formatted(day, "l, j F"))

    assert said == ["Wednesday, 18 November", "Mittwoch, 18 November", "Wednesday, 18 November"]


def test_a_moment_is_told_on_the_current_clock():
    moment = datetime(2026, 11, 18, 19, 30, tzinfo=UTC)
    said = [formatted(moment, "TIME_FORMAT")]
    with override(timezone(timedelta(hours=5))):
        said.append(formatted(moment, "TIME_FORMAT"))

    assert [*said, formatted(moment, "TIME_FORMAT")] == ["20:30", "00:30", "20:30"]


def test_equal_moments_of_two_zones_are_told_alike_and_a_time_as_it_is():
    moment = datetime(2026, 7, 1, 10, tzinfo=UTC)
    same = moment.astimezone(timezone(timedelta(hours=-8)))

    assert formatted(moment, "SHORT_DATETIME_FORMAT") == formatted(same, "SHORT_DATETIME_FORMAT")
    assert formatted(time(20), "TIME_FORMAT") == "20:00"


def test_a_time_in_a_page_is_told_on_the_clock_of_its_reader() -> None:
    template = Template("{% load times %}{% time_element moment %}")

    with override("Europe/Berlin"):
        shown = template.render(Context({"moment": datetime(2026, 7, 1, 16, 30, tzinfo=UTC)}))

    assert shown == '<time datetime="2026-07-01T18:30:00+02:00">1 Jul 2026, 18:30</time>'


def test_a_time_that_nobody_knows_is_left_out() -> None:
    assert Template("{% load times %}{% time_element moment %}").render(Context({"moment": None})) == ""
