"""An event that nobody used can be deleted, and comes back with its teams and matches."""

import pytest

from dynamo import metering
from dynamo.actors import SYSTEM
from dynamo.errors import NotFound
from scouting import repository
from scouting.models import CommentForm
from scouting.services import events, pick_list, selection
from tests.scouting import field
from tests.scouting.field import KEY, LEAD

pytestmark = pytest.mark.usefixtures("db")
LIST = "/scouting/events/"
PAGE, TRASH = f"{LIST}{KEY}/", f"{LIST}trash/"


@pytest.fixture
def unused():
    event = field.event()
    field.be_at(None)
    return event


def stored():
    return repository.event_infos.parts(KEY, strong=True)


def sent():
    return {"version": stored().info.seen_version}


def test_an_event_that_nobody_used_is_deleted_and_undone(unused, as_role):
    client = as_role("scout-lead")
    with metering.metered() as cost:
        answer = client.post(f"{PAGE}delete", sent(), follow=True)

    assert cost.operations.count("TransactWriteItems") == 1
    assert answer.redirect_chain == [(LIST, 302)]
    assert "“Fieldhouse Test” was deleted." in answer.content.decode()
    with pytest.raises(NotFound):
        stored()
    (undo,) = answer.context["messages"]
    assert undo.extra_tags
    key = repository.event_infos.key_of(repository.event_infos.model.about(KEY))
    assert f'value="{key}"' in answer.content.decode()
    assert client.post(f"{TRASH}restore", {"key": key}).status_code == 302
    assert stored().event == unused


def test_it_comes_back_from_the_trash_with_what_was_deleted_with_it(unused, as_role):
    client = as_role("scout-lead")
    client.post(f"{PAGE}delete", sent())
    (row,) = client.get(TRASH).context["rows"]
    assert (row.label, row.who) == ("Fieldhouse Test", LEAD.name)

    restored = client.post(f"{TRASH}restore", {"id": row.trash_id}, headers={"HX-Request": "true"})
    assert f'href="{PAGE}"' in restored.content.decode()
    assert stored().event == unused
    assert client.get(TRASH).context["rows"] == []
    assert client.post(f"{TRASH}restore", {"id": row.trash_id}).status_code == 404


def test_an_event_that_was_made_anew_meanwhile_is_not_replaced(unused, as_role):
    client = as_role("scout-lead")
    client.post(f"{PAGE}delete", sent())
    events.create(LEAD, KEY, {"name": "Anew"})
    (row,) = client.get(TRASH).context["rows"]

    assert client.post(f"{TRASH}restore", {"id": row.trash_id}).status_code == 409
    assert (stored().info.name, stored().event.teams) == ("Anew", ())


def comment():
    repository.comment_forms.create(CommentForm.about(KEY, "20", comments="x"), actor=SYSTEM)


def picked():
    event = repository.event_infos.read(KEY)
    selection.save(LEAD, event, pick_list.refreshed((), event), seen_version=0)


@pytest.mark.parametrize(
    ("use", "why"),
    [
        (lambda: field.stand("20", 1), "There are forms or a team selection"),
        (lambda: field.pit("20"), "There are forms or a team selection"),
        (comment, "There are forms or a team selection"),
        (picked, "There are forms or a team selection"),
        (lambda: field.be_at(KEY), "We are at this event"),
    ],
)
def test_an_event_that_is_used_stays_and_it_is_said_why(unused, as_role, use, why):
    use()
    answer = as_role("scout-lead").post(f"{PAGE}delete", sent())

    assert answer.status_code == 409
    assert why in answer.content.decode()
    assert stored().event == unused


def test_an_event_that_somebody_changed_meanwhile_stays(unused, as_role):
    seen = sent()
    events.edit(LEAD, KEY, {"name": "Ours after all"}, seen_version=seen["version"])
    answer = as_role("scout-lead").post(f"{PAGE}delete", seen)

    assert answer.status_code == 409
    assert "Somebody else changed this record" in answer.content.decode()
    assert stored().info.name == "Ours after all"
