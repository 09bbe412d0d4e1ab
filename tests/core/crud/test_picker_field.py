"""The field that refers to other records: one read for a whole form, however many pickers it has."""

import json
import re
from typing import Any

import pytest
from django import forms
from django.http import QueryDict
from django.test import Client

from cms.roles.models import Role
from cms.roles.repository import roles
from core.accounts.models import Person
from core.accounts.repository import people
from core.crud.fields import HelpedForm, PickerField, RowForm, RowsField, load_labels
from core.dynamo.actors import Actor
from core.dynamo.errors import NotFound
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.metering import metered
from tests.cast import CAST, sign_in

pytestmark = pytest.mark.usefixtures("db")

MODERATOR, OFFICIAL = CAST["moderator"], CAST["official"]
GONE = "This record does not exist, or it was deleted. Choose another one."
ONE_IS_GONE = "A record that you chose does not exist, or it was deleted. Remove it, then save again."


class TaskForm(RowForm):
    role = PickerField(to="role", required=False)
    note = forms.CharField(required=False)


class MemberForm(HelpedForm):
    role = PickerField(to="role", required=False)
    others = PickerField(to="role", many=True, required=False)
    friends = PickerField(to="person", many=True, required=False)
    tasks = RowsField(TaskForm)


@pytest.fixture(autouse=True)
def _records(db: object, alice: Actor) -> None:
    for name in ("Trainer", "Treasurer", "Captain"):
        roles.create(Role(id=name.lower(), name=name), actor=alice)
    people.create(Person(sub="odile", name="Odile Brandt", email="odile@club.example"), actor=alice)


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
    assert form.errors == {"role": ["Choose a record."], "others": ["Choose a record."]}


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
        "tasks": ["Correct what is marked below."],
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
            "tasks": ["Correct what is marked below."],
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
        "role": ["At most 1 can be chosen here."],
        "others": ["At most 20 can be chosen here."],
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


# --- The options ----------------------------------------------------------------------------------------


def options(client: Client, address: str, q: str = "") -> list[str]:
    page = client.get(address, {"q": q}).content.decode()
    return re.findall(r'data-label="([^"]*)"', page)


def test_options_are_found_by_the_beginnings_of_words(client: Client) -> None:
    sign_in(client, "moderator")

    assert options(client, "/cms/roles/pick", "tr") == ["Trainer", "Treasurer"]
    assert options(client, "/cms/roles/pick", "TREA") == ["Treasurer"]
    assert options(client, "/cms/roles/pick", "zz") == []


def test_without_a_word_the_first_ten_are_offered(client: Client, alice: Actor) -> None:
    for number in range(12):
        roles.create(Role(name=f"Role {number:02}"), actor=alice)
    sign_in(client, "moderator")

    expected = ["Captain", *(f"Role {number:02}" for number in range(9))]
    assert options(client, "/cms/roles/pick") == expected
    assert options(client, "/cms/roles/pick", "r") == expected
    assert "The first 10. Type to find others." in client.get("/cms/roles/pick").content.decode()


def test_the_requests_of_a_search_do_not_grow_with_the_records(client: Client, alice: Actor) -> None:
    sign_in(client, "moderator")

    def cost() -> list[str]:
        with metered() as meter:
            assert options(client, "/cms/roles/pick", "tr")
        return meter.operations

    few = cost()
    for number in range(30):
        roles.create(Role(name=f"Training {number}"), actor=alice)
    assert few == cost() == ["GetItem", "Query", "BatchGetItem"]


def test_creating_is_offered_by_name_to_those_who_may(client: Client) -> None:
    page = sign_in(client, "moderator").get("/cms/roles/pick", {"q": "<b>"}).content.decode()
    assert 'data-create="&lt;b&gt;">Create “&lt;b&gt;”…</li>' in page

    page = sign_in(client, "official").get("/cms/roles/pick", {"q": "Cook"}).content.decode()
    assert "data-create" not in page


def test_people_are_offered_by_name_and_to_admins_with_their_address(client: Client) -> None:
    official = sign_in(client, "official").get("/directory/pick", {"q": "bran"}).content.decode()
    assert 'data-label="Odile Brandt">Odile Brandt</li>' in official
    assert "odile@club.example" not in official

    admin = sign_in(client, "admin").get("/directory/pick", {"q": "bran"}).content.decode()
    assert 'Odile Brandt <span class="quiet">odile@club.example</span></li>' in admin
    assert "data-create" not in admin


def test_people_are_not_offered_to_plain_members(client: Client) -> None:
    assert sign_in(client, "member").get("/directory/pick").status_code == 403


# --- Creating in place ----------------------------------------------------------------------------------


def test_the_dialog_begins_with_what_was_typed_and_has_ids_of_its_own(client: Client) -> None:
    page = sign_in(client, "moderator").get("/cms/roles/create", {"label": "Cook"}).content.decode()

    assert 'name="name" value="Cook"' in page
    assert 'id="new_role_name"' in page
    assert "<html" not in page


def dialog(client: Client) -> dict[str, str]:
    """What the form in the dialog carries along."""
    page = client.get("/cms/roles/create").content.decode()
    return dict(re.findall(r'type="hidden" name="(key|new)" value="([^"]*)"', page))


def test_a_created_record_is_told_to_the_picker(client: Client) -> None:
    sign_in(client, "moderator")
    sent = dialog(client) | {"name": "Cook"}
    key = sent["key"]

    answer = client.post("/cms/roles/create", sent)
    again = client.post("/cms/roles/create", sent)

    assert roles.get(key, strong=True).name == "Cook"
    for response in (answer, again):
        assert response.status_code == 204
        assert response["HX-Trigger"] == f'{{"record-created": {{"key": "{key}", "label": "Cook"}}}}'


@pytest.mark.parametrize(
    ("name", "error"),
    [("", "This field is required."), ("trainer", "This is already taken. Please choose another.")],
)
def test_what_is_wrong_is_said_in_the_dialog(client: Client, name: str, error: str) -> None:
    response = sign_in(client, "moderator").post("/cms/roles/create", {"key": "x", "name": name})

    assert response.status_code == 422
    page = response.content.decode()
    assert f'value="{name}"' in page or not name
    assert re.search(r'id="new_role_name_error".*?' + re.escape(error), page, re.DOTALL)
    assert "autofocus" in page


@pytest.mark.parametrize("is_deleted", [True, False])
def test_under_the_key_of_another_record_nothing_is_created(client: Client, is_deleted: bool) -> None:
    """Neither is its name given away, nor its place taken after it was deleted."""
    secret = roles.create(Role(name="Secret"), actor=Actor(sub="x", name="X"))
    if is_deleted:
        roles.delete(secret, actor=Actor(sub="x", name="X"))
    sent = dialog(sign_in(client, "moderator")) | {"key": secret.id, "name": "Cook"}

    created = json.loads(client.post("/cms/roles/create", sent)["HX-Trigger"])["record-created"]

    assert created["label"] == "Cook"
    assert created["key"] != secret.id
    assert (secret.id in roles.get_many([secret.id], strong=True)) is not is_deleted


def test_a_second_press_with_other_words_is_not_taken_for_created(client: Client) -> None:
    sign_in(client, "moderator")
    sent = dialog(client) | {"name": "Cook"}
    client.post("/cms/roles/create", sent)

    response = client.post("/cms/roles/create", sent | {"name": "Baker"})

    assert response.status_code == 422
    assert roles.get(sent["key"], strong=True).name == "Cook"


def test_nobody_else_can_create_in_place(client: Client) -> None:
    assert sign_in(client, "official").post("/cms/roles/create", {"name": "Cook"}).status_code == 403
    with pytest.raises(NotFound):
        roles.get("x")
