"""The pit form: one of each team, with photos, and corrected instead of sent twice."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from cms.media import storage
from dynamo.items import new_id
from dynamo.metering import metered
from scouting import repository
from scouting.services import settings
from tests.cast import CAST
from tests.media_bucket import photo
from tests.scouting.field import KEY, event, pit

ADDRESS = "/scouting/pit/"
LEAD = CAST["scout-lead"]


def posted(**fields):
    return {"event": KEY, "team": "20", "q_notDo": "Swim", "once": new_id()} | fields


def picture(name, width):
    """Each width is another picture."""
    return SimpleUploadedFile(name, photo(width, 90))


def stored():
    return repository.pit_forms.at(KEY)


def test_what_the_team_told_is_stored_and_what_was_not_asked_is_empty(as_role):
    event()
    response = as_role("scout").post(ADDRESS, posted(q_pickupOtherExplain="With a net"), follow=True)
    assert "The pit form of 20 is saved." in response.content.decode()
    (form,) = stored()
    assert form.answers["notDo"] == "Swim"
    assert form.answers["pickupOtherExplain"] == ""
    assert (form.team, form.scout_name) == ("20", CAST["scout"].name)


def test_opening_costs_three_requests_and_sending_four(as_role):
    event()
    client = as_role("scout")
    settings.active()
    with metered() as usage:
        client.get(f"{ADDRESS}?team=20")
    assert usage.requests <= 3
    with metered() as usage:
        assert client.post(ADDRESS, posted()).status_code == 302
    assert usage.requests <= 4


def test_a_second_one_is_a_409_that_leads_to_the_first(as_role):
    event()
    form = pit("20")
    response = as_role("scout").post(ADDRESS, posted())
    assert response.status_code == 409
    assert "Team 20 has a pit form already" in response.content.decode()
    assert 'id="edit-taken"' in response.content.decode()
    assert [each.id for each in stored()] == [form.id]


def test_whoever_may_not_read_the_first_one_is_not_led_there(as_role):
    event()
    pit("20", scout_id=LEAD.sub, scout_name=LEAD.name)
    text = as_role("scout").post(ADDRESS, posted()).content.decode()
    assert "-taken" not in text.replace("taken-heading", "")
    assert "Ask a scout lead" in text


def test_a_retry_shows_no_error(as_role):
    event()
    told = posted()
    client = as_role("scout")
    assert [client.post(ADDRESS, told).status_code for _attempt in range(2)] == [302, 302]
    assert len(stored()) == 1


@pytest.mark.usefixtures("bucket")
def test_photos_are_kept_and_can_be_taken_away_again(as_role):
    event()
    client = as_role("scout")
    client.post(ADDRESS, posted(photos=[picture("a.jpg", 120), picture("b.jpg", 130)]))
    (form,) = stored()
    assert len(form.photo_ids) == 2
    key = repository.pit_forms.key_of(form)
    page = client.get(reverse("scouting:form", args=["pit", key]))
    assert len(page.context["photos"]) == 2
    told = {
        "version": form.seen_version,
        "kept_photos": [form.photo_ids[1]],
        "photos": [picture("c.jpg", 140)],
    }
    assert client.post(reverse("scouting:form-edit", args=["pit", key]), told).status_code == 302
    (changed,) = stored()
    assert changed.photo_ids[0] == form.photo_ids[1]
    assert len(changed.photo_ids) == 2


@pytest.mark.usefixtures("bucket")
def test_no_photos_are_kept_for_a_form_that_is_refused(as_role):
    event()
    pit("20")
    told = posted(photos=[picture("a.jpg", 120)])
    assert as_role("scout").post(ADDRESS, told).status_code == 409
    assert list(storage.files_in("media")) == []
    too_many = posted(team="101", photos=[picture(f"{n}.jpg", 120 + n) for n in range(5)])
    response = as_role("scout").post(ADDRESS, too_many)
    assert response.status_code == 422
    assert "at most 4 photos" in response.content.decode()
