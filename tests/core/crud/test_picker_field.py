"""The field that refers to other records: one read for a whole form, however many pickers it has."""

import re
from typing import Any

import pytest
from django import forms
from django.http import QueryDict

from core.crud.fields import HelpedForm, PickerField, RowForm, RowsField
from core.crud.picker_labels import load_labels
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.metering import metered
from tests.cast import CAST

pytestmark = pytest.mark.usefixtures("db", "records_to_pick")

MODERATOR, OFFICIAL = CAST["moderator"], CAST["official"]
GONE = "Your choice no longer exists. Choose another one."
ONE_IS_GONE = "Something you chose no longer exists. Remove it, then save again."


class TaskForm(RowForm):
    role = PickerField(to="role", required=False)
    note = forms.CharField(required=False)


class MemberForm(HelpedForm):
    role = PickerField(to="role", required=False)
    others = PickerField(to="role", many=True, required=False)
    friends = PickerField(to="person", many=True, required=False)
    tasks = RowsField(TaskForm)


def member(initial: dict[str, Any] | None = None, **posted: str | list[str]) -> MemberForm:
    data = QueryDict(mutable=True)
    for name, values in posted.items():
        data.setlist(name.replace("__", "-"), [values] if isinstance(values, str) else values)
    return MemberForm(data, initial=initial)


def chosen(form: forms.Form, name: str) -> list[tuple[str, str]]:
    """The keys and labels of what is ticked."""
    page = str(form[name]).split("<template")[0]
    return re.findall(r'value="([^"]*)" id="[^"]*" checked> ([^<]*?)</label>', page)


def offered(form: forms.Form, name: str) -> list[str]:
    return re.findall(r'_found_\d+"(?: autofocus)?> ([^<]*?)<', str(form[name]))


# --- What comes in --------------------------------------------------------------------------------------


def test_one_key_or_a_list_of_keys_in_their_order() -> None:
    form = member(role="trainer", others=["treasurer", "captain", "treasurer"], friends="odile")

    assert form.is_valid(), form.errors
    assert form.cleaned_data == {
        "role": "trainer",
        "others": ["treasurer", "captain"],
        "friends": ["odile"],
        "tasks": [],
    }


def test_nothing_chosen_is_none_or_an_empty_list_and_is_refused_where_one_is_needed() -> None:
    form = member(role="")
    assert form.is_valid()
    assert (form.cleaned_data["role"], form.cleaned_data["others"]) == (None, [])

    form = member()
    form.fields["role"].required = form.fields["others"].required = True
    assert form.errors == {"role": ["Choose one from the list."], "others": ["Choose one from the list."]}


def test_all_newly_chosen_records_of_a_form_are_looked_up_by_one_read() -> None:
    with metered() as meter:
        assert member(
            role="trainer", others=["captain"], friends="odile", tasks__0__role="captain"
        ).is_valid()

    assert meter.operations == ["BatchGetItem"]


def test_what_was_stored_already_is_not_looked_up() -> None:
    stored = {"role": "gone", "others": ["gone-too"], "tasks": [{"role": "gone-three"}]}

    with metered() as meter:
        form = member(stored, role="gone", others=["gone-too"], tasks__0__role="gone-three")
        assert form.is_valid(), form.errors

    assert meter.requests == 0


def test_unknown_records_are_refused_at_their_field_and_the_rest_is_kept() -> None:
    form = member(
        role="nobody",
        others=["trainer", "nobody"],
        friends="trainer",
        tasks__0__role="captain",
        tasks__1__role="x",
    )

    assert form.errors == {
        "role": [GONE],
        "others": [ONE_IS_GONE],
        "friends": [ONE_IS_GONE],
        "tasks": ["Correct the fields marked below."],
    }
    load_labels(form, MODERATOR)
    assert chosen(form, "others") == [("trainer", "Trainer"), ("nobody", "(deleted)")]
    page = str(form["tasks"])
    assert re.findall(r'id="(id_[^"]*)_error"', page) == ["id_tasks-1-role"]
    assert GONE in page


class FriendForm(RowForm):
    friend = PickerField(to="person", required=False)


class ClubForm(HelpedForm):
    contact = PickerField(to="person", required=False)
    friends = PickerField(to="person", many=True, required=False)
    tasks = RowsField(FriendForm)


def test_what_the_person_may_not_see_cannot_be_chosen_unless_it_was_there_before() -> None:
    posted = {"contact": "odile", "friends": "odile", "tasks-0-friend": "odile"}
    stored = {"contact": "odile", "friends": ["odile"], "tasks": [{"friend": "odile"}]}
    refused, kept, seen = ClubForm(posted), ClubForm(posted, initial=stored), ClubForm(posted)
    refused.chooser = kept.chooser = CAST["member"]
    seen.chooser = OFFICIAL

    with metered() as meter:
        assert refused.errors == {
            "contact": [GONE],
            "friends": [ONE_IS_GONE],
            "tasks": ["Correct the fields marked below."],
        }
    assert meter.operations == ["BatchGetItem"]
    assert GONE in str(refused["tasks"])
    assert (kept.errors, seen.errors) == ({}, {})


@pytest.mark.parametrize("key", ["a|b", "%zz", "a%2Fb/", "\ud800", "x" * 3000])
def test_a_key_that_no_record_can_have_is_refused_without_a_word_to_the_store(key: str) -> None:
    form = member(role=key, others=[key])

    assert form.errors == {"role": [GONE], "others": [ONE_IS_GONE]}
    load_labels(form, MODERATOR)
    assert [label for _key, label in chosen(form, "others")] == ["(deleted)"]


def test_at_most_twenty_can_be_chosen_and_of_one_only_one() -> None:
    form = member(role=["trainer", "captain"], others=[f"r{number}" for number in range(21)])

    assert form.errors == {
        "role": ["Choose at most 1."],
        "others": ["Choose at most 20."],
    }


def test_a_thousand_keys_cost_one_read() -> None:
    form = member(others=[f"r{number}" for number in range(900)])

    with metered() as meter:
        assert not form.is_valid()
        load_labels(form, MODERATOR)

    assert meter.requests == 1


def test_when_the_store_does_not_answer_the_write_will_say_so(proxy: FaultProxy) -> None:
    proxy.faults = Faults(error=1)
    form = member(role="trainer")
    assert form.is_valid()
    proxy.faults = Faults()


def test_only_a_real_change_counts_as_one() -> None:
    stored = {"role": "trainer", "others": ["captain", "trainer"], "friends": None}

    assert member(stored, role="trainer", others=["captain", "trainer"]).changed_data == []
    assert member(stored, role="trainer", others=["trainer", "captain"]).changed_data == ["others"]
    assert member(stored, others=["captain", "trainer"]).changed_data == ["role"]


# --- What is shown --------------------------------------------------------------------------------------


def test_the_labels_of_a_form_come_by_one_read() -> None:
    stored = {
        "role": "trainer",
        "others": ["captain", "was-deleted"],
        "friends": ["odile"],
        "tasks": [{"role": "treasurer"}, {"role": "captain"}],
    }
    form = MemberForm(initial=stored)

    with metered() as meter:
        load_labels(form, MODERATOR)

    assert meter.operations == ["BatchGetItem"]
    assert chosen(form, "role") == [("trainer", "Trainer")]
    assert chosen(form, "others") == [("captain", "Captain"), ("was-deleted", "(deleted)")]
    assert chosen(form, "friends") == [("odile", "Odile Brandt")]
    tasks = form["tasks"].parts.forms  # type: ignore[attr-defined]
    assert [chosen(row, "role") for row in tasks] == [[("treasurer", "Treasurer")], [("captain", "Captain")]]


def test_a_form_without_chosen_records_reads_nothing() -> None:
    with metered() as meter:
        load_labels(MemberForm(), MODERATOR)

    assert meter.requests == 0


def test_what_was_posted_is_shown_again_as_it_was() -> None:
    form = member(role="captain", others=["treasurer", "trainer"], friends__q="odi")
    load_labels(form, MODERATOR)

    assert chosen(form, "role") == [("captain", "Captain")]
    assert chosen(form, "others") == [("treasurer", "Treasurer"), ("trainer", "Trainer")]
    assert 'name="friends-q" value="odi"' in str(form["friends"])


def test_posting_a_key_does_not_tell_what_a_hidden_record_is_called() -> None:
    member_of_the_club = CAST["member"]
    posted, stored = member(friends="odile"), member({"friends": ["odile"]}, friends="odile")
    load_labels(posted, member_of_the_club)
    load_labels(stored, member_of_the_club)

    assert chosen(posted, "friends") == [("odile", "(deleted)")]
    assert chosen(stored, "friends") == [("odile", "Odile Brandt")]


def test_only_those_who_may_create_are_offered_to() -> None:
    form = MemberForm()
    load_labels(form, MODERATOR)
    assert 'href="/cms/roles/new" target="_blank"' in str(form["role"])
    assert 'data-create="/cms/roles/create"' in str(form["role"])
    assert "Create new" not in str(form["friends"])

    form = MemberForm()
    load_labels(form, OFFICIAL)
    assert "Create new" not in str(form["role"])


# --- Without JavaScript ---------------------------------------------------------------------------------


def test_find_offers_what_was_searched_for_beside_what_is_chosen_and_saves_nothing() -> None:
    form = member(role="nobody", others="trainer", others__q="tr", others__find="1")
    load_labels(form, MODERATOR)

    assert form.wants_help()
    assert not form.is_valid()
    assert form.errors == {}
    assert chosen(form, "others") == [("trainer", "Trainer")]
    assert offered(form, "others") == ["Treasurer"]
    assert 'name="others-q" value="tr"' in str(form["others"])
    assert offered(form, "role") == []


def test_find_in_a_row_offers_there() -> None:
    form = member(tasks__0__note="a", tasks__1__role__q="capt", tasks__1__role__find="1")
    load_labels(form, MODERATOR)

    assert form.wants_help()
    first, second = (str(row["role"]) for row in form["tasks"].parts.forms)  # type: ignore[attr-defined]
    assert "_found_" not in first
    assert re.findall(r'_found_\d+" autofocus> ([^<]*?)<', second) == ["Captain"]


def test_nothing_found_is_said() -> None:
    form = member(others__q="xyz", others__find="1")
    load_labels(form, MODERATOR)

    assert "Nothing found." in str(form["others"])


def test_move_up_changes_the_order_and_saves_nothing() -> None:
    form = member(others=["trainer", "captain", "treasurer"], others__up="treasurer")
    load_labels(form, MODERATOR)

    assert form.wants_help()
    assert [key for key, _label in chosen(form, "others")] == ["trainer", "treasurer", "captain"]
    assert str(form["others"]).count('name="others-up"') == 2


def test_what_is_chosen_in_an_optional_picker_of_one_can_be_taken_back() -> None:
    form = MemberForm(initial={"role": "trainer"})
    assert 'type="radio" name="role" value=""' in str(form["role"])

    form.fields["role"].required = True
    form.fields["role"].widget.is_required = True
    assert 'value=""' not in str(form["role"]).split("picker-search")[0]
