"""The page of the stand form: what it shows, what sending it answers, and what that costs."""

import json

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.urls import reverse

from core.accounts.user import User
from core.dynamo.metering import metered
from scouting.events import services as events
from scouting.events.repository import event_infos
from scouting.forms import services as forms
from scouting.forms.limits import SENDING
from scouting.forms.repository import stand_forms
from scouting.forms.views import submit
from scouting.settings import services as settings
from scouting.settings.models import NO_LOCK
from scouting.settings.repository import stored_settings
from tests.cast import session_of
from tests.racing import at_once
from tests.scale.partition_meter import metered_partitions
from tests.scouting.field import KEY, be_at, event, exist, have_shards, stand
from tests.scouting.forms.sent_forms import ADDRESS, LEAD, SCOUT, posted, stored


def form_in(page):
    """The form of the page itself: the first blank form in a process is rendered apart, before it."""
    return [each["form"] for each in page.context if "form" in each][-1]


def test_the_page_has_all_that_it_needs_until_it_is_sent(as_role):
    field = event()
    stand("20", 3)
    response = as_role("scout").get(ADDRESS)
    assert response.status_code == 200
    data = json.loads(response.context["data"])
    assert data["matches"]["1"] == {
        "red": list(field.matches[0].red.teams),
        "blue": [*field.matches[0].blue.teams],
    }
    assert data["done"] == {"3": ["20"]}
    assert data["teams"]["254B"] == "Robots 254B"
    assert [question["key"] for question in data["questions"]][:3] == ["auto", "autoFuel", "autoClimb"]


def test_opening_costs_three_requests_and_sending_four(as_role):
    event()
    have_shards(KEY)
    client = as_role("scout")
    settings.active()
    with metered() as usage:
        client.get(ADDRESS)
    assert usage.requests <= 3
    with metered() as usage:
        assert client.post(ADDRESS, posted()).status_code == 302
    assert usage.requests <= 4


def test_sending_costs_eleven_write_units(as_role):
    """The form and its four indexes, its guard, the count of its event, and the limit of its scout."""
    event()
    have_shards(KEY)
    client = as_role("scout")
    settings.active()
    with metered_partitions() as usage:
        assert client.post(ADDRESS, posted()).status_code == 302
    assert usage.told_writes == 2 + 4 + 2 + 2 + 1


def test_after_sending_comes_the_next_match(as_role):
    event()
    client = as_role("scout")
    response = client.post(ADDRESS, posted(match=4), follow=True)
    assert response.redirect_chain == [(f"{ADDRESS}?event={KEY}&after=4&sent=20", 302)]
    assert form_in(response)["match"].value() == 5
    text = response.content.decode()
    assert "Next robot" in text
    assert "Sent: 20 in match 4, score 34." in text


def test_after_the_last_match_the_form_says_so(as_role):
    event(matches=4)
    page = as_role("scout").post(ADDRESS, posted(match=4), follow=True)
    text = page.content.decode()
    assert form_in(page)["match"].value() is None
    assert "That was the last match." in text
    assert "Next robot" not in text
    assert "That was the last match." not in as_role("scout").get(f"{ADDRESS}?match=3").content.decode()


def test_whoever_comes_back_begins_after_the_own_last_match_and_somebody_new_with_the_first_open_one(as_role):
    field = event(played=2)
    for team in field.matches[2].teams:
        stand(team, 3, scout_id="someone")
    assert form_in(as_role("scout").get(ADDRESS))["match"].value() == 4
    stand(field.matches[7].teams[0], 8)
    assert form_in(as_role("scout").get(ADDRESS))["match"].value() == 9


def test_the_same_form_sent_again_is_answered_like_the_first_time(as_role):
    event()
    client = as_role("scout")
    told = posted()
    answers = [client.post(ADDRESS, told) for _attempt in range(2)]
    assert [(answer.status_code, answer["Location"]) for answer in answers] == [
        (302, f"{ADDRESS}?event={KEY}&after=1&sent=20")
    ] * 2
    assert len(stored()) == 1


def signed_in(name):
    client = Client(raise_request_exception=False)
    scout = User.of(sub=f"{name}-sub", name=name, email="", groups=["scout"])
    client.cookies[django_settings.SESSION_COOKIE_NAME] = str(session_of(scout).session_key)
    return client


def test_six_scouts_who_tap_twice_at_the_same_moment_have_six_forms_and_see_no_error(db):
    teams = event().matches[0].teams
    told = [posted(team=team) for team in teams]
    settings.active()
    taps = [(signed_in(f"Scout {place}"), told[place]) for _tap in range(2) for place in range(6)]
    answers = at_once(lambda number: taps[number][0].post(ADDRESS, taps[number][1], follow=True), 12)
    assert [answer.status_code for answer in answers] == [200] * 12
    for answer, (_client, form) in zip(answers, taps, strict=True):
        assert answer.redirect_chain == [(f"{ADDRESS}?event={KEY}&after=1&sent={form['team']}", 302)]
        assert f"Sent: {form['team']} in match 1, score 34." in answer.content.decode()
    assert [(form.team, form.is_further) for form in stored()] == [(team, False) for team in sorted(teams)]


def test_a_further_report_that_is_sent_from_two_pages_at_once_is_kept_once(db):
    event()
    stand("20", 1, scout_id=LEAD.sub)
    settings.active()
    pages = [signed_in("Noor") for _page in range(6)]
    answers = at_once(lambda number: pages[number].post(ADDRESS, posted(further="1")).status_code, 6)
    assert sorted(answers) == [302, 409, 409, 409, 409, 409]
    assert [(form.is_further, form.scout_id) for form in stored()] == [(False, LEAD.sub), (True, "Noor-sub")]


def test_a_robot_with_a_form_is_a_409_that_shows_it_and_lets_keep_mine_beside_it(as_role):
    event()
    stand("20", 1, teleFuel=17, scout_id=LEAD.sub, scout_name=LEAD.name)
    client = as_role("scout")
    response = client.post(ADDRESS, posted(comments="Mine"))
    text = response.content.decode()
    assert response.status_code == 409
    assert "There is already a form for 20 in match 1" in text
    assert LEAD.name in text
    assert "Mine" in text
    assert 'value="30"' in text
    assert client.post(ADDRESS, posted(comments="Mine", further="1")).status_code == 302
    assert [(form.is_further, form.comments) for form in stored()] == [(False, ""), (True, "Mine")]


def test_the_answers_of_that_form_are_shown_to_leads_only(as_role):
    event()
    stand("20", 1, teleFuel=17, scout_id="someone", scout_name="Some Body")
    told_scout = as_role("scout").post(ADDRESS, posted())
    assert told_scout.context["taken_answers"] == []
    assert "score of 17" in told_scout.content.decode()
    assert 'id="taken-more"' not in told_scout.content.decode()
    told_lead = as_role("scout-lead").post(ADDRESS, posted())
    assert ("Fuel scored", "17") in told_lead.context["taken_answers"][0].answers
    assert 'id="taken-more"' in told_lead.content.decode()


def test_the_own_form_is_corrected_instead_of_sent_again(as_role):
    event()
    form = stand("20", 1)
    text = as_role("scout").post(ADDRESS, posted()).content.decode()
    address = reverse("scouting:form-edit", args=["stand", stand_forms.key_of(form)])
    assert f'href="{address}"' in text
    assert 'id="keep-further"' not in text


def test_a_team_that_was_not_in_that_match_is_asked_about_after_sending(as_role):
    (first,) = event(matches=1).matches
    client = as_role("scout")
    page = client.post(ADDRESS, posted(team="9999"), follow=True)
    assert "Team 9999 is not in match 1." in page.content.decode()
    page = client.post(ADDRESS, posted(team=first.teams[0]), follow=True)
    assert 'id="doubt"' not in page.content.decode()


def test_a_missing_robot_of_the_coverage_board_has_its_form_begun(as_role):
    first = event(played=1).matches[0]
    done, missing = first.teams[0], first.teams[1]
    form = stand(done, 1)
    stand("20", 3)
    client = as_role("scout")
    board = client.get("/scouting/coverage/").context["lines"]
    robots = {robot.place.team: robot for robot in board[0].robots}
    page = client.get(robots[missing].address)
    assert (form_in(page)["match"].value(), form_in(page)["team"].value()) == (1, missing)
    assert "Next robot" not in page.content.decode()
    assert client.get(robots[done].address).context["stored"].id == form.id


def test_on_the_coverage_board_scouts_are_led_to_their_own_forms_only(as_role):
    team = event(played=1).matches[0].teams[0]
    stand(team, 1, scout_id=LEAD.sub)
    robot = as_role("scout").get("/scouting/coverage/").context["lines"][0].robots[0]
    assert (robot.place.team, robot.address) == (team, "")


def test_nonsense_in_the_address_is_left_out(as_role):
    event()
    page = as_role("scout").get(f"{ADDRESS}?match=4711&team=cat&after=x&sent=cat")
    assert (form_in(page)["match"].value(), form_in(page)["team"].value()) == (1, "")


def test_what_is_wrong_is_told_with_what_was_typed(as_role):
    event()
    response = as_role("scout").post(ADDRESS, posted(team="", q_teleFuel="601"))
    assert response.status_code == 422
    assert set(form_in(response).errors) == {"team", "q_teleFuel"}
    assert 'value="601"' in response.content.decode()
    assert "At most 600." in response.content.decode()
    assert stored() == []


def test_a_form_opened_before_the_event_was_locked_is_refused_with_what_was_typed(as_role):
    event()
    be_at(KEY, locked=True)
    exist("2026other")
    response = as_role("scout").post(ADDRESS, posted(event="2026other", comments="Typed"))
    assert response.status_code == 422
    assert "You can send forms for 2026fhtest only" in response.content.decode()
    assert "Typed" in response.content.decode()
    assert [each.event for each in response.context["other_events"]] == [KEY]
    assert "locked by a scout lead" not in response.content.decode()
    page = as_role("scout").get(f"{ADDRESS}?event=2026other")
    assert page.context["event"].key == KEY
    assert "locked by a scout lead" in page.content.decode()


@pytest.mark.parametrize("form", ["stand", "pit", "comment"])
def test_the_form_of_an_event_that_does_not_exist_leads_to_those_that_do(as_role, form):
    event()
    page = as_role("scout").get(f"/scouting/{form}/?event=2026zzzz")
    assert page.status_code == 404
    text = page.content.decode()
    assert "This event does not exist or was deleted. Choose an event from the list." in text
    assert f'href="?event={KEY}"' in text
    assert as_role("scout").get(f"/scouting/{form}/?event={KEY}").status_code == 200


def test_an_analysis_of_an_event_that_does_not_exist_leads_to_those_that_do(as_role):
    event()
    for screen in ("analysis/", "coverage/", "selection/", "teams/20/"):
        page = as_role("scout-lead").get(f"/scouting/{screen}?event=2026zzzz")
        assert page.status_code == 404
        assert f'href="?event={KEY}"' in page.content.decode()


def test_whoever_comes_to_the_event_at_which_we_were_until_it_was_deleted_chooses_another(as_role):
    event()
    exist("2026other")
    settings.active()
    # As another process does it: this one still believes that we are there.
    for there in stored_settings.all():
        stored_settings.update(there, {"event": NO_LOCK}, actor=LEAD.actor)
    events.delete(LEAD, KEY, seen_version=event_infos.parts(KEY).info.seen_version)
    page = as_role("scout").get(ADDRESS)
    assert page.status_code == 404
    assert 'href="?event=2026other"' in page.content.decode()
    assert "Which event are you at?" in as_role("scout").get(ADDRESS).content.decode()


@pytest.mark.parametrize(
    ("form", "more"),
    [
        ("stand", {"match": 3, "q_autoFuel": 4, "comments": "Typed"}),
        ("pit", {"q_notDo": "Typed"}),
        ("comment", {"comments": "Typed"}),
    ],
)
def test_a_form_whose_event_was_deleted_keeps_what_was_typed_and_is_sent_to_another(as_role, form, more):
    event()
    told = {"event": "2026gone", "team": "20", **more}
    client = as_role("scout")
    page = client.post(f"/scouting/{form}/", told | {"once": "first"}, headers={"HX-Request": "true"})
    # HTMX shows the form again for this status only.
    assert page.status_code == 422
    text = page.content.decode()
    assert "This event does not exist or was deleted. Choose another one." in text
    assert "Typed" in text
    assert f'<option value="{KEY}" selected>Fieldhouse Test ({KEY})</option>' in text
    assert 'name="event" value=' not in text
    assert client.post(f"/scouting/{form}/", told | {"event": KEY, "once": "again"}).status_code == 302
    assert len(forms.KINDS[form].by_scout(SCOUT.sub).items) == 1


def test_without_an_event_one_is_chosen_first(as_role):
    event()
    for item in stored_settings.all():
        stored_settings.delete(item, actor=LEAD.actor)
    settings.forget()
    page = as_role("scout").get(ADDRESS)
    assert f'href="?event={KEY}"' in page.content.decode()
    assert as_role("scout").get(f"{ADDRESS}?event={KEY}").context["event"].name == "Fieldhouse Test"


def test_an_event_that_nobody_has_described_takes_any_team(as_role):
    exist(KEY)
    be_at(KEY)
    client = as_role("scout")
    assert client.get(ADDRESS).status_code == 200
    assert client.post(ADDRESS, posted(team="254b", match=77)).status_code == 302
    assert stored()[0].team == "254B"


def test_only_scouts_come_here(as_role):
    event()
    assert as_role("member").get(ADDRESS).status_code == 403
    assert as_role("member").post(ADDRESS, posted()).status_code == 403
    assert stored() == []


def test_too_many_forms_in_a_minute_are_refused_with_what_was_typed(as_role, monkeypatch):
    event()
    monkeypatch.setattr(submit, "SENDING", type(SENDING)("test-sending", limit=1, seconds=60))
    client = as_role("scout")
    client.post(ADDRESS, posted())
    response = client.post(ADDRESS, posted(match=2, comments="Typed"))
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert "Typed" in response.content.decode()


def test_a_page_that_came_back_and_was_changed_is_asked_about_and_can_be_sent_again(as_role):
    event()
    client = as_role("scout")
    client.post(ADDRESS, posted(once="kept"))
    response = client.post(ADDRESS, posted(once="kept", match=2))
    assert response.status_code == 422
    assert "You have already sent this form with other answers." in response.content.decode()
    assert client.post(ADDRESS, posted(match=2)).status_code == 302


def test_another_event_is_chosen_from_all_unless_one_is_locked(as_role):
    event()
    assert "Which event are you at?" in as_role("scout").get(f"{ADDRESS}?choose=event").content.decode()
    be_at(KEY, locked=True)
    assert as_role("scout").get(f"{ADDRESS}?choose=event").context["event"].key == KEY
