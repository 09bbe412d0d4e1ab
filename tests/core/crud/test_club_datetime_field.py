"""The field of a moment on the club's clock: Europe/Berlin in these tests, whatever the viewer's zone is."""

from datetime import UTC, datetime

import pytest
from django import forms
from django.utils import timezone

from core.crud.fields import ClubDateTimeField

INVALID = "Enter a date and a time."
SKIPPED = "This time does not exist because the clocks go forward that night. Choose another time."
TWICE = "This time occurs twice because the clocks go back that night. Choose another time."


class TripForm(forms.Form):
    starts = ClubDateTimeField(required=False)


def cleaned(text: str, initial: datetime | None = None) -> datetime | None:
    form = TripForm({"starts": text}, initial={"starts": initial})
    assert form.is_valid(), form.errors
    moment: datetime | None = form.cleaned_data["starts"]
    return moment


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-01-15T18:30", datetime(2026, 1, 15, 17, 30, tzinfo=UTC)),
        ("2026-07-15T18:30", datetime(2026, 7, 15, 16, 30, tzinfo=UTC)),
        (" 2026-07-15 18:30:15 ", datetime(2026, 7, 15, 16, 30, 15, tzinfo=UTC)),
        ("2026-03-29T01:59", datetime(2026, 3, 29, 0, 59, tzinfo=UTC)),
        ("2026-03-29T03:00", datetime(2026, 3, 29, 1, 0, tzinfo=UTC)),
        ("2026-10-25T03:00", datetime(2026, 10, 25, 2, 0, tzinfo=UTC)),
    ],
)
def test_a_time_of_the_club_is_kept_in_utc(text: str, moment: datetime) -> None:
    with timezone.override("Asia/Tokyo"):
        found = cleaned(text)

    assert found == moment
    assert found.tzinfo is UTC


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("2026-03-29T02:00", SKIPPED),
        ("2026-03-29T02:59", SKIPPED),
        ("2026-10-25T02:00", TWICE),
        ("2026-10-25T02:59", TWICE),
        ("2026-02-30T10:00", INVALID),
        ("2026-05-01", INVALID),
        ("2026-05-01T10:00Z", INVALID),
        ("0001-01-01T00:00", INVALID),
        ("tomorrow", INVALID),
        ("٢٠٢٦-05-01T10:00", INVALID),
    ],
)
def test_a_time_that_cannot_be_is_refused_in_plain_words_and_comes_back_as_typed(
    text: str, error: str
) -> None:
    form = TripForm({"starts": text})

    assert form.errors["starts"] == [error]
    assert f'value="{text}"' in str(form["starts"])


def test_the_zone_is_named_beside_the_field() -> None:
    class MatchForm(forms.Form):
        starts = ClubDateTimeField()
        ends = ClubDateTimeField(help_text="The last whistle.")

    assert MatchForm()["starts"].help_text == "Time in Europe/Berlin."
    assert MatchForm()["ends"].help_text == "The last whistle. Time in Europe/Berlin."
    assert 'type="datetime-local"' in str(MatchForm()["starts"])


def test_a_stored_time_is_shown_on_the_clubs_clock() -> None:
    form = TripForm(initial={"starts": datetime(2026, 7, 15, 16, 30, 15, tzinfo=UTC)})

    with timezone.override("Asia/Tokyo"):
        assert 'value="2026-07-15T18:30"' in str(form["starts"])


@pytest.mark.parametrize(
    "stored",
    [
        datetime(2026, 7, 15, 16, 30, 15, 250_000, tzinfo=UTC),
        datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
        datetime(2026, 10, 25, 1, 30, tzinfo=UTC),
    ],
)
def test_a_time_that_was_left_alone_stays_to_the_second_and_in_its_hour(stored: datetime) -> None:
    shown = TripForm(initial={"starts": stored})["starts"].value()

    assert cleaned(str(shown), stored) == stored
    assert not TripForm({"starts": shown}, initial={"starts": stored}).has_changed()
    assert TripForm({"starts": ""}, initial={"starts": stored}).has_changed()


def test_nothing_chosen_is_none_or_refused() -> None:
    assert cleaned("") is None
    assert not TripForm({"starts": ""}).has_changed()

    form = TripForm({"starts": ""})
    form.fields["starts"].required = True
    assert form.errors["starts"] == ["This field is required."]
