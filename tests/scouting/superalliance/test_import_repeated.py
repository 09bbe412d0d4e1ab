"""`manage.py import_superalliance` again: nothing comes twice, and what was done here stays."""

import pytest

from scouting.forms import services as forms
from scouting.forms.models import StandForm
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from tests.scouting import field
from tests.scouting.field import LEAD
from tests.scouting.superalliance.exports import document, only_form, run, save, stand

pytestmark = pytest.mark.usefixtures("db")


def test_repeating_it_writes_nothing_twice_and_changes_nothing(tmp_path):
    save(tmp_path, "standforms", stand(1), stand(2), stand(3, 2))
    save(tmp_path, "commentforms", document(4, comments="good"), document(5, comments="good"))
    save(tmp_path, "pitforms", document(6, notDo="climb"))
    save(tmp_path, "teamselections", document(7, teams=[{"teamNumber": 20, "columnId": "r1"}]))
    save(tmp_path, "config", {"_id": {"$oid": "0" * 24}, "event": "mndu", "year": 2026})
    run(tmp_path)
    before = sorted((form.sk, form.version) for form in stand_forms.at("2026mndu"))

    assert [line for line in run(tmp_path) if "imported" in line] == []
    assert sorted((form.sk, form.version) for form in stand_forms.at("2026mndu")) == before
    assert len(comment_forms.of_team("2026mndu", "2053")) == 2


def test_a_second_form_of_a_robot_is_a_further_report(tmp_path):
    save(tmp_path, "standforms", stand(2, autoFuel=2), stand(1, autoFuel=1))
    run(tmp_path)

    first, second = stand_forms.of_robot("2026mndu", "2053", 1)
    assert (first.scores["autoFuel"], first.is_further) == (1, False)
    assert (second.scores["autoFuel"], second.is_further) == (2, True)


def test_a_form_that_was_sent_here_stays(tmp_path):
    field.exist("2026mndu")
    field.stand("2053", 1, key="2026mndu", autoFuel=9)
    save(tmp_path, "standforms", stand(1, autoFuel=1))
    run(tmp_path)

    ours, theirs = stand_forms.of_robot("2026mndu", "2053", 1)
    assert (ours.scores["autoFuel"], theirs.scores["autoFuel"], theirs.is_further) == (9, 1, True)


def test_forms_of_an_earlier_import_that_do_not_say_their_game_are_as_they_were_sent(tmp_path):
    save(tmp_path, "standforms", stand(1, event="mndu", year=2026))
    run(tmp_path)
    form = only_form("2026mndu")
    form.update(actions=[StandForm.game_year.remove()])

    assert run(tmp_path) == ["standforms: 1 already there, 1 found again."]


def test_what_was_corrected_here_since_is_no_problem(tmp_path):
    save(tmp_path, "standforms", stand(1, autoFuel=1))
    run(tmp_path)
    stand_forms.update(only_form("2026mndu"), {"comments": "corrected"}, actor=LEAD.actor)

    assert run(tmp_path) == ["standforms: 1 already there, 1 found again, 1 corrected here."]


def test_what_leads_moved_to_another_robot_stays_there_and_is_not_brought_again(tmp_path):
    save(tmp_path, "standforms", stand(1, 202), stand(2, 3))
    save(tmp_path, "pitforms", document(6, notDo="climb"))
    run(tmp_path)
    wrong, right = (form for form in reversed(stand_forms.at("2026mndu")))
    (pit,) = pit_forms.at("2026mndu")
    for kind, form, place in (("stand", wrong, {"team": "20", "match": 20}), ("pit", pit, {"team": "20"})):
        key = forms.KINDS[kind].key_of(form)
        forms.move(LEAD, kind, key, place, seen_version=form.seen_version)

    here = "standforms: 1 corrected here, 1 already there"
    assert run(tmp_path, "--dry-run") == [f"{here}.", "pitforms: 1 corrected here."]
    assert run(tmp_path) == [f"{here}, 1 found again.", "pitforms: 1 corrected here."]
    assert [(form.team, form.match, form.id) for form in stand_forms.at("2026mndu")] == [
        ("20", 20, wrong.id),
        ("2053", 3, right.id),
    ]
    assert [form.team for form in pit_forms.at("2026mndu")] == ["20"]


def test_what_leads_deleted_stays_deleted(tmp_path):
    save(tmp_path, "standforms", stand(1))
    save(tmp_path, "commentforms", document(4, comments="good"))
    run(tmp_path)
    form = only_form("2026mndu")
    stand_forms.delete(form, actor=LEAD.actor)

    assert "standforms: 1 deleted here." in run(tmp_path)
    assert stand_forms.at("2026mndu") == []
