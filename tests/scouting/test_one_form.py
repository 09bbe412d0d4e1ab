"""One form that was sent, a comment, and the list of the own ones: who sees, corrects and deletes what."""

from datetime import timedelta

import pytest
from django.urls import reverse

from dynamo.attributes import now
from dynamo.items import new_id
from dynamo.metering import metered
from scouting import repository
from scouting.services import forms, settings
from tests.cast import CAST
from tests.scouting.field import KEY, event, pit, stand

SCOUT, LEAD = CAST["scout"], CAST["scout-lead"]


def at(form, screen="form", kind="stand"):
    return reverse(f"scouting:{screen}", args=[kind, forms.KINDS[kind].key_of(form)])


def comment(user=SCOUT, text="Fast, but tips over"):
    return forms.submit_comment(user, {"event": KEY, "team": "20", "comments": text})


def edited(form, **fields):
    return {"version": form.seen_version, "q_teleFuel": 7, "once": new_id()} | fields


def test_a_form_tells_its_answers_in_words_and_what_became_of_it(as_role):
    event()
    form = stand("20", 1, teleFuel=30, climbLevel="two", climbPosition="side", intakePosition=["ground"])
    client = as_role("scout")
    settings.active()
    with metered() as usage:
        page = client.get(at(form))
    assert usage.requests <= 3
    told = {part.title: dict(part.answers) for part in page.context["told"]}
    assert told["Teleop"] == {"Fuel scored": "30", "Picked up from": "Ground"}
    assert told["Endgame"] == {"Climb": "Level 2", "Where": "Side"}
    assert "created it" in page.content.decode()


def test_what_was_not_asked_is_not_told(as_role):
    event()
    form = stand("20", 1, climbLevel="none", climbPosition="", backClimb=False)
    (part,) = as_role("scout").get(at(form)).context["told"]
    assert part.answers == [("Climb", "None")]


@pytest.mark.parametrize("kind", ["stand", "pit", "comment"])
def test_somebody_elses_form_is_not_there_for_a_scout_and_open_to_a_lead(as_role, kind):
    event()
    by_lead = {"scout_id": LEAD.sub, "scout_name": LEAD.name}
    form = {
        "stand": lambda: stand("20", 1, **by_lead),
        "pit": lambda: pit("20", **by_lead),
        "comment": lambda: comment(LEAD),
    }[kind]()
    forged = edited(form, comments="Forged")
    client = as_role("scout")
    assert client.get(at(form, kind=kind)).status_code == 404
    assert client.get(at(form, "form-edit", kind)).status_code == 404
    assert client.post(at(form, "form-edit", kind), forged).status_code == 404
    assert client.post(at(form, "form-delete", kind), forged).status_code == 403
    assert forms.KINDS[kind].get(forms.KINDS[kind].key_of(form), strong=True).version == form.version
    assert as_role("scout-lead").get(at(form, kind=kind)).status_code == 200
    assert as_role("scout-lead").get(at(form, "form-edit", kind)).status_code == 200


def test_a_scout_corrects_the_own_form_of_today_but_not_an_older_one(as_role):
    event()
    today, earlier = stand("20", 1), stand("101", 1, created_at=now() - timedelta(days=2))
    client = as_role("scout")
    assert client.post(at(today, "form-edit"), edited(today)).status_code == 302
    assert repository.stand_forms.get(repository.stand_forms.key_of(today), strong=True).total_score == 7
    assert client.post(at(earlier, "form-edit"), edited(earlier)).status_code == 403
    assert client.get(at(earlier)).status_code == 200
    assert 'id="edit"' not in client.get(at(earlier)).content.decode()


def test_a_correction_that_was_overtaken_is_a_409_with_both_versions(as_role):
    event()
    form = stand("20", 1, teleFuel=30)
    client = as_role("scout-lead")
    assert client.post(at(form, "form-edit"), edited(form, comments="First")).status_code == 302
    response = client.post(at(form, "form-edit"), edited(form, comments="Second"))
    text = response.content.decode()
    assert response.status_code == 409
    assert "First" in text
    assert "Second" in text
    again = edited(response.context["stored"], comments="Second")
    assert client.post(at(form, "form-edit"), again).status_code == 302


def test_a_correction_sent_twice_is_made_once(as_role):
    event()
    form = stand("20", 1)
    told = edited(form)
    client = as_role("scout")
    assert [client.post(at(form, "form-edit"), told).status_code for _attempt in range(2)] == [302, 302]


def test_a_lead_deletes_a_form_and_undoes_it_from_the_toast(as_role):
    event()
    form = stand("20", 1)
    client = as_role("scout-lead")
    response = client.post(at(form, "form-delete"), {"version": form.seen_version}, follow=True)
    assert "The form was deleted." in response.content.decode()
    assert at(form, "form-restore") in response.content.decode()
    assert repository.stand_forms.at(KEY) == []
    assert client.post(at(form, "form-restore")).status_code == 302
    assert [each.id for each in repository.stand_forms.at(KEY)] == [form.id]


def test_a_form_that_changed_meanwhile_is_not_deleted(as_role):
    event()
    form = stand("20", 1)
    client = as_role("scout-lead")
    assert client.post(at(form, "form-delete"), {"version": 1}).status_code == 302
    assert len(repository.stand_forms.at(KEY)) == 1


def test_a_comment_is_sent_and_stands_first(as_role):
    event()
    comment(text="Older")
    client = as_role("scout")
    settings.active()
    told = {"event": KEY, "team": "20", "comments": "Newer", "once": new_id()}
    with metered() as usage:
        assert client.get("/scouting/comment/").status_code == 200
    assert usage.requests <= 3
    with metered() as usage:
        assert client.post("/scouting/comment/", told).status_code == 302
    assert usage.requests <= 4
    assert client.post("/scouting/comment/", told).status_code == 302
    assert [form.comments for form in repository.comment_forms.of_team(KEY, "20").items] == ["Newer", "Older"]
    assert client.post("/scouting/comment/", told | {"comments": ""}).status_code == 422


def test_my_forms_are_the_own_ones_newest_first_page_by_page(as_role):
    event()
    for match in range(1, 23):
        stand("20", match, created_at=now() + timedelta(seconds=match))
    stand("101", 1, scout_id=LEAD.sub)
    pit("20")
    comment()
    client = as_role("scout")
    with metered() as usage:
        page = client.get("/scouting/mine/")
    assert usage.requests == 2
    assert [int(row.form.match) for row in page.context["rows"]] == list(range(22, 2, -1))
    rest = client.get(f"/scouting/mine/{page.context['next_address']}")
    assert [int(row.form.match) for row in rest.context["rows"]] == [2, 1]
    assert rest.context["next_address"] == ""
    for kind in ("pit", "comment"):
        rows = client.get(f"/scouting/mine/?kind={kind}").context["rows"]
        assert [row.form.team for row in rows] == ["20"]
    assert as_role("scout-lead").get("/scouting/mine/?kind=pit").context["rows"] == []


def test_what_is_no_kind_of_form_is_not_there(as_role):
    event()
    client = as_role("scout-lead")
    for screen in ("form", "form-edit"):
        assert client.get(reverse(f"scouting:{screen}", args=["cat", "a"])).status_code == 404
    for screen in ("form-delete", "form-restore"):
        assert client.post(reverse(f"scouting:{screen}", args=["cat", "a"])).status_code == 404
