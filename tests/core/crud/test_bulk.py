"""Actions over selected rows: asked first where it deletes, one transaction each, an answer for each."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client

from cms.news.models import News
from cms.news.repository import news
from cms.roles.repository import roles
from cms.roles.resource import roles as role_resource
from core.accounts.user import User
from core.crud import bulk, services
from core.crud.bulk import BulkAction
from core.crud.edit_session import Opened
from core.dynamo import deadline, history, metering
from core.dynamo.errors import Unavailable
from core.dynamo.faults import FaultProxy, Faults
from tests.cast import CAST, sign_in
from tests.core.crud.bulk import AsRole, article, results_of, rows
from tests.core.crud.pages import OpenForm
from tests.core.crud.roles import LIST, MAKER, make

BULK = f"{LIST}bulk"


def run(client: Client, action: str, selected: Sequence[str], address: str = BULK) -> Any:
    return client.post(address, {"bulk": action, "selected": selected, "confirmed": "yes"})


# --- The list -------------------------------------------------------------------------------------------


def test_each_row_can_be_selected_with_the_version_it_shows(as_role: AsRole) -> None:
    role = make("Treasurer")

    page = as_role("moderator").get(LIST).content.decode()

    assert f'name="selected" value="{role.id}@1" aria-label="Select Treasurer"' in page
    assert 'name="bulk" value="delete"' in page


def test_who_may_do_nothing_to_any_row_selects_nothing(as_role: AsRole) -> None:
    make("Treasurer")

    page = as_role("official").get(LIST).content.decode()

    assert 'name="selected"' not in page
    assert 'id="bulk-bar"' not in page


# --- Delete ---------------------------------------------------------------------------------------------


def test_deleting_asks_first_and_names_what_is_selected(as_role: AsRole) -> None:
    one, other = make("Treasurer"), make("Trainer")

    response = as_role("moderator").post(BULK, {"bulk": "delete", "selected": rows(one, other)})

    page = response.content.decode()
    assert "Delete these 2 entries?" in page
    assert [opened.label for _selected, opened in response.context["chosen"]] == ["Treasurer", "Trainer"]
    assert all(f'name="selected" value="{row}"' in page for row in rows(one, other))
    assert len(roles.get_many([one.id, other.id])) == 2


def test_each_deleted_row_can_be_undone(as_role: AsRole) -> None:
    one, other = make("Treasurer"), make("Trainer")
    client = as_role("moderator")

    response = run(client, "delete", rows(one, other))

    assert results_of(response) == [("Treasurer", "done", "Deleted"), ("Trainer", "done", "Deleted")]
    assert "Done: 2 of 2" in response.content.decode()
    assert f'name="key" value="{one.id}"' in response.content.decode()
    assert roles.get_many([one.id, other.id]) == {}

    client.post(f"{LIST}trash/restore", {"key": one.id})

    assert list(roles.get_many([one.id, other.id])) == [one.id]


def test_a_row_that_was_changed_or_deleted_since_is_refused_and_the_others_are_done(as_role: AsRole) -> None:
    changed, gone, fine = make("Treasurer"), make("Trainer"), make("Referee")
    selected = rows(changed, gone, fine)
    roles.update(changed, {"name": "Cashier"}, actor=MAKER)
    roles.delete(gone, actor=MAKER)

    response = run(as_role("moderator"), "delete", selected)

    assert results_of(response) == [
        ("Cashier", "refused", "Someone else changed this in the meantime."),
        ("No longer exists", "refused", "This does not exist or was deleted."),
        ("Referee", "done", "Deleted"),
    ]
    page = response.content.decode()
    assert "Done: 1 of 3" in page
    assert f'href="{LIST}{changed.id}/">Cashier</a>' in page
    assert f'href="{LIST}{gone.id}/"' not in page


def test_the_right_is_asked_of_each_record(as_role: AsRole) -> None:
    own = news.create(News(title="Own", slug="own", author_ids=[CAST["official"].sub]), actor=MAKER)
    foreign = news.create(News(title="Foreign", slug="foreign", author_ids=["x"]), actor=MAKER)

    response = run(as_role("official"), "delete", rows(own, foreign), "/cms/news/bulk")

    assert results_of(response) == [
        ("Own", "done", "Deleted"),
        ("Foreign", "refused", "You do not have permission to do this."),
    ]
    assert news.get(foreign.id).title == "Foreign"


def test_a_record_that_the_person_may_not_see_is_not_named(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    role = make("Secret")
    monkeypatch.setattr(type(role_resource), "may", lambda *_args: False)

    asked = as_role("moderator").post(BULK, {"bulk": "delete", "selected": rows(role)})
    answered = run(as_role("moderator"), "delete", rows(role))

    assert "Secret" not in asked.content.decode() + answered.content.decode()
    assert roles.get(role.id).name == "Secret"


def test_an_action_that_the_person_may_do_to_no_record_does_nothing(as_role: AsRole) -> None:
    role = make("Treasurer")

    response = run(as_role("official"), "delete", rows(role))

    assert response.status_code == 302
    assert roles.get(role.id).name == "Treasurer"


def test_more_than_a_hundred_are_refused_before_anything_is_done(as_role: AsRole) -> None:
    role = make("Treasurer")
    selected = [*rows(role), *(f"no-{number}@1" for number in range(100))]

    response = as_role("moderator").post(
        BULK, {"bulk": "delete", "selected": selected, "confirmed": "yes"}, follow=True
    )

    (message,) = response.context["messages"]
    assert str(message) == "Select at most 100 at once. Nothing was changed."
    assert roles.get(role.id).name == "Treasurer"


@pytest.mark.parametrize(
    "posted",
    [
        {},
        {"bulk": "delete"},
        {"bulk": "explode", "selected": "x@1"},
        {"bulk": "delete", "selected": ["", "@", "x", "@1", "x@", "x@-1", "x@1.5", "x@" + "9" * 30]},
    ],
)
def test_without_an_action_or_a_row_it_says_what_to_do(as_role: AsRole, posted: dict[str, Any]) -> None:
    response = as_role("moderator").post(BULK, posted, follow=True)

    assert response.redirect_chain == [(LIST, 302)]
    assert [str(message) for message in response.context["messages"]] == ["Select at least one row first."]


def test_a_key_that_no_record_can_have_is_no_longer_there(as_role: AsRole) -> None:
    response = run(as_role("moderator"), "delete", ["a|b|c@1", "x" * 3000 + "@1", "a%2@1"])

    assert [state for _label, state, _text in results_of(response)] == ["refused"] * 3


# --- Sent again -----------------------------------------------------------------------------------------


def test_reloading_the_results_shows_them_again_and_does_nothing(as_role: AsRole) -> None:
    role = make("Treasurer")
    client = as_role("moderator")
    question = client.post(BULK, {"bulk": "delete", "selected": rows(role)})
    form = OpenForm(client, question, "bulk-form").fill(confirmed="yes")

    first = form.send()
    client.post(f"{LIST}trash/restore", {"key": role.id})
    again = form.send()

    for response in (first, again):
        assert "Done: 1 of 1" in response.content.decode()
        assert f'id="undo-{role.id}"' in response.content.decode()
    assert roles.get(role.id, strong=True).name == "Treasurer"


def test_a_button_of_the_list_that_is_pressed_twice_does_it_once(as_role: AsRole) -> None:
    draft = article("Draft")
    client = as_role("moderator")
    form = OpenForm(client, client.get("/cms/news/"), "list-form").fill(bulk="publish", selected=rows(draft))

    assert ["Done: 1 of 1" in form.send().content.decode() for _time in range(2)] == [True, True]
    assert len(history.entries("news", draft.id).items) == 2, "created and published"


def test_what_was_done_in_part_may_be_sent_again_for_the_rest(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    role = make("Treasurer")
    client = as_role("moderator")
    posted = {"bulk": "delete", "selected": rows(role), "confirmed": "yes", "once": "from the form"}

    def fail(*_args: Any, **_options: Any) -> None:
        raise Unavailable

    with monkeypatch.context() as outage:
        outage.setattr(services, "delete", fail)
        assert client.post(BULK, posted).status_code == 503
    response = client.post(BULK, posted)

    assert results_of(response) == [("Treasurer", "done", "Deleted")]


# --- The list afterwards --------------------------------------------------------------------------------

NARROWED = "vorstand=yes&sort=-name"
BACK = f"{LIST}?vorstand=yes&amp;sort=-name"


def test_the_list_tells_what_it_was_asked_for(as_role: AsRole) -> None:
    make("Treasurer", vorstand=True)

    page = as_role("moderator").get(f"{LIST}?{NARROWED}").content.decode()

    assert '<input type="hidden" name="back" value="vorstand=yes&amp;sort=-name">' in page


def test_question_and_results_lead_back_to_the_list_as_it_was(as_role: AsRole) -> None:
    role = make("Treasurer", vorstand=True)
    client = as_role("moderator")
    chosen = {"bulk": "delete", "selected": rows(role), "back": NARROWED}

    question = client.post(BULK, chosen).content.decode()
    results = client.post(BULK, chosen | {"confirmed": "yes"}).content.decode()

    assert f'id="cancel" href="{BACK}"' in question
    assert '<input type="hidden" name="back" value="vorstand=yes&amp;sort=-name">' in question
    assert f'id="back-to-list" href="{BACK}"' in results


@pytest.mark.parametrize("selected", [[], [f"{number}@1" for number in range(101)]])
def test_a_refusal_leads_back_to_the_list_as_it_was(as_role: AsRole, selected: list[str]) -> None:
    response = as_role("moderator").post(BULK, {"bulk": "delete", "selected": selected, "back": NARROWED})

    assert response["Location"] == f"{LIST}?{NARROWED}"


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "&next=//evil.example&after=x", "\0"]
)
def test_only_what_this_list_can_be_asked_for_is_taken_back(as_role: AsRole, back: str) -> None:
    response = as_role("moderator").post(BULK, {"bulk": "delete", "back": back})

    assert response["Location"] == f"{LIST}?sort=name"


def test_a_row_that_is_sent_twice_counts_once() -> None:
    assert bulk.read_selection(["a@b@3", "a@b@4", "c@1"]) == {"a@b": 3, "c": 1}


def test_a_hundred_records_are_read_at_once_and_written_one_by_one(as_role: AsRole) -> None:
    made = [make(f"Role {number:03}") for number in range(100)]
    client = as_role("moderator")

    with metering.metered() as meter:
        response = run(client, "delete", rows(*made))

    assert "Done: 100 of 100" in response.content.decode()
    assert meter.operations == ["GetItem", "BatchGetItem", *["TransactWriteItems"] * 100]


def test_a_hundred_transactions_have_more_time_than_a_usual_request(
    as_role: AsRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowances: list[float] = []

    def note_time(_user: User, _opened: Opened) -> None:
        remaining = deadline.current()
        allowances.append(remaining.left if remaining else 0)

    action = BulkAction("note", "Note", "star", "view", "Noted", note_time)
    monkeypatch.setattr(type(role_resource), "bulk", (action,))

    run(as_role("moderator"), "note", rows(make("Treasurer")))

    assert 20 < allowances[0] <= 25


def test_when_the_store_fails_in_the_middle_the_rest_is_not_done(
    client: Client, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [make(f"Role {number}") for number in range(5)]
    delete = services.delete

    def delete_until_the_store_breaks(*args: Any, **kwargs: Any) -> None:
        delete(*args, **kwargs)
        if args[2].name == "Role 1":
            proxy.faults = Faults(reset=1)

    monkeypatch.setattr(services, "delete", delete_until_the_store_breaks)

    response = run(sign_in(client, "moderator"), "delete", rows(*made))

    assert [(label, state) for label, state, _text in results_of(response)] == [
        ("Role 0", "done"),
        ("Role 1", "done"),
        ("Role 2", "unknown"),
        ("Role 3", "skipped"),
        ("Role 4", "skipped"),
    ]
    page = response.content.decode()
    assert "Check whether it worked before you try again." in page
    assert "Not done. Try again in a moment." in page


# --- A resource's own -----------------------------------------------------------------------------------


def test_a_resource_adds_actions_of_its_own(as_role: AsRole, monkeypatch: pytest.MonkeyPatch) -> None:
    def to_board(user: User, opened: Opened) -> None:
        role_resource.ensure(user, "update", opened.record)
        roles.update(opened.record, {"vorstand": True}, actor=user.actor)

    action = BulkAction("board", "Part of the board", "star", "update", "Is of the board now", to_board)
    monkeypatch.setattr(type(role_resource), "bulk", (action,))
    role = make("Treasurer")
    client = as_role("moderator")

    assert 'name="bulk" value="board"' in client.get(LIST).content.decode()
    response = client.post(BULK, {"bulk": "board", "selected": rows(role)})

    assert results_of(response) == [("Treasurer", "done", "Is of the board now")]
    assert roles.get(role.id).vorstand is True
