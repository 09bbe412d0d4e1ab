"""Photos of robots by the API: added in two steps by those who may correct the form, and removed."""

from datetime import timedelta
from urllib.parse import quote

import pytest
import requests

from core.dynamo.attributes import now
from core.media.tickets import Ticket
from scouting.forms.repository import pit_forms
from tests.api.programs import Program, pointers
from tests.cast import CAST
from tests.media_bucket import opened, pdf, photo
from tests.scouting import field
from tests.scouting.field import KEY

SENT = {"event": KEY, "teamNumber": "254", "notDo": "Climb"}


@pytest.fixture
def scout(bucket, program):
    field.event()
    return program("scout")


@pytest.fixture
def form(scout):
    """The address of a pit form of the scout."""
    return scout.post("pit-forms", SENT)["Location"]


def sent(program: Program, form: str, data: bytes | None = None) -> str:
    """The ticket of a photo that is in S3."""
    place = program.post(f"{form}/photos/uploads", {"name": "Robot.jpg", "size": 1000}).json()
    file = {"file": photo() if data is None else data}
    assert requests.post(place["url"], data=place["fields"], files=file, timeout=300).status_code == 204
    return str(place["ticket"])


def etag(program: Program, form: str) -> str:
    return str(program.get(f"{form}?strong=true").headers.get("ETag", '"7"'))


def add(program: Program, form: str, ticket: str, version: str = ""):
    """A photo is added to the current version, unless another one is named."""
    return program.post(f"{form}/photos", {"ticket": ticket}, if_match=version or etag(program, form))


def test_a_photo_is_added_and_read_and_the_answers_stay(scout, form, bucket):
    answer = add(scout, form, sent(scout, form))

    assert (answer.status_code, answer["ETag"]) == (200, etag(scout, form))
    assert answer.json()["notDo"] == "Climb"
    (told,) = answer.json()["photos"]
    assert told["title"] == "Robot.jpg"
    picture = scout.get(f"{form}/photos/{told['name']}")
    assert picture["Content-Type"] == "image/jpeg"
    assert opened(picture.content).size == (1600, 1200)
    assert bucket.keys("uploads/") == []
    assert all(key.startswith("private/pits/") for key in bucket.keys("p"))


def test_a_ticket_adds_one_photo_however_often_it_is_sent(scout, form):
    ticket, version = sent(scout, form), etag(scout, form)
    first, again = (add(scout, form, ticket, version) for _time in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert len(pit_forms.at(KEY)[0].photos) == 1


def test_a_form_has_at_most_four(scout, form):
    for _number in range(4):
        assert add(scout, form, sent(scout, form)).status_code == 200
    answer = add(scout, form, sent(scout, form))
    assert (answer.status_code, pointers(answer)) == (400, ["/body/ticket"])


def test_it_names_the_version_that_was_seen(scout, form):
    ticket = sent(scout, form)
    assert scout.post(f"{form}/photos", {"ticket": ticket}).status_code == 428
    assert add(scout, form, ticket, '"777"').status_code == 412
    assert add(scout, form, ticket).status_code == 200


def test_what_is_no_picture_is_refused_and_leaves_nothing(scout, form, bucket):
    for data in (pdf(), b"nothing"):
        assert add(scout, form, sent(scout, form, data)).status_code == 422
    assert bucket.keys() == []
    assert pit_forms.at(KEY)[0].photos == []


def test_a_ticket_is_good_for_its_person_and_its_form(scout, form, program):
    other = scout.post("pit-forms", SENT | {"teamNumber": "20"})["Location"]
    ticket = sent(scout, form)
    library = Ticket(CAST["scout"].sub, "robot.jpg", "media").signed()

    assert add(scout, other, ticket).status_code == 400
    assert add(program("scout-lead"), form, ticket).status_code == 400
    assert add(scout, form, library).status_code == 400
    assert (
        add(scout, form, Ticket(CAST["scout"].sub, "a.jpg", f"private/pits/{KEY}").signed()).status_code
        == 400
    )
    assert scout.post(f"{form}/photos/uploads", {"name": "a.jpg", "size": 26_000_000}).status_code == 200
    assert scout.post(f"{form}/photos/uploads", {"name": "a.jpg", "size": 27_000_000}).status_code == 413


def test_a_photo_is_removed_with_its_files(scout, form, bucket):
    first = add(scout, form, sent(scout, form)).json()["photos"][0]
    add(scout, form, sent(scout, form, photo(99, 99)))
    address = f"{form}/photos/{first['name']}"

    assert scout.delete(address, if_match='"777"').status_code == 412
    assert scout.delete(address, if_match=etag(scout, form)).status_code == 204
    assert scout.delete(address).status_code == 404
    assert scout.get(address).status_code == 404
    (stored,) = pit_forms.at(KEY)
    assert len(stored.photos) == 1
    assert len(bucket.keys()) == len(stored.photos[0]["copies"]) + 1
    assert stored.answers["notDo"] == "Climb"


def test_others_add_and_remove_nothing(scout, form, program, monkeypatch):
    ticket = sent(scout, form)
    name = add(scout, form, ticket).json()["photos"][0]["name"]
    field.pit("101", scout_id="somebody-else")
    other = form.replace(quote("254"), "101")
    for form_address, role, status in ((other, "scout", 404), (form, "member", 403), (form, "guest", 403)):
        answers = [
            program(role).post(f"{form_address}/photos/uploads", {"name": "a.jpg", "size": 9}),
            add(program(role), form_address, ticket),
            program(role).delete(f"{form_address}/photos/{name}"),
        ]
        assert [each.status_code for each in answers] == [status] * 3
    later = now() + timedelta(days=400)
    monkeypatch.setattr("scouting.forms.corrections.now", lambda: later)
    assert scout.delete(f"{form}/photos/{name}").status_code == 403
    assert program("scout-lead").delete(f"{form}/photos/{name}").status_code == 204
