"""Pit forms by the API: one for each team at an event, with the answers at the top level."""

import pytest

from core.media import storage
from scouting.forms.repository import pit_forms
from scouting.games import definition
from tests.api.programs import pointers
from tests.scouting import field
from tests.scouting.field import KEY, SCOUT

SENT = {"event": KEY, "teamNumber": "254B", "notDo": "Climb", "batterySecured": True}


@pytest.fixture
def scout(program):
    field.event()
    return program("scout")


@pytest.fixture
def lead(program):
    return program("scout-lead")


def test_a_form_is_stored_and_answered_with_the_fields_of_the_document(scout):
    answer = scout.post("pit-forms", SENT)
    assert answer.status_code == 201
    assert answer.json() | SENT == answer.json()
    assert (answer.json()["usersName"], answer.json()["entity"]) == (SCOUT.name, "PitForm")
    (stored,) = pit_forms.at(KEY)
    assert set(stored.answers) == {question.key for question in definition.shipped(2026).pit}
    assert scout.get(answer["Location"]).json() == answer.json()


def test_a_retry_is_answered_with_the_stored_form_and_a_second_form_is_a_conflict(scout, lead):
    first = scout.post("pit-forms", SENT, idempotency_key="once")
    again = scout.post("pit-forms", SENT, idempotency_key="once")
    assert (again.status_code, again.json()) == (200, first.json())
    assert scout.post("pit-forms", SENT).status_code == 409
    assert lead.post("pit-forms", SENT).status_code == 409


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"notDo": True}, "/body/notDo"),
        ({"notDo": "x" * 751}, "/body/notDo"),
        ({"batterySecured": "yes"}, "/body/batterySecured"),
        ({"photos": ["another"], "answers": {}}, "/body/answers"),
        ({"teamNumber": 254}, "/body/teamNumber"),
    ],
)
def test_each_wrong_field_is_named(scout, wrong, pointer):
    answer = scout.post("pit-forms", SENT | wrong)
    assert (answer.status_code, pointers(answer)) == (400, [pointer])


def test_a_correction_changes_only_what_was_sent(scout):
    form = scout.post("pit-forms", SENT)
    changed = scout.patch(form["Location"], {"notDo": "Shoot"}, if_match=form["ETag"])
    assert changed.status_code == 200
    different = {name for name, value in changed.json().items() if form.json()[name] != value}
    assert different == {"notDo", "version", "updatedAt"}
    assert scout.patch(form["Location"], {"notDo": "Turn"}, if_match=form["ETag"]).status_code == 412
    assert scout.patch(form["Location"], {"notDo": "Turn"}).status_code == 428


def test_a_correction_keeps_photos_which_are_told_without_their_place_in_the_bucket(scout):
    photo = {"name": "robot.jpg", "s3Key": "private/pits/a/one.jpg", "smallKey": "private/pits/a/two.jpg"}
    form = field.pit("20", photos=[photo | {"copies": []}])
    address = f"pit-forms/{pit_forms.key_of(form).replace('#', '%23')}"
    changed = scout.patch(address, {"notDo": "Shoot"}, if_match=f'"{form.seen_version}"')
    assert changed.json()["photos"] == [{"name": "a-one.jpg", "title": "robot.jpg"}]
    assert pit_forms.at(KEY)[0].photos == [photo | {"copies": []}]


def test_a_form_is_moved_and_deleted_by_leads(scout, lead):
    form = scout.post("pit-forms", SENT)
    assert scout.delete(form["Location"]).status_code == 403
    moved = lead.post(f"{form['Location']}/move", {"teamNumber": "20"}, if_match=form["ETag"])
    assert (moved.status_code, moved.json()["teamNumber"], moved.json()["notDo"]) == (200, "20", "Climb")
    assert lead.delete(moved["Location"], if_match=moved["ETag"]).status_code == 204
    assert pit_forms.at(KEY) == []


def test_a_photo_of_a_form_is_a_picture_for_who_may_see_the_form(scout, program, monkeypatch):
    photo = {"name": "robot.jpg", "s3Key": "private/pits/a/one.jpg", "smallKey": "private/pits/a/two.webp"}
    form = field.pit("20", photos=[photo | {"copies": []}])
    monkeypatch.setattr(storage, "read", lambda key: key.encode())
    address = f"pit-forms/{pit_forms.key_of(form).replace('#', '%23')}/photos/a-one.jpg"
    answer = scout.get(address)
    assert (answer.content, answer["Content-Type"]) == (b"private/pits/a/one.jpg", "image/jpeg")
    assert program("member").get(address).status_code == 403
    field.pit("101", scout_id="somebody-else", photos=[photo | {"copies": []}])
    assert scout.get(address.replace("TEAM%2320", "TEAM%23101")).status_code == 404


def test_a_photo_that_a_form_does_not_have_is_not_found(scout):
    form = scout.post("pit-forms", SENT)
    assert scout.get(f"{form['Location']}/photos/a-one.jpg").status_code == 404
