"""That a scout sent a stand form is told by the form itself: no history entry says it once more."""

import pytest

from core.dynamo import history
from scouting.forms import services as forms
from scouting.forms.repository import stand_forms
from tests.scouting.field import event
from tests.scouting.field import form as form_of
from tests.scouting.forms.sent_forms import LEAD, SCOUT, edited, fields, key_of, stored

pytestmark = pytest.mark.usefixtures("db")


def test_who_sent_a_form_is_told_by_the_form_itself_and_by_no_entry():
    event()
    form = forms.submit_stand(SCOUT, fields())
    key = key_of(form)
    assert history.entries("stand", key).items == []
    (told,) = forms.past("stand", key, form)
    assert (told[0].verb, told[0].actor_name, told[0].at) == ("create", SCOUT.name, form.created_at)

    edited(LEAD, form)
    (corrected,) = stored()
    key = forms.move(LEAD, "stand", key, {"team": "101", "match": 2}, seen_version=corrected.seen_version)
    past = forms.past("stand", key, forms.opened(LEAD, "stand", key))
    assert [entry.verb for entry, _moved_from in past] == ["move", "update", "create"]
    assert past[-1][0].at == form.created_at


def test_what_others_enter_for_a_scout_has_an_entry():
    event()
    form = stand_forms.create(form_of("20", 1), actor=LEAD.actor)
    (told,) = forms.past("stand", key_of(form), form)
    assert (told[0].verb, told[0].actor_name) == ("create", LEAD.name)
