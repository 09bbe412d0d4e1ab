"""Who asks: a session with CSRF, or a token; never one instead of the other, and never too often."""

import pytest
from django.test import Client

from api import limits
from core.accounts.directory import enter
from core.accounts.user import User
from scouting.forms.repository import comment_forms, stand_forms
from tests.api.programs import Program
from tests.cast import CAST, session_of, sign_in
from tests.core.accounts.issuer import Lies
from tests.scouting import field
from tests.scouting.field import KEY

SENT = {"event": KEY, "teamNumber": "20", "comments": "Fast"}
ADDRESS = "/api/v1/scouting/comment-forms"


@pytest.fixture
def strict(db):
    """A browser whose requests are checked for CSRF."""
    field.event()
    program = Program()
    program.client = Client(enforce_csrf_checks=True)
    return program


def signed_in(program, role="scout"):
    sign_in(program.client, role)
    return program


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_without_credentials_nobody_gets_in(strict, method):
    answer = strict.send(method, ADDRESS + "?scout=me", SENT if method == "POST" else None)
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == 'Bearer realm="fieldhouse"'
    assert answer["Content-Type"] == "application/problem+json"


def test_a_session_reads(strict):
    assert signed_in(strict).get(ADDRESS + "?scout=me").status_code == 200


def test_a_session_writes_only_with_its_csrf_token(strict):
    signed_in(strict)
    assert strict.post(ADDRESS, SENT).status_code == 403
    assert strict.post(ADDRESS, SENT, x_csrftoken="a" * 64).status_code == 403
    page = strict.client.get("/desk/")
    token = page.cookies["__Host-csrf"].value
    assert strict.post(ADDRESS, SENT, x_csrftoken=token).status_code == 201
    assert len(comment_forms.of_team(KEY, "20")) == 1


def test_a_token_writes_without_csrf(strict, token_of):
    strict.headers = {"Authorization": f"Bearer {token_of('scout')}"}
    assert strict.post(ADDRESS, SENT).status_code == 201


def test_a_form_that_is_sent_with_a_token_has_the_name_of_the_directory(strict, token_of):
    scout = CAST["scout"]
    enter(scout.sub, name="Sina Hoffmann", email=scout.email, actor=scout.actor)
    strict.headers = {"Authorization": f"Bearer {token_of('scout')}"}
    assert strict.post(ADDRESS, SENT).json()["usersName"] == "Sina Hoffmann"


def test_somebody_whom_the_directory_does_not_know_has_the_name_of_the_token(strict, token_of):
    strict.headers = {"Authorization": f"Bearer {token_of('scout')}"}
    assert strict.post(ADDRESS, SENT).json()["usersName"] == CAST["scout"].sub


@pytest.mark.parametrize("header", ["Bearer nonsense", "Bearer ", "Basic c2NvdXQ6c2NvdXQ=", "nonsense", ""])
def test_a_bad_token_is_refused_also_beside_a_good_session(strict, header, issuer):
    signed_in(strict, "admin")
    strict.headers = {"Authorization": header}
    for address in (ADDRESS + "?scout=me", "/api/v1/openapi.json"):
        answer = strict.get(address)
        assert answer.status_code == 401
        assert 'error="invalid_token"' in answer["WWW-Authenticate"]
    assert strict.post(ADDRESS, SENT).status_code == 401
    assert comment_forms.of_team(KEY, "20") == []


def test_the_rights_are_those_of_the_token_and_not_of_the_session_beside_it(strict, token_of):
    signed_in(strict, "admin")
    strict.headers = {"Authorization": f"Bearer {token_of('member')}"}
    assert strict.get(ADDRESS + f"?event={KEY}").status_code == 403


def test_a_token_opens_no_page(client, db, token_of):
    answer = client.get("/desk/", headers={"Authorization": f"Bearer {token_of('admin')}"})
    assert (answer.status_code, answer["Location"]) == (302, "/auth/login?next=%2Fdesk%2F")


def test_while_the_keys_of_cognito_cannot_be_read_a_token_is_told_to_wait(strict, settings):
    settings.COGNITO_JWKS_URL = "http://127.0.0.1:9/keys-of-this-test"
    strict.headers = {"Authorization": "Bearer eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.e30.c2ln"}
    answer = strict.get(ADDRESS + "?scout=me")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")


def test_an_expired_token_is_refused(strict, token_of, issuer):
    token_of("scout")
    issuer.lies = Lies(access_claims={"exp": 1_000_000_000})
    strict.headers = {"Authorization": f"Bearer {issuer.access_token()}"}
    assert strict.get(ADDRESS + "?scout=me").status_code == 401


def test_answers_to_a_person_are_kept_nowhere(strict, token_of):
    assert signed_in(strict).get(ADDRESS + "?scout=me")["Cache-Control"] == "no-store"
    strict.headers = {"Authorization": f"Bearer {token_of('scout')}"}
    assert strict.get(ADDRESS + "?scout=me")["Cache-Control"] == "no-store"


@pytest.mark.parametrize(("limiter", "method"), [(limits.READS, "GET"), (limits.WRITES, "POST")])
def test_whoever_asks_too_often_is_told_when_to_come_back(strict, monkeypatch, limiter, method):
    monkeypatch.setattr(limiter._store, "_default", type(limiter._store._default)(2, 60_000))
    signed_in(strict)
    strict.client.handler.enforce_csrf_checks = False
    statuses = [strict.send(method, ADDRESS + "?scout=me", "{}").status_code for _time in range(3)]
    answer = strict.send(method, ADDRESS + "?scout=me", "{}")
    assert statuses == ([200, 200, 429] if method == "GET" else [400, 400, 429])
    assert 0 < int(answer["Retry-After"]) <= 70
    assert signed_in(strict, "admin").send(method, ADDRESS + "?scout=me", "{}").status_code != 429


def test_a_person_without_any_group_is_refused(strict):
    nobody = User.of(sub="nobody", name="Nobody", email="nobody@fieldhouse.example", groups=[])
    strict.client.cookies["__Host-session"] = str(session_of(nobody).session_key)
    answer = strict.get(ADDRESS + "?scout=me")
    assert (answer.status_code, answer.json()["title"]) == (403, "Forbidden")
    assert stand_forms.at(KEY) == []
