"""Comments by the API."""

import pytest

from scouting.forms.repository import comment_forms
from tests.api.programs import pointers
from tests.scouting import field
from tests.scouting.field import KEY, SCOUT

SENT = {"event": KEY, "teamNumber": "254B", "comments": "Fast"}


@pytest.fixture
def scout(program):
    field.event()
    return program("scout")


@pytest.fixture
def lead(program):
    return program("scout-lead")


def test_a_comment_is_stored_and_answered_with_the_fields_of_the_document(scout):
    answer = scout.post("comment-forms", SENT)
    comment = answer.json()
    assert answer.status_code == 201
    assert comment | SENT | {"usersName": SCOUT.name, "entity": "CommentForm"} == comment
    assert scout.get(answer["Location"]).json() == comment
    assert set(comment) == {
        *("key", "id", "entity", "event", "teamNumber", "usersName", "scoutId"),
        *("comments", "createdAt", "updatedAt", "version"),
    }


def test_a_retry_is_answered_with_the_stored_comment_and_another_one_is_a_second(scout):
    first = scout.post("comment-forms", SENT, idempotency_key="once")
    again = scout.post("comment-forms", SENT, idempotency_key="once")
    assert (again.status_code, again.json()) == (200, first.json())
    assert scout.post("comment-forms", SENT | {"comments": "Slow"}, idempotency_key="once").status_code == 422
    assert scout.post("comment-forms", SENT).status_code == 201
    assert len(comment_forms.of_team(KEY, "254B")) == 2


@pytest.mark.parametrize("wrong", ["", " ", "x" * 751, "\x00", 7, None, ["Fast"]])
def test_a_comment_has_a_text(scout, wrong):
    answer = scout.post("comment-forms", SENT | {"comments": wrong})
    assert (answer.status_code, pointers(answer)) == (400, ["/body/comments"])


def test_a_text_that_cannot_be_stored_is_refused(scout):
    assert scout.post("comment-forms", SENT | {"comments": "\ud800"}).status_code == 400


def test_what_a_comment_does_not_have_cannot_be_sent(scout):
    answer = scout.post("comment-forms", SENT | {"scoutId": "somebody-else"})
    assert (answer.status_code, pointers(answer)) == (400, ["/body/scoutId"])


def test_a_comment_is_corrected_by_its_scout_and_deleted_by_a_lead(scout, lead):
    sent = scout.post("comment-forms", SENT)
    changed = scout.patch(sent["Location"], {"comments": "Slow"}, if_match=sent["ETag"])
    assert (changed.status_code, changed.json()["comments"]) == (200, "Slow")
    assert scout.patch(sent["Location"], {"comments": "Late"}, if_match=sent["ETag"]).status_code == 412
    assert scout.delete(sent["Location"]).status_code == 403
    assert lead.delete(sent["Location"], if_match=sent["ETag"]).status_code == 412
    assert lead.delete(sent["Location"], if_match=changed["ETag"]).status_code == 204
    assert comment_forms.of_team(KEY, "254B") == []
