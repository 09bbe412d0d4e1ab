"""The field of rows: small forms that are added, moved and removed, with and without JavaScript."""

import re
from datetime import time
from typing import Any

import pytest
from django import forms
from django.http import QueryDict

from core.crud.fields import HelpedForm, RowForm, RowsField

DAYS = (("mon", "Monday"), ("tue", "Tuesday"), ("wed", "Wednesday"))


class TrainingForm(RowForm):
    title = "Training"
    days = forms.MultipleChoiceField(choices=DAYS)
    start = forms.TimeField()
    indoors = forms.BooleanField(required=False)


class TeamForm(HelpedForm):
    name = forms.CharField()
    trainings = RowsField(TrainingForm, max_rows=3)


MONDAY = {"days": ["mon"], "start": time(18, 0), "indoors": False}
BOTH = {"days": ["mon", "wed"], "start": time(19, 30), "indoors": True}


def team(*pairs: tuple[str, str], initial: list[dict[str, Any]] | None = None) -> TeamForm:
    data = QueryDict(mutable=True)
    data["name"] = "Women 1"
    for name, value in pairs:
        data.appendlist(f"trainings-{name}", value)
    return TeamForm(data, initial={"trainings": initial})


def row(number: int | str, start: str, *days: str) -> list[tuple[str, str]]:
    return [(f"{number}-start", start), *((f"{number}-days", day) for day in days)]


def starts(form: TeamForm) -> list[str]:
    """The rows that the page shows, by the time in each."""
    page = str(form["trainings"]).split("<template")[0]
    return re.findall(r'type="text" name="trainings-\d+-start"(?: value="([^"]*)")?', page)


def test_rows_clean_to_a_list_of_what_each_cleans_to() -> None:
    form = team(*row(0, "18:00", "mon"), *row(1, "19:30", "mon", "wed"), ("1-indoors", "on"))

    assert form.is_valid(), form.errors
    assert form.cleaned_data["trainings"] == [MONDAY, BOTH]


def test_no_rows_are_an_empty_list() -> None:
    form = team()

    assert form.is_valid()
    assert form.cleaned_data["trainings"] == []


def test_numbers_may_have_gaps_and_the_named_order_counts() -> None:
    form = team(*row(2, "10:00", "mon"), *row(17, "11:00", "mon"), *row(5, "12:00", "mon"))
    assert form.is_valid()
    assert [found["start"].hour for found in form.cleaned_data["trainings"]] == [10, 12, 11]

    form = team(("rows", "17"), ("rows", "2"), *row(2, "10:00", "mon"), *row(17, "11:00", "mon"))
    assert form.is_valid()
    assert [found["start"].hour for found in form.cleaned_data["trainings"]] == [11, 10]
    assert starts(form) == ["11:00", "10:00"]


def test_a_row_in_which_nothing_was_filled_in_is_left_out() -> None:
    form = team(("rows", "0"), ("0-start", ""), *row(1, "18:00", "mon"), ("rows", "2"))

    assert form.is_valid()
    assert form.cleaned_data["trainings"] == [MONDAY]


def test_what_is_wrong_is_said_at_the_field_of_its_row_and_stays_as_typed() -> None:
    form = team(*row(0, "18:00", "mon"), *row(1, "soon", "wed"))

    assert not form.is_valid()
    assert form.errors == {"trainings": ["Correct the fields marked below."]}
    page = str(form["trainings"])
    assert starts(form) == ["18:00", "soon"]
    assert re.findall(r'id="([^"]*)_error"', page) == ["id_trainings-1-start"]
    assert "Enter a valid time." in page
    assert re.search(r'value="wed"[^>]* (checked|selected)', page)


def test_the_focus_goes_to_the_field_that_is_wrong() -> None:
    form = team(*row(0, "18:00", "mon"), *row(1, "soon", "wed"))
    assert not form.is_valid()
    form.fields["trainings"].widget.attrs["autofocus"] = True

    assert re.findall(r"<input[^>]*autofocus[^>]*>", str(form["trainings"])) == [
        '<input type="text" name="trainings-1-start" value="soon" autofocus aria-invalid="true" '
        'aria-describedby="id_trainings-1-start_error" id="id_trainings-1-start">'
    ]


@pytest.mark.parametrize(
    ("button", "shown", "focused"),
    [
        (("add", "1"), ["1:00", "2:00", ""], "id_trainings-2-days"),
        (("remove", "3"), ["2:00"], "id_trainings_0_remove"),
        (("remove", "8"), ["1:00"], "id_trainings_0_remove"),
        (("down", "3"), ["2:00", "1:00"], "id_trainings_1_down"),
        (("up", "8"), ["2:00", "1:00"], "id_trainings_0_up"),
        (("up", "3"), ["1:00", "2:00"], "id_trainings_0_up"),
        (("down", "8"), ["1:00", "2:00"], "id_trainings_1_down"),
        (("remove", "99"), ["1:00", "2:00"], None),
        (("up", "-1"), ["1:00", "2:00"], None),
    ],
)
def test_a_button_changes_the_rows_as_typed_and_saves_nothing(
    button: tuple[str, str], shown: list[str], focused: str | None
) -> None:
    form = team(*row(3, "1:00"), *row(8, "2:00", "nonsense"), button)

    assert form.wants_help()
    assert not form.is_valid()
    assert form.errors == {}
    assert starts(form) == shown
    page = str(form["trainings"]).split("<template")[0]
    elements = [
        found for found in re.findall(r"<(?:input|select|button)[^>]*>", page) if "autofocus" in found
    ]
    assert [re.findall(r'id="([^"]*)"', found)[0] for found in elements] == ([focused] if focused else [])


def test_after_the_last_row_was_removed_the_focus_is_on_add() -> None:
    form = team(*row(0, "1:00"), ("remove", "0"))

    assert re.findall(r'id="([^"]*)"[^>]*autofocus', str(form["trainings"])) == ["id_trainings_add"]


def test_pages_without_such_a_button_are_saved() -> None:
    assert not team(*row(0, "18:00", "mon")).wants_help()
    assert not TeamForm(initial={"trainings": [MONDAY]}).wants_help()


def test_a_full_list_takes_no_more_rows() -> None:
    full = [*row(0, "1:00"), *row(1, "2:00"), *row(2, "3:00")]
    form = team(*full, ("add", "1"))

    assert starts(form) == ["1:00", "2:00", "3:00"]
    assert re.search(r'<button[^>]*name="trainings-add"[^>]* disabled', str(form["trainings"]))
    assert not re.search(r'<button[^>]*name="trainings-add"[^>]* disabled', str(team(*full[:2])["trainings"]))


def test_more_rows_than_fit_are_refused_and_cost_no_more_than_those_that_do() -> None:
    form = team(*(pair for number in range(300) for pair in row(number, "18:00", "mon")))

    assert form.errors["trainings"] == ["You can add at most 3 rows. Remove some."]
    assert len(starts(form)) == 3


@pytest.mark.parametrize("number", ["-1", "01", "1e3", "٣", "999999", "", "0x1", "__row__"])
def test_a_number_that_no_form_of_ours_has_is_no_row(number: str) -> None:
    form = team(*row(number, "18:00", "mon"), ("rows", number))

    assert form.is_valid()
    assert form.cleaned_data["trainings"] == []


def test_stored_rows_are_shown_and_only_a_real_change_counts() -> None:
    stored = [MONDAY, BOTH]
    form = TeamForm(initial={"trainings": stored})
    assert starts(form) == ["18:00:00", "19:30:00"]

    same = [*row(0, "18:00:00", "mon"), *row(1, "19:30", "mon", "wed"), ("1-indoors", "on")]
    assert team(*same, initial=stored).changed_data == ["name"]
    assert team(*same, ("rows", "2"), initial=stored).changed_data == ["name"]
    assert team(*same[:-1], initial=stored).changed_data == ["name", "trainings"]
    assert team(*same[:2], initial=stored).changed_data == ["name", "trainings"]
    assert team(initial=None).changed_data == ["name"]


def test_a_least_number_of_rows_is_shown_blank_and_asked_for_when_it_is_required() -> None:
    class CupForm(HelpedForm):
        trainings = RowsField(TrainingForm, min_rows=2)

    assert len(starts(CupForm())) == 2  # type: ignore[arg-type]
    form = CupForm(QueryDict("trainings-0-start=18:00&trainings-0-days=mon"))
    assert form.errors["trainings"] == ["Add at least 2 rows."]

    draft = CupForm(QueryDict("trainings-0-start=18:00&trainings-0-days=mon"))
    draft.fields["trainings"].required = False
    assert draft.is_valid()


def test_a_disabled_field_keeps_what_is_stored() -> None:
    form = team(*row(0, "1:00", "mon"), initial=[BOTH])
    form.fields["trainings"].disabled = True

    assert form.is_valid()
    assert form.cleaned_data["trainings"] == [BOTH]
    assert starts(form) == ["19:30:00"]
    assert re.search(r'<fieldset class="rows"[^>]* disabled', str(form["trainings"]))


def test_the_blank_row_waits_in_a_template_for_javascript() -> None:
    page = str(TeamForm()["trainings"])
    blank = page.split("<template data-row>")[1]

    assert 'name="trainings-__row__-start"' in blank
    assert 'name="trainings-rows" value="__row__"' in blank
    assert "required" not in blank
