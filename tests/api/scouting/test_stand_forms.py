"""Stand forms by the API: the fields of the document at the top level, the same rules as on the pages."""

import pytest

from core.dynamo.attributes import unwrap
from core.dynamo.connection import connection
from scouting.forms.models import StandForm
from scouting.forms.repository import stand_forms
from tests.api.programs import pointers
from tests.scouting import field
from tests.scouting.field import KEY, LEAD, SCOUT

ANSWERS = {"auto": True, "autoFuel": 4, "teleFuel": 30, "climbLevel": "two"}
SENT = {"event": KEY, "teamNumber": "254B", "matchNumber": 3, "win": True, "rpEarned": 2} | ANSWERS


@pytest.fixture
def scout(program):
    field.event()
    return program("scout")


@pytest.fixture
def lead(program):
    return program("scout-lead")


def test_a_form_is_stored_and_answered_with_the_fields_of_the_document(scout):
    answer = scout.post("stand-forms", SENT)
    form = answer.json()
    assert answer.status_code == 201
    assert form | SENT == form
    assert (form["autoScore"], form["teleScore"], form["totalScore"]) == (4, 50, 54)
    assert (form["usersName"], form["scoutId"], form["entity"]) == (SCOUT.name, SCOUT.sub, "StandForm")
    (stored,) = stand_forms.at(KEY)
    assert (stored.id, stored.team, stored.match) == (form["id"], "254B", 3)
    assert stored.scores | ANSWERS == stored.scores


def test_a_number_without_a_fraction_is_whole_however_it_is_written(scout):
    form = scout.post("stand-forms", SENT | {"matchNumber": 3.0, "autoFuel": 4.0}).json()
    assert (form["matchNumber"], form["autoFuel"]) == (3, 4)
    assert scout.post("stand-forms", SENT | {"matchNumber": 3.5}).status_code == 400


def test_a_form_that_was_made_is_found_at_its_location(scout):
    sent = scout.post("stand-forms", SENT)
    found = scout.get(sent["Location"] + "?strong=true")
    assert found.json() == sent.json()
    assert found["ETag"] == sent["ETag"] == f'"{sent.json()["version"]}"'
    assert scout.get(f"stand-forms/{sent.json()['id']}").json() == sent.json()


def test_a_form_that_another_program_stored_is_told_as_it_is(scout, lead):
    """It has what its document names: answers beside its fields, no version, NULL for what is unknown."""
    stored = {
        "PK": {"S": f"EVENT#{KEY}"},
        "SK": {"S": "TEAM#254#MATCH#3"},
        "GSI1PK": {"S": "TEAM#254"},
        "GSI1SK": {"S": f"EVENT#{KEY}#MATCH#3"},
        "id": {"S": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"},
        "event": {"S": KEY},
        "teamNumber": {"S": "254"},
        "matchNumber": {"N": "3"},
        "usersName": {"S": "Someone"},
        "autoFuel": {"N": "4"},
        "auto": {"BOOL": True},
        "shotPosition": {"NULL": True},
        "totalScore": {"N": "4"},
        "criticals": {"L": [{"S": "Robot Died"}]},
        "createdAt": {"S": "2026-03-05T17:04:12.000Z"},
    }
    connection().dispatch("PutItem", {"TableName": StandForm.Meta.table_name, "Item": stored})
    (form,) = lead.get(f"stand-forms?event={KEY}").json()
    told = {name: unwrap(value) for name, value in stored.items() if not name.isupper() and "GSI" not in name}
    assert form | told == form
    assert {"PK", "SK", "GSI1PK", "GSI1SK"}.isdisjoint(form)
    answer = lead.get(f"stand-forms/{form['key'].replace('#', '%23')}")
    assert (answer.json(), answer["ETag"]) == (form, '"0"')


def test_a_retry_with_the_same_key_is_answered_with_the_stored_form(scout):
    first = scout.post("stand-forms", SENT, idempotency_key="once")
    again = scout.post("stand-forms", SENT, idempotency_key="once")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert again["Location"] == first["Location"]
    assert len(stand_forms.at(KEY)) == 1


def test_a_key_with_another_form_is_refused(scout):
    scout.post("stand-forms", SENT, idempotency_key="once")
    answer = scout.post("stand-forms", SENT | {"matchNumber": 4}, idempotency_key="once")
    assert answer.status_code == 422
    assert len(stand_forms.at(KEY)) == 1


def test_a_second_form_about_a_robot_is_a_conflict_and_a_further_one_of_somebody_else_is_not(scout, lead):
    scout.post("stand-forms", SENT)
    assert scout.post("stand-forms", SENT).status_code == 409
    assert lead.post("stand-forms", SENT).status_code == 409
    assert lead.post("stand-forms?further=true", SENT).status_code == 201
    assert {form.scout_id for form in stand_forms.at(KEY)} == {SCOUT.sub, LEAD.sub}


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"matchNumber": 0}, "/body/matchNumber"),
        ({"matchNumber": "3"}, "/body/matchNumber"),
        ({"teamNumber": "frc254"}, "/body/teamNumber"),
        ({"teamNumber": "25600"}, "/body/teamNumber"),
        ({"event": "2026"}, "/body/event"),
        ({"win": "yes"}, "/body/win"),
        ({"rpEarned": 7}, "/body/rpEarned"),
        ({"strategy": "x" * 751}, "/body/strategy"),
        ({"criticals": ["Alien Abduction"]}, "/body/criticals"),
        ({"autoFuel": "4"}, "/body/autoFuel"),
        ({"autoFuel": True}, "/body/autoFuel"),
        ({"autoFuel": 1000}, "/body/autoFuel"),
        ({"auto": 1}, "/body/auto"),
        ({"climbLevel": "four"}, "/body/climbLevel"),
        ({"intakePosition": "ground"}, "/body/intakePosition"),
        ({"autoFule": 4}, "/body/autoFule"),
    ],
)
def test_each_wrong_field_is_named(scout, wrong, pointer):
    answer = scout.post("stand-forms", SENT | wrong)
    assert (answer.status_code, pointers(answer)) == (400, [pointer])
    assert stand_forms.at(KEY) == []


def test_a_form_of_an_event_that_does_not_exist_is_refused(scout):
    answer = scout.post("stand-forms", SENT | {"event": "2026nope"})
    assert (answer.status_code, pointers(answer)) == (404, ["/body/event"])


def test_a_form_of_another_event_is_refused_while_the_season_is_locked(scout):
    field.exist("2026other")
    field.be_at(KEY, locked=True)
    answer = scout.post("stand-forms", SENT | {"event": "2026other"})
    assert (answer.status_code, pointers(answer)) == (400, ["/body/event"])


@pytest.mark.parametrize(
    "computed",
    [
        {"scoutId": "somebody-else", "usersName": "Somebody Else"},
        {"totalScore": 999, "autoScore": 999},
        {"id": "chosen", "key": "chosen", "version": 1, "createdAt": "2020-01-01T00:00:00.000Z"},
        {"entity": "Config", "gameYear": 2024},
    ],
)
def test_what_the_server_decides_cannot_be_sent(scout, computed):
    form = scout.post("stand-forms", SENT | computed).json()
    assert {name: form[name] for name in computed}.items().isdisjoint(computed.items())


@pytest.mark.parametrize("name", ["PK", "SK", "GSI1PK", "scores", "refs", "scout_id", "movedFrom"])
def test_attributes_of_the_table_cannot_be_sent(scout, name):
    answer = scout.post("stand-forms", SENT | {name: "CONFIG"})
    assert (answer.status_code, pointers(answer)) == (400, [f"/body/{name}"])


def test_a_correction_changes_only_what_was_sent(scout):
    form = scout.post("stand-forms", SENT)
    changed = scout.patch(form["Location"], {"autoFuel": 9, "comments": "Fast"}, if_match=form["ETag"])
    assert changed.status_code == 200
    told = {"autoFuel", "comments", "autoScore", "totalScore", "version", "updatedAt"}
    assert {name for name, value in changed.json().items() if form.json()[name] != value} == told
    assert (changed.json()["autoScore"], changed.json()["totalScore"]) == (9, 59)
    assert changed["ETag"] == f'"{changed.json()["version"]}"'


def test_a_form_may_be_sent_back_as_it_was_read(scout):
    form = scout.post("stand-forms", SENT)
    changed = scout.patch(form["Location"], form.json() | {"autoFuel": 9}, if_match=form["ETag"])
    assert (changed.status_code, changed.json()["autoFuel"]) == (200, 9)


def test_the_place_of_a_form_is_not_changed_by_a_correction(scout):
    form = scout.post("stand-forms", SENT)
    answer = scout.patch(form["Location"], {"matchNumber": 4}, if_match=form["ETag"])
    assert (answer.status_code, pointers(answer)) == (400, ["/body/matchNumber"])


def test_a_correction_needs_the_version_that_was_seen(scout):
    form = scout.post("stand-forms", SENT)
    assert scout.patch(form["Location"], {"autoFuel": 9}).status_code == 428
    assert scout.patch(form["Location"], {"autoFuel": 9}, if_match='"1"').status_code == 412
    assert scout.patch(form["Location"], {"autoFuel": 9}, if_match="W/" + form["ETag"]).status_code == 412
    assert scout.patch(form["Location"], {"autoFuel": 9}, if_match=form["ETag"]).status_code == 200
    assert scout.patch(form["Location"], {"autoFuel": 8}, if_match=form["ETag"]).status_code == 412


def test_a_correction_that_is_sent_twice_is_made_once(scout):
    form = scout.post("stand-forms", SENT)
    sent = {"if_match": form["ETag"], "idempotency_key": "correction"}
    first = scout.patch(form["Location"], {"autoFuel": 9}, **sent)
    again = scout.patch(form["Location"], {"autoFuel": 9}, **sent)
    assert (again.status_code, again.json()) == (200, first.json())


def test_scouts_see_and_correct_their_own_forms_only(scout, lead):
    own = scout.post("stand-forms", SENT)
    other = lead.post("stand-forms", SENT | {"matchNumber": 4})
    assert scout.get(own["Location"]).status_code == 200
    assert scout.get(other["Location"]).status_code == 404
    assert scout.patch(other["Location"], {"autoFuel": 9}, if_match=other["ETag"]).status_code == 404
    assert scout.delete(own["Location"]).status_code == 403
    assert lead.patch(own["Location"], {"autoFuel": 9}, if_match=own["ETag"]).status_code == 200


def test_a_lead_deletes_a_form_once(scout, lead):
    form = scout.post("stand-forms", SENT)
    assert lead.delete(form["Location"], if_match='"1"').status_code == 412
    gone = lead.delete(form["Location"])
    assert (gone.status_code, gone.content) == (204, b"")
    assert lead.delete(form["Location"]).status_code == 404
    assert lead.get(form["Location"]).status_code == 404


def test_a_deleted_form_does_not_come_back_with_a_retry(scout, lead):
    form = scout.post("stand-forms", SENT, idempotency_key="once")
    lead.delete(form["Location"])
    assert scout.post("stand-forms", SENT, idempotency_key="once").status_code == 409
    assert stand_forms.at(KEY) == []


def test_a_form_is_moved_with_all_its_answers_once(scout, lead):
    form = scout.post("stand-forms", SENT)
    place, sent = (
        {"teamNumber": "101", "matchNumber": 4},
        {"if_match": form["ETag"], "idempotency_key": "move"},
    )
    assert scout.post(f"{form['Location']}/move", place, **sent).status_code == 403
    assert lead.post(f"{form['Location']}/move", place, if_match='"1"').status_code == 412
    moved = lead.post(f"{form['Location']}/move", place, **sent)
    again = lead.post(f"{form['Location']}/move", place, **sent)
    assert (moved.status_code, again.status_code) == (200, 200)
    assert moved.json() == again.json() == lead.get(moved["Location"]).json()
    assert moved.json() | SENT | place | {"id": form.json()["id"]} == moved.json()
    assert lead.get(form["Location"]).status_code == 404


def test_a_form_is_not_moved_to_the_place_of_another(scout, lead):
    form = scout.post("stand-forms", SENT)
    scout.post("stand-forms", SENT | {"matchNumber": 4})
    place = {"teamNumber": "254B", "matchNumber": 4}
    assert lead.post(f"{form['Location']}/move", place, if_match=form["ETag"]).status_code == 409


@pytest.mark.parametrize(("question", "answer"), [("climbLevel", "\ud800"), ("teleFuel", 10**400)])
def test_what_is_no_text_and_what_is_beyond_every_number_is_a_400(scout, question, answer):
    refused = scout.post("stand-forms", SENT | {question: answer})
    assert refused.status_code == 400
    assert pointers(refused) == [f"/body/{question}"]
