"""Forms as an earlier release stored them: with rows for request and reference, counted on the event."""

import pytest

from core.dynamo import guards, maintenance, references
from core.dynamo.errors import InUse, KeyReused
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.support_table import SupportItem
from scouting.events import services as events
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos, of_its_event
from scouting.forms import services as forms
from scouting.forms.repository import stand_forms
from tests.scouting.field import KEY, be_at, event
from tests.scouting.forms.sent_forms import LEAD, SCOUT, fields, key_of, stored

pytestmark = pytest.mark.usefixtures("db")
EVENT = event_infos.key_of(EventInfo.about(KEY))


def once(team="20", key="first"):
    return IdempotencyKey(SCOUT.sub, "scouting:stand", key, {"team": team})


def put(item, table=SupportItem.Meta.table_name):
    maintenance.request("PutItem", TableName=table, Item=item)


def info():
    return event_infos.parts(KEY, strong=True).info


@pytest.fixture
def earlier(db):
    """A form with its side items as they were before."""
    event()
    be_at(None)
    form = forms.submit_stand(SCOUT, fields(), once=once())
    key = key_of(form)
    for item in maintenance.scan_items(TableName=SupportItem.Meta.table_name):
        if item["PK"]["S"].startswith("USES#"):
            maintenance.request(
                "DeleteItem",
                TableName=SupportItem.Meta.table_name,
                Key={"PK": item["PK"], "SK": item["SK"]},
            )
    put(info().stored | {"refs": {"N": "1"}}, EventInfo.Meta.table_name)
    put(references.put_row(of_its_event(), EVENT, entity="stand", key=key).item)
    (value,) = stand_forms.unique[0].values_of(form)
    guard = {"PK": guards.partition("stand", "scout", value), "SK": "GUARD", "owner": key}
    put({name: {"S": text} for name, text in guard.items()})
    row = IdempotencyKey(SCOUT.sub, "scouting:stand", "first", {"team": "20"}, answer={"key": key})
    put(row.operation().item)
    entry = stand_forms.history_entry(
        form, verb="create", actor=SCOUT.actor, at=form.created_at, fields=form.stored, before={}
    )
    put(entry.item)
    return form


def test_a_resend_is_answered_with_it(earlier):
    assert forms.submit_stand(SCOUT, fields(), once=once()).id == earlier.id
    assert len(stored()) == 1


def test_a_resend_about_another_robot_is_refused(earlier):
    with pytest.raises(KeyReused):
        forms.submit_stand(SCOUT, fields("101"), once=once("101"))


def test_a_resend_of_one_that_was_moved_before_finds_it(earlier):
    """The earlier release removed the guard of the place that it left."""
    (value,) = stand_forms.unique[0].values_of(earlier)
    forms.move(LEAD, "stand", key_of(earlier), {"team": "101", "match": 2}, seen_version=earlier.seen_version)
    key = {"PK": {"S": guards.partition("stand", "scout", value)}, "SK": {"S": "GUARD"}}
    maintenance.request("DeleteItem", TableName=SupportItem.Meta.table_name, Key=key)

    assert forms.submit_stand(SCOUT, fields(), once=once()).team == "101"
    assert len(stored()) == 1


def test_its_event_is_in_use_until_it_is_deleted(earlier):
    with pytest.raises(InUse):
        event_infos.delete(info(), actor=LEAD.actor)
    forms.delete(LEAD, "stand", key_of(earlier), seen_version=earlier.seen_version)

    assert event_infos.uses_of(info()) == 0
    events.delete(LEAD, KEY, seen_version=info().seen_version)


def test_its_creation_is_told_once(earlier):
    told = [entry.verb for entry, _moved_from in forms.past("stand", key_of(earlier), earlier)]
    assert told == ["create"]
