"""A field that is a small form: its parts are posted under its name, cleaned together and kept as a map."""

import pytest
from django import forms
from django.http import QueryDict

from cms.events.repository import events
from core.crud.fields import GroupField, HelpedForm, RowForm
from tests.cast import CAST
from tests.cms.occasions import address_of, event, filled, of_form
from tests.core.crud.pages import open_form


class PlaceForm(RowForm):
    name = forms.CharField(max_length=10, required=False)
    number = forms.IntegerField(required=False)


class Form(HelpedForm):
    where = GroupField(PlaceForm, required=False)
    there = GroupField(PlaceForm)


def posted(**parts: str) -> Form:
    data = QueryDict(mutable=True)
    for name, value in parts.items():
        data[name.replace("__", "-")] = value
    return Form(data)


@pytest.mark.parametrize(
    ("parts", "cleaned"),
    [
        ({"where__name": "Halle", "where__number": "3"}, {"name": "Halle", "number": 3}),
        ({"where__name": "Halle", "where__number": ""}, {"name": "Halle"}),
        ({"where__number": "0"}, {"number": 0}),
        ({"where__name": "  ", "where__number": ""}, None),
        ({}, None),
        ({"where": "nonsense", "where__other": "x"}, None),
    ],
)
def test_it_cleans_to_the_parts_that_were_filled_in(parts, cleaned) -> None:
    form = posted(**parts, there__name="x")

    assert form.is_valid()
    assert form.cleaned_data["where"] == cleaned


def test_what_is_wrong_is_said_at_its_part_and_the_rest_stays_as_typed() -> None:
    form = posted(where__name="x" * 11, where__number="3", there__name="x")

    assert not form.is_valid()
    assert form.errors["where"] == ["Correct the fields marked below."]
    shown = str(form["where"])
    assert "Ensure this value has at most 10 characters" in shown
    assert 'value="3"' in shown


def test_one_that_is_required_needs_a_part() -> None:
    assert posted().errors["there"] == ["This field is required."]


@pytest.mark.parametrize(
    ("initial", "parts", "changed"),
    [
        ({"name": "Halle"}, {"where__name": "Halle"}, False),
        ({"name": "Halle"}, {"where__name": "Saal"}, True),
        (None, {}, False),
        (None, {"where__name": "Halle"}, True),
        ({"name": "Halle"}, {"where__name": ""}, True),
    ],
)
def test_it_knows_whether_it_was_changed(initial, parts, changed: bool) -> None:
    form = posted(**parts)
    form.initial = {"where": initial}

    assert form["where"]._has_changed() is changed


def test_what_is_stored_is_shown_escaped() -> None:
    form = Form(initial={"where": {"name": '"><script>', "number": 3}})

    assert 'value="&quot;&gt;&lt;script&gt;"' in str(form["where"])


def test_changes_wait_in_a_working_copy_and_come_back_as_typed(as_role) -> None:
    client, item = as_role("official"), event(address={"city": "Müllheim"})
    form = open_form(client, address_of(item))
    form.fill(address__name="Halle", address__postalCode="12").send(to="autosave", htmx=True)

    again = open_form(client, address_of(item))

    assert (again["address-name"], again["address-postalCode"]) == ("Halle", "12")
    assert events.get(item.id).address == {"city": "Müllheim"}


def test_two_people_who_change_it_see_both_versions_and_choose(as_role) -> None:
    client = as_role("official")
    new = filled(client, address__city="Müllheim")
    new.send()
    mine = open_form(client, new.action).fill(address__city="Auenfeld")
    events.update(of_form(new), {"address": {"city": "Neuenberg"}}, actor=CAST["moderator"].actor)

    answer = mine.send()

    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Auenfeld" in page
    assert "Neuenberg" in page
