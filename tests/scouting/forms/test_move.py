"""A form that is moved to another robot or match, with all that it says and its history."""

import re

from django.utils.html import strip_tags

from core.dynamo.items import new_id
from core.dynamo.metering import metered
from scouting.forms.repository import pit_forms, stand_forms
from scouting.settings import services as settings
from tests.scouting.field import KEY, event, pit, stand
from tests.scouting.forms.sent_forms import LEAD, SCOUT, address, correction


def test_a_lead_moves_a_form_to_the_robot_that_was_meant_with_all_that_it_says(as_role):
    event()
    form = stand("9999", 30, teleFuel=17, comments="Fast", game_year=2026)
    asked = pit("25000", answers={"notDo": "Swim"})
    told = {"match": "3", "team": "frc20", "version": form.seen_version, "once": new_id()}
    lead = as_role("scout-lead")
    for _attempt in range(2):
        page = lead.post(address(form, "form-move"), told, follow=True)
        assert page.context["stored"].sk == "TEAM#20#MATCH#0003"
    (moved,) = stand_forms.at(KEY)
    assert (moved.id, moved.total_score, moved.comments) == (form.id, 17, "Fast")
    assert (moved.scout_id, moved.created_at) == (SCOUT.sub, form.created_at)
    assert "Leandro Sato</strong> moved it here" in page.content.decode()
    page = lead.post(
        address(asked, "form-move", "pit"), {"team": "20", "version": asked.seen_version}, follow=True
    )
    assert [(each.team, each.answers) for each in pit_forms.at(KEY)] == [("20", {"notDo": "Swim"})]


def moved(client, form, kind="stand", **place):
    told = {"version": form.seen_version, "once": new_id()} | place
    page = client.post(address(form, "form-move", kind), told, follow=True)
    return page.context["stored"]


def history_of(page):
    return [strip_tags(sentence) for sentence, _at in page.context["history"]]


def test_a_form_that_was_moved_brings_its_history_along(as_role):
    event()
    form = stand("9999", 30)
    assert as_role("scout").post(address(form, "form-edit"), correction(form)).status_code == 302
    lead = as_role("scout-lead")
    form = stand_forms.get(stand_forms.key_of(form), strong=True)
    form = moved(lead, form, match=3, team="999")
    # Who comes to the place that is free again is not part of it.
    stand("9999", 30, scout_id=LEAD.sub)
    form = moved(lead, form, match=3, team="20")
    told = [
        "Leandro Sato moved it here from 999 in match 3",
        "Leandro Sato moved it here from 9999 in match 30",
        "Sina Hoffmann changed it",
        "Sina Hoffmann created it",
    ]
    settings.active()
    with metered() as usage:
        page = lead.get(address(form))
    assert history_of(page) == told
    assert usage.requests == 6
    form = moved(lead, form, match=3, team="999")
    assert history_of(lead.get(address(form))) == ["Leandro Sato moved it here from 20 in match 3", *told]


def test_a_pit_form_brings_its_history_along_as_well(as_role):
    event()
    lead = as_role("scout-lead")
    form = moved(lead, pit("2500"), "pit", team="20")
    assert history_of(lead.get(address(form, kind="pit"))) == [
        "Leandro Sato moved it here from 2500",
        "Sina Hoffmann created it",
    ]


def test_a_form_of_a_robot_that_has_one_is_moved_beside_it(as_role):
    event()
    form = stand("20", 1, teleFuel=17)
    other = stand("20", 2, scout_id=LEAD.sub, scout_name="Leandro Sato", teleFuel=9)
    lead = as_role("scout-lead")
    told = {"match": 2, "team": "20", "version": form.seen_version, "once": new_id()}
    page = lead.post(address(form, "form-move"), told)
    text = page.content.decode()
    assert page.status_code == 409
    assert f'href="{address(other)}"' in text
    assert 'id="move-further"' in text
    assert '<h2 id="taken-heading" tabindex="-1" autofocus>There is already a form for this robot.' in text
    assert "Leandro Sato sent it" in text
    assert page.context["place"]["match"].value() == "2"
    page = lead.post(address(form, "form-move"), told | {"further": "1"}, follow=True)
    assert page.context["stored"].sk == f"TEAM#20#MATCH#0002#R#{SCOUT.sub}"
    assert [(each.id, each.total_score) for each in stand_forms.at(KEY)] == [
        (other.id, 9),
        (form.id, 17),
    ]


def test_a_form_is_not_moved_beside_one_of_the_same_scout_nor_a_pit_form_beside_another(as_role):
    event()
    form, other = stand("20", 1), stand("20", 2)
    lead = as_role("scout-lead")
    for more in ({}, {"further": "1"}):
        told = {"match": 2, "team": "20", "version": form.seen_version} | more
        page = lead.post(address(form, "form-move"), told)
        text = page.content.decode()
        assert (page.status_code, 'id="move-further"' in text) == (409, False)
        assert f'href="{address(other)}"' in text
    asked, there = pit("2500"), pit("20")
    told = {"team": "20", "version": asked.seen_version, "further": "1"}
    page = lead.post(address(asked, "form-move", "pit"), told)
    text = page.content.decode()
    assert (page.status_code, 'id="move-further"' in text) == (409, False)
    assert f'href="{address(there, kind="pit")}"' in text


def test_a_form_is_not_moved_to_where_there_is_one_nor_by_a_scout(as_role):
    event()
    form, other = stand("20", 1), stand("20", 2)
    told = {"match": 2, "team": "20", "version": form.seen_version}
    page = as_role("scout-lead").post(address(form, "form-move"), told, follow=True)
    assert "There is already a form for this robot." in page.content.decode()
    assert as_role("scout").post(address(form, "form-move"), told | {"match": 3}).status_code == 403
    assert [each.id for each in stand_forms.at(KEY)] == [form.id, other.id]


def test_a_place_that_cannot_be_one_is_refused_as_typed(as_role):
    event()
    form = stand("20", 1)

    page = as_role("scout-lead").post(
        address(form, "form-move"), {"match": 3, "team": "cat", "version": form.seen_version}
    )

    text = page.content.decode()
    assert page.status_code == 422
    assert '<details class="panel" id="move" open>' in text
    assert "Enter a team number" in text
    assert 'value="cat"' in text
    assert [each.id for each in stand_forms.at(KEY)] == [form.id]


def test_a_form_that_changed_meanwhile_is_moved_after_it_was_seen(as_role):
    event()
    form = stand("20", 1)
    lead, told = as_role("scout-lead"), {"match": 3, "team": "20", "version": form.seen_version - 1}

    page = lead.post(address(form, "form-move"), told)

    text = page.content.decode()
    assert page.status_code == 409
    assert "Someone else changed this in the meantime." in text
    assert re.search(r'name="match"[^>]*value="3"', text)
    assert re.search(rf'id="move-form".*?name="version" value="{form.seen_version}"', text, re.DOTALL)
    assert [int(each.match) for each in stand_forms.at(KEY)] == [1]
    lead.post(address(form, "form-move"), told | {"version": form.seen_version})
    assert [int(each.match) for each in stand_forms.at(KEY)] == [3]
