"""The pit form: one of each team, with photos, and corrected instead of sent twice."""

from datetime import timedelta

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from cms.media import check
from cms.media.repository import media
from core.dynamo.items import new_id
from core.dynamo.metering import metered
from core.media import private_photos
from scouting.forms import photos
from scouting.forms import services as forms
from scouting.forms.repository import pit_forms
from scouting.settings import services as settings
from tests.cast import CAST
from tests.media_bucket import photo
from tests.scouting.field import KEY, event, pit
from tests.seen import version_in

ADDRESS = "/scouting/pit/"
LEAD = CAST["scout-lead"]


def posted(**fields):
    return {"event": KEY, "team": "20", "q_notDo": "Swim", "once": new_id()} | fields


def picture(name, width):
    """Each width is another picture."""
    return SimpleUploadedFile(name, photo(width, 90))


def orphans():
    return check.check(lambda found, _what: found).problems


def place_of(form, screen="form"):
    return reverse(f"scouting:{screen}", args=["pit", pit_forms.key_of(form)])


def stored():
    return pit_forms.at(KEY)


def test_what_the_team_told_is_stored_and_what_was_not_asked_is_empty(as_role):
    event()
    response = as_role("scout").post(ADDRESS, posted(q_pickupOtherExplain="With a net"), follow=True)
    assert "Pit form of 20 saved." in response.content.decode()
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
    assert "Team 20 already has a pit form" in response.content.decode()
    assert 'id="edit-taken"' in response.content.decode()
    assert [each.id for each in stored()] == [form.id]


def test_whoever_may_not_read_the_first_one_is_not_led_there(as_role):
    event()
    pit("20", scout_id=LEAD.sub, scout_name=LEAD.name)
    text = as_role("scout").post(ADDRESS, posted()).content.decode()
    assert "-taken" not in text.replace("taken-heading", "")
    assert "If something is wrong, ask a scout lead or add a comment." in text


def test_a_retry_shows_no_error(as_role):
    event()
    told = posted()
    client = as_role("scout")
    assert [client.post(ADDRESS, told).status_code for _attempt in range(2)] == [302, 302]
    assert len(stored()) == 1


def test_photos_are_kept_and_can_be_taken_away_again(as_role, bucket):
    event()
    client = as_role("scout")
    client.post(ADDRESS, posted(photos=[picture("a.jpg", 120), picture("b.jpg", 130)]))
    (form,) = stored()
    assert [each["name"] for each in form.photos] == ["a.jpg", "b.jpg"]
    assert len(client.get(place_of(form)).context["photos"]) == 2
    told = {
        "version": form.seen_version,
        "kept_photos": [form.photos[1]["s3Key"]],
        "once": new_id(),
    }
    for _attempt in range(2):
        sent = told | {"photos": [picture("c.jpg", 140)]}
        assert client.post(place_of(form, "form-edit"), sent).status_code == 302
    (changed,) = stored()
    assert [each["name"] for each in changed.photos] == ["b.jpg", "c.jpg"]
    assert sorted(bucket.keys()) == sorted(private_photos.keys_of(changed.photos))


def test_photos_are_for_whoever_may_read_the_form_and_not_in_the_library(as_role, bucket):
    event()
    as_role("scout").post(ADDRESS, posted(photos=[picture("a.jpg", 120)]))
    as_role("scout-lead").post(ADDRESS, posted(team="101", photos=[picture("b.jpg", 130)]))
    by_team = {form.team: photos.described(form)[0] for form in stored()}
    own, of_lead = by_team["20"], by_team["101"]
    client = as_role("scout")
    for address in (own.address, own.thumbnail):
        answer = client.get(address)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
    assert client.get(of_lead.address).status_code == 404
    assert client.get(own.address + "x").status_code == 404
    assert as_role("scout-lead").get(own.address).status_code == 200
    assert as_role("member").get(own.address).status_code == 403
    keys = bucket.keys()
    assert {bucket.served(key).status_code for key in keys} == {403}
    assert media.by_age().items == []


def test_photos_of_a_correction_that_was_overtaken_are_not_kept_and_asked_for_again(as_role, bucket):
    event()
    form = pit("20")
    told = {"version": 1, "photos": [picture("a.jpg", 120)], "once": new_id()}
    response = as_role("scout-lead").post(place_of(form, "form-edit"), told)
    assert response.status_code == 409
    assert "Choose the new photos again" in response.content.decode()
    assert bucket.keys() == []


def test_a_photo_that_somebody_took_out_meanwhile_is_their_change_and_no_mistake(as_role, bucket):
    event()
    client = as_role("scout")
    client.post(ADDRESS, posted(photos=[picture("a.jpg", 120)]))
    (form,) = stored()
    seen = {"version": form.seen_version, "kept_photos": [form.photos[0]["s3Key"]]}
    assert client.post(place_of(form, "form-edit"), {"version": form.seen_version}).status_code == 302

    late = client.post(place_of(form, "form-edit"), seen | {"q_notDo": "Swim"})

    assert late.status_code == 409
    assert "This was changed while you were editing it" in late.content.decode()
    mine = {**seen, "q_notDo": "Swim", "version": version_in(late)}
    assert client.post(place_of(form, "form-edit"), mine).status_code == 302
    (changed,) = stored()
    assert (changed.answers["notDo"], changed.photos) == ("Swim", [])


def test_what_is_no_picture_is_refused_without_naming_what_would_be_refused_as_well(as_role, bucket):
    event()
    words = SimpleUploadedFile("a.jpg", b"These are only words.")
    page = as_role("scout").post(ADDRESS, posted(photos=[words])).content.decode()
    assert "This is not a picture. Use a JPEG, PNG, WebP, GIF or HEIC file." in page
    assert "PDF" not in page


def test_a_form_sent_again_keeps_its_photos_once(as_role, bucket):
    event()
    client, told = as_role("scout"), posted()
    for _attempt in range(2):
        assert client.post(ADDRESS, told | {"photos": [picture("a.jpg", 120)]}).status_code == 302
    (form,) = stored()
    assert sorted(bucket.keys()) == sorted(private_photos.keys_of(form.photos))


def test_photos_of_a_deleted_form_wait_for_it_until_it_is_gone(as_role, bucket, monkeypatch):
    monkeypatch.setattr(check, "ORPHAN_AGE", timedelta(0))
    event()
    as_role("scout").post(ADDRESS, posted(photos=[picture("a.jpg", 120)]))
    (form,) = stored()
    key = pit_forms.key_of(form)
    assert orphans() == []
    forms.delete(LEAD, "pit", key, seen_version=form.seen_version)
    assert orphans() == []
    bucket.empty()
    forms.restore(LEAD, "pit", key)
    assert [each.photos for each in stored()] == [form.photos]
    bucket.put(f"{photos.FOLDER}/nobody.jpg", b"x", Metadata={"record": key})
    assert [problem.key for problem in orphans()] == [f"{photos.FOLDER}/nobody.jpg"]


def test_no_photos_are_kept_for_a_form_that_is_refused_and_they_are_asked_for_again(as_role, bucket):
    event()
    pit("20")
    told = posted(photos=[picture("a.jpg", 120)])
    response = as_role("scout").post(ADDRESS, told)
    assert response.status_code == 409
    assert "Choose the new photos again" in response.content.decode()
    assert bucket.keys() == []
    too_many = posted(team="101", photos=[picture(f"{n}.jpg", 120 + n) for n in range(5)])
    response = as_role("scout").post(ADDRESS, too_many)
    assert response.status_code == 422
    assert "at most 4 photos" in response.content.decode()
    assert "Choose the new photos again" in response.content.decode()
    assert "Choose the new photos" not in as_role("scout").post(ADDRESS, posted(team="")).content.decode()
