"""Forms that were sent: corrected by their scouts, deleted and brought back by leads."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied

from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, NotFound
from scouting.forms import services as forms
from scouting.forms.corrections import TooLate
from scouting.forms.repository import pit_forms
from tests.scouting.field import KEY, event, stand
from tests.scouting.forms.sent_forms import LEAD, SCORES, SCOUT, edited, fields, key_of, play, stored

pytestmark = pytest.mark.usefixtures("db")


def test_a_correction_computes_the_scores_anew():
    event()
    form = forms.submit_stand(SCOUT, fields())
    edited(SCOUT, form, scores=SCORES | {"climbLevel": "none"})
    (kept,) = stored()
    assert (kept.auto_score, kept.tele_score, kept.total_score) == (4, 30, 34)
    assert (kept.team, kept.match, kept.scout_name) == ("20", 1, SCOUT.name)


def test_a_correction_keeps_what_the_definition_does_not_ask_with_its_worth():
    event()
    form = stand("20", 1, teleFuel=30, noteOfLastYear=3, total_score=36, tele_score=36, auto_score=0)
    edited(SCOUT, form, scores={"teleFuel": 31, "climbLevel": "none"})
    (kept,) = stored()
    assert kept.scores == {"teleFuel": 31, "climbLevel": "none", "noteOfLastYear": 3}
    assert (kept.auto_score, kept.tele_score, kept.total_score) == (0, 37, 37)


def test_a_correction_leaves_no_crumbs_of_points():
    event()
    form = stand("20", 1, teleFuel=1, tele_score=0.1, total_score=0.1)
    edited(SCOUT, form, scores={"teleFuel": 2})
    edited(SCOUT, stored()[0], scores={"teleFuel": 1})
    assert stored()[0].total_score == 0.1


def test_a_correction_keeps_the_order_of_choices_and_appends_new_ones():
    """The page has them in the order of the game, but the notes were taken one after the other."""
    event()
    play(2024)
    form = forms.submit_stand(SCOUT, fields(scores={"autoMiddleNotes": ["4", "1", "3"]}))
    edited(SCOUT, form, scores={"autoMiddleNotes": ["1", "2", "4"]})
    (kept,) = stored()
    assert kept.scores["autoMiddleNotes"] == ["4", "1", "2"]


def test_a_correction_of_a_pit_form_keeps_the_order_of_choices():
    event()
    form = forms.submit_pit(SCOUT, {"event": KEY, "team": "20", "answers": {"drives": ["b", "a"]}})
    told = {"answers": {"drives": ["a", "b", "c"]}, "photos": []}
    key = pit_forms.key_of(form)
    forms.edit(SCOUT, "pit", key, told, seen_version=form.seen_version)
    assert pit_forms.get(key, strong=True).answers == {"drives": ["b", "a", "c"]}


def test_a_robot_that_did_not_come_scored_nothing():
    event()
    form = stand("20", 1, teleFuel=30, noteOfLastYear=3, total_score=36, tele_score=36)
    told = {"scores": {"teleFuel": 0}, "no_show": True}
    forms.edit(SCOUT, "stand", key_of(form), told, seen_version=form.seen_version)
    assert stored()[0].total_score == 0


def test_a_correction_of_what_somebody_else_has_changed_is_refused():
    event()
    form = forms.submit_stand(SCOUT, fields())
    edited(LEAD, form)
    with pytest.raises(Conflict):
        edited(SCOUT, form)


def test_without_days_of_the_event_a_scout_corrects_for_24_hours_and_a_lead_always():
    event()
    form = stand("20", 1, created_at=now() - timedelta(hours=25))
    with pytest.raises(TooLate):
        edited(SCOUT, form)
    edited(LEAD, form)


def test_somebody_elses_form_does_not_exist_for_a_scout():
    event()
    form = forms.submit_stand(LEAD, fields())
    with pytest.raises(NotFound):
        forms.opened(SCOUT, "stand", key_of(form))
    with pytest.raises(NotFound):
        edited(SCOUT, form)
    assert forms.opened(LEAD, "stand", key_of(form)).id == form.id


def test_leads_delete_a_form_and_bring_it_back():
    event()
    form = forms.submit_stand(SCOUT, fields())
    with pytest.raises(PermissionDenied):
        forms.delete(SCOUT, "stand", key_of(form), seen_version=form.seen_version)
    forms.delete(LEAD, "stand", key_of(form), seen_version=form.seen_version)
    assert stored() == []
    with pytest.raises(PermissionDenied):
        forms.restore(SCOUT, "stand", key_of(form))
    forms.restore(LEAD, "stand", key_of(form))
    assert [kept.id for kept in stored()] == [form.id]


def test_a_former_scout_reads_nothing_any_more():
    event()
    form = forms.submit_stand(SCOUT, fields())
    with pytest.raises(NotFound):
        forms.opened(replace(SCOUT, groups=frozenset()), "stand", key_of(form))
