"""One form that was sent, a comment, and the list of the own ones: who sees, corrects and deletes what."""

from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from core.dynamo.attributes import now
from core.dynamo.items import new_id
from core.dynamo.metering import metered
from scouting.events.event import Alliance, Match
from scouting.forms import services as forms
from scouting.forms.questions import QuestionsForm
from scouting.forms.repository import comment_forms, pit_forms, stand_forms
from scouting.games.definition import AUTO, TIMER, Question
from scouting.settings import services as settings
from tests.scouting.field import KEY, event, exist, pit, stand
from tests.scouting.forms.sent_forms import LEAD, SCOUT, address, correction


def comment(user=SCOUT, text="Fast, but tips over"):
    return forms.submit_comment(user, {"event": KEY, "team": "20", "comments": text})


def test_a_form_tells_its_answers_in_words_and_what_became_of_it(as_role):
    event()
    form = stand("20", 1, teleFuel=30, climbLevel="two", climbPosition="side", intakePosition=["ground"])
    client = as_role("scout")
    settings.active()
    with metered() as usage:
        page = client.get(address(form))
    assert usage.requests <= 4
    told = {part.title: dict(part.answers) for part in page.context["answers"]}
    assert told["Teleop"] == {"Fuel scored": "30", "Picked up from": "Ground"}
    assert told["Endgame"] == {"Climb": "Level 2", "Where": "Side"}
    assert "created it" in page.content.decode()


def test_what_was_not_asked_is_not_told(as_role):
    event()
    form = stand("20", 1, climbLevel="none", climbPosition="", backClimb=False)
    (part,) = as_role("scout").get(address(form)).context["answers"]
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
    forged = correction(form, comments="Forged")
    client = as_role("scout")
    assert client.get(address(form, kind=kind)).status_code == 404
    assert client.get(address(form, "form-edit", kind)).status_code == 404
    assert client.post(address(form, "form-edit", kind), forged).status_code == 404
    assert client.post(address(form, "form-delete", kind), forged).status_code == 403
    assert forms.KINDS[kind].get(forms.KINDS[kind].key_of(form), strong=True).version == form.version
    assert as_role("scout-lead").get(address(form, kind=kind)).status_code == 200
    assert as_role("scout-lead").get(address(form, "form-edit", kind)).status_code == 200


def test_without_days_of_the_event_a_scout_corrects_the_own_form_for_24_hours(as_role):
    event()
    today, earlier = (
        stand(team, 1, created_at=now() - timedelta(hours=hours)) for team, hours in (("20", 23), ("101", 25))
    )
    client = as_role("scout")
    assert client.post(address(today, "form-edit"), correction(today)).status_code == 302
    assert stand_forms.get(stand_forms.key_of(today), strong=True).total_score == 7
    assert client.post(address(earlier, "form-edit"), correction(earlier)).status_code == 403
    assert client.get(address(earlier)).status_code == 200
    assert 'id="edit"' not in client.get(address(earlier)).content.decode()


def test_a_correction_that_was_overtaken_is_a_409_with_both_versions(as_role):
    event()
    form = stand("20", 1, teleFuel=30)
    client = as_role("scout-lead")
    assert client.post(address(form, "form-edit"), correction(form, comments="First")).status_code == 302
    response = client.post(address(form, "form-edit"), correction(form, comments="Second"))
    text = response.content.decode()
    assert response.status_code == 409
    assert "First" in text
    assert "Second" in text
    again = correction(response.context["stored"], comments="Second")
    assert client.post(address(form, "form-edit"), again).status_code == 302


def test_what_the_game_does_not_ask_is_told_and_stays(as_role):
    event()
    form = pit("20", answers={"notDo": "Swim", "wheels": ["Mecanum", "Omni"], "wings": False})
    client = as_role("scout")
    (also,) = [
        part
        for part in client.get(address(form, kind="pit")).context["answers"]
        if part.title == ("Other answers")
    ]
    assert also.answers == [("wheels", "Mecanum, Omni"), ("wings", "No")]
    told = {"version": form.seen_version, "q_notDo": "Fly", "once": new_id()}
    assert client.post(address(form, "form-edit", "pit"), told).status_code == 302
    (kept,) = pit_forms.at(KEY)
    assert kept.answers | {"notDo": "Fly", "wheels": ["Mecanum", "Omni"], "wings": False} == kept.answers


def test_a_choice_that_is_offered_no_more_stays_chosen(as_role):
    event()
    form = stand("20", 1, climbLevel="four", intakePosition=["ground", "roof"])
    page = as_role("scout").get(address(form, "form-edit"))
    assert page.context["form"]["q_climbLevel"].value() == "four"
    assert 'value="four" checked' in page.content.decode()
    told = correction(form, q_climbLevel="four", q_intakePosition=["ground", "roof"])
    assert as_role("scout").post(address(form, "form-edit"), told).status_code == 302
    (kept,) = stand_forms.at(KEY)
    assert (kept.scores["climbLevel"], kept.scores["intakePosition"]) == ("four", ["ground", "roof"])


def test_a_correction_sent_twice_is_made_once(as_role):
    event()
    form = stand("20", 1)
    told = correction(form)
    client = as_role("scout")
    assert [client.post(address(form, "form-edit"), told).status_code for _attempt in range(2)] == [302, 302]


def test_a_lead_deletes_a_form_and_undoes_it_from_the_toast(as_role):
    event()
    form = stand("20", 1)
    client = as_role("scout-lead")
    response = client.post(address(form, "form-delete"), {"version": form.seen_version}, follow=True)
    assert "Form deleted." in response.content.decode()
    assert address(form, "form-restore") in response.content.decode()
    assert stand_forms.at(KEY) == []
    assert client.post(address(form, "form-restore")).status_code == 302
    assert [each.id for each in stand_forms.at(KEY)] == [form.id]


def test_a_form_that_changed_meanwhile_is_not_deleted(as_role):
    event()
    form = stand("20", 1)
    client = as_role("scout-lead")
    page = client.post(address(form, "form-delete"), {"version": 1}, follow=True)
    assert page.redirect_chain == [(address(form), 302)]
    assert [each.level_tag for each in page.context["messages"]] == ["error"]
    assert len(stand_forms.at(KEY)) == 1


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
    assert [form.comments for form in comment_forms.of_team(KEY, "20")] == ["Newer", "Older"]
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
    assert [int(row["form"].match) for row in page.context["rows"]] == list(range(22, 2, -1))
    rest = client.get(f"/scouting/mine/{page.context['next_address']}")
    assert [int(row["form"].match) for row in rest.context["rows"]] == [2, 1]
    assert rest.context["next_address"] == ""
    for kind in ("pit", "comment"):
        rows = client.get(f"/scouting/mine/?kind={kind}").context["rows"]
        assert [row["form"].team for row in rows] == ["20"]
    assert as_role("scout-lead").get("/scouting/mine/?kind=pit").context["rows"] == []


def test_what_is_no_kind_of_form_is_not_there(as_role):
    event()
    client = as_role("scout-lead")
    for screen in ("form", "form-edit"):
        assert client.get(reverse(f"scouting:{screen}", args=["cat", "a"])).status_code == 404
    for screen in ("form-delete", "form-restore"):
        assert client.post(reverse(f"scouting:{screen}", args=["cat", "a"])).status_code == 404


def test_the_page_of_a_stand_form_has_the_video_of_its_match(as_role):
    plan = [Match(1, Alliance(("20", "101", "102")), videos=("abc-1",))]
    event(matches=plan)
    with_video, without = stand("20", 1), stand("20", 2)
    client = as_role("scout")
    settings.active()
    with metered() as usage:
        text = client.get(address(with_video)).content.decode()
    assert usage.requests == 4
    assert "https://www.youtube.com/watch?v=abc-1" in text
    assert "youtube" not in client.get(address(without)).content.decode()


def test_the_page_of_a_stand_form_has_what_the_official_score_says_of_the_robot(as_role):
    robots = {"autoLine": ("Yes", "No", ""), "endGame": ("Parked", "DeepCage", "None")}
    event(matches=[Match(1, Alliance(("20", "101", "102"), 30, robots=robots))])
    client = as_role("scout")
    assert client.get(address(stand("101", 1))).context["official"] == [
        ("Left the line", "No"),
        ("Endgame", "DeepCage"),
    ]
    assert client.get(address(stand("102", 1))).context["official"] == [("Endgame", "None")]
    assert client.get(address(stand("103", 1))).context["official"] == []
    assert 'id="official"' not in client.get(address(stand("20", 2))).content.decode()


def test_leads_see_what_a_team_told_in_the_pit_at_other_events(as_role):
    event()
    exist("2025other")
    here, there = pit("20"), pit("20", key="2025other", scout_name="Noor")
    pit("2053", key="2025other")
    page = as_role("scout-lead").get(address(here, kind="pit"))
    assert [place for _form, place in page.context["elsewhere"]] == [address(there, kind="pit")]
    assert "Noor" in page.content.decode()
    assert as_role("scout").get(address(here, kind="pit")).context["elsewhere"] == []


def test_a_stand_form_has_an_address_by_its_id(as_role):
    event()
    form = stand("20", 1)
    client = as_role("scout")
    assert client.get(f"/scouting/forms/stand/id/{form.id}/")["Location"] == address(form)
    assert client.get("/scouting/forms/stand/id/nothing/").status_code == 404


def test_numbers_that_browsers_read_are_the_same_in_every_language():
    clock = Question("cycle", "Cycle", AUTO, TIMER, most=1500)
    form = QuestionsForm(questions=[clock], initial={"q_cycle": 4.5})
    with translation.override("de"):
        text = render_to_string("scouting/forms/question.html", {"asked": form.asked(clock)})
    assert 'value="4.5" min="0" max="1500"' in text


def test_what_was_not_answered_is_not_told(as_role):
    event()
    form = pit("20", answers={"notDo": "", "idealAuto": "Two rounds"})
    (part,) = as_role("scout-lead").get(address(form, kind="pit")).context["answers"]
    assert [answer for _label, answer in part.answers] == ["Two rounds"]
