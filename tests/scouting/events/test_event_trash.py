"""An event that nobody used can be deleted, and comes back with its teams and matches."""

from threading import Barrier

import pytest

from core.dynamo import metering
from core.dynamo.actors import SYSTEM
from core.dynamo.errors import Conflict, DataError, InUse, Missing, NotFound
from scouting.events import services as events
from scouting.events.event import NoSuchEvent
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos
from scouting.forms import services as forms
from scouting.forms.models import CommentForm
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.selection import pick_list
from scouting.selection import services as selection
from scouting.settings import services as settings
from tests.racing import at_once
from tests.scouting import field
from tests.scouting.field import KEY, LEAD, SCOUT

pytestmark = pytest.mark.usefixtures("db")
LIST = "/scouting/events/"
PAGE, TRASH = f"{LIST}{KEY}/", f"{LIST}trash/"


@pytest.fixture
def unused():
    event = field.event()
    field.be_at(None)
    return event


def stored():
    return event_infos.parts(KEY, strong=True)


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
    key = event_infos.key_of(event_infos.model.about(KEY))
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
    comment_forms.create(CommentForm.about(KEY, "20", comments="x"), actor=SYSTEM)


def picked():
    event = event_infos.read(KEY)
    selection.save(LEAD, event, pick_list.refreshed((), event), base={}, over=selection.Saved())


@pytest.mark.parametrize(
    ("use", "why"),
    [
        (lambda: field.stand("20", 1), "This event has forms or a team selection"),
        (lambda: field.pit("20"), "This event has forms or a team selection"),
        (comment, "This event has forms or a team selection"),
        (picked, "This event has forms or a team selection"),
        (lambda: field.be_at(KEY), "This is our current event"),
    ],
)
def test_an_event_that_is_used_stays_and_it_is_said_why(unused, as_role, use, why):
    use()
    answer = as_role("scout-lead").post(f"{PAGE}delete", sent())

    assert answer.status_code == 409
    assert why in answer.content.decode()
    assert stored().event == unused


@pytest.mark.parametrize(
    "use",
    [
        lambda: field.stand("20", 1),
        lambda: field.pit("20"),
        comment,
        picked,
        lambda: field.be_at(KEY),
    ],
)
def test_what_comes_between_the_look_and_the_delete_keeps_its_event(unused, monkeypatch, use):
    looked = events._uses

    def overtaken(key):
        yield from looked(key)
        use()

    monkeypatch.setattr(events, "_uses", overtaken)
    with pytest.raises(InUse):
        events.delete(LEAD, KEY, seen_version=stored().info.seen_version)
    assert stored().event == unused


def test_an_event_whose_forms_and_list_are_gone_again_can_be_deleted(unused):
    form, pit = field.stand("20", 1), field.pit("20")
    field.be_at(KEY)
    stand_forms.delete(form, actor=SYSTEM)
    pit_forms.delete(pit, actor=SYSTEM)
    field.be_at(None)
    events.delete(LEAD, KEY, seen_version=stored().info.seen_version)

    with pytest.raises(Conflict, match="Restore the event first"):
        forms.restore(LEAD, "stand", stand_forms.key_of(form))
    events.restore(LEAD, key=event_infos.key_of(EventInfo.about(KEY)))
    forms.restore(LEAD, "stand", stand_forms.key_of(form))
    assert [each.team for each in stand_forms.at(KEY)] == ["20"]


def test_a_form_that_was_moved_counts_once(unused):
    form = field.stand("20", 1)
    key = stand_forms.key_of(form)
    moved = forms.move(LEAD, "stand", key, {"team": "101", "match": 2}, seen_version=form.seen_version)
    forms.delete(LEAD, "stand", moved, seen_version=forms.opened(LEAD, "stand", moved).seen_version)
    events.delete(LEAD, KEY, seen_version=stored().info.seen_version)
    with pytest.raises(NotFound):
        stored()


def test_forms_and_the_delete_of_their_event_at_once_leave_no_form_without_it(monkeypatch):
    """Scouts and a lead who has just looked: whoever comes first, no form is left without its event."""
    settings.active()
    looked = events._uses
    for number, scouts in enumerate([1] * 8 + [6] * 4):
        has_looked = Barrier(1 + scouts)

        def looks(key, has_looked=has_looked):
            yield from looked(key)
            has_looked.wait()

        monkeypatch.setattr(events, "_uses", looks)
        key = f"2026race{number}"
        field.exist(key)
        seen = event_infos.parts(key, strong=True).info.seen_version

        def work(who, key=key, seen=seen, has_looked=has_looked):
            if who == 0:
                return events.delete(LEAD, key, seen_version=seen)
            has_looked.wait()
            told = {"event": key, "team": "20", "match": who, "scores": {}}
            return forms.submit_stand(SCOUT, told)

        answers = at_once(work, 1 + scouts)
        sent = stand_forms.at(key)
        refused = [answer for answer in answers if isinstance(answer, DataError)]
        if isinstance(answers[0], DataError):
            assert isinstance(answers[0], InUse)
            assert (len(sent), len(refused)) == (scouts, 1)
            assert event_infos.uses_of(event_infos.parts(key, strong=True).info) == scouts
        else:
            assert sent == []
            assert [type(each) for each in refused] == [NoSuchEvent] * scouts


def test_an_event_that_was_just_deleted_cannot_be_chosen(unused, as_role):
    events.delete(LEAD, KEY, seen_version=stored().info.seen_version)
    with pytest.raises(Missing) as refused:
        field.be_at(KEY)
    assert refused.value.field == "event"


def test_an_event_that_somebody_changed_meanwhile_stays(unused, as_role):
    seen = sent()
    events.edit(LEAD, KEY, {"name": "Ours after all"}, seen_version=seen["version"])
    answer = as_role("scout-lead").post(f"{PAGE}delete", seen)

    assert answer.status_code == 409
    assert "Someone else changed this" in answer.content.decode()
    assert stored().info.name == "Ours after all"
