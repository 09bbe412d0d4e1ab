"""Every 15 minutes Cognito is asked whether a person may still come in, and with which groups."""

import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from core.accounts import cognito, directory, sessions
from core.accounts.oidc import SignInRefused, SignInUnavailable
from core.accounts.repository import people
from core.accounts.user import User
from core.dynamo import metering
from core.dynamo.errors import Unavailable
from core.stores.models import StoreItem
from tests.core.accounts.issuer import ABSENT, PERSON, Issuer, Lies, new_key
from tests.core.accounts.signing_in import kept_user, session, sessions_with_a_person, sign_in_through, start
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")

QUARTER = 15 * 60


class Clock:
    def __init__(self) -> None:
        self.moment = time.time()

    def time(self) -> float:
        return self.moment

    def pass_seconds(self, seconds: float) -> None:
        self.moment += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time of renewals stands still until the test lets it pass."""
    clock = Clock()
    monkeypatch.setattr(sessions, "time", clock)
    return clock


@pytest.fixture
def signed_in(client: Client, issuer: Issuer, clock: Clock) -> Client:
    sign_in_through(issuer, client)
    issuer.requests.clear()
    return client


@pytest.fixture
def groups_by_api(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Cognito's administration API answers, where a token tells no groups."""
    groups: list[str] = []

    def call(operation: str, **arguments: Any) -> dict[str, Any]:
        assert (operation, arguments["Username"]) == ("admin_list_groups_for_user", PERSON["sub"])
        return {"Groups": [{"GroupName": group} for group in groups]}

    monkeypatch.setattr(cognito, "call", call)
    return groups


def groups_of(client: Client) -> list[str]:
    response = client.get("/desk/")
    assert response.status_code == 200
    user: Any = response.wsgi_request.user
    return sorted(user.groups)


def session_requests(meter: metering.Meter) -> list[str]:
    return [call.operation for call in meter.calls if call.table == StoreItem.Meta.table_name]


def test_within_15_minutes_cognito_is_not_asked(signed_in: Client, issuer: Issuer, clock: Clock) -> None:
    issuer.person["cognito:groups"] = ["admin"]
    clock.pass_seconds(QUARTER - 1)

    with metering.metered() as meter:
        assert groups_of(signed_in) == ["official"]
    assert issuer.requests == []
    assert session_requests(meter) == ["GetItem"]


def test_after_15_minutes_the_groups_are_new(signed_in: Client, issuer: Issuer, clock: Clock) -> None:
    issuer.person["cognito:groups"] = ["admin", "scout"]
    clock.pass_seconds(QUARTER)

    assert groups_of(signed_in) == ["admin", "scout"]
    assert issuer.requests == ["/oauth2/token"]


def test_a_group_that_was_taken_away_has_no_effect_any_more(
    signed_in: Client, issuer: Issuer, clock: Clock, groups_by_api: list[str]
) -> None:
    issuer.person["cognito:groups"] = []
    clock.pass_seconds(QUARTER)

    assert groups_of(signed_in) == []
    assert kept_user(signed_in)["groups"] == []


def test_groups_that_a_renewed_token_leaves_out_are_asked_for(
    signed_in: Client, issuer: Issuer, clock: Clock, groups_by_api: list[str]
) -> None:
    issuer.lies = Lies(id_claims={"cognito:groups": ABSENT})
    groups_by_api.append("steward")
    clock.pass_seconds(QUARTER)

    assert groups_of(signed_in) == ["steward"]


def test_one_renewal_lasts_for_15_minutes_more(signed_in: Client, issuer: Issuer, clock: Clock) -> None:
    for _number in range(3):
        clock.pass_seconds(QUARTER)
        groups_of(signed_in)
        groups_of(signed_in)

    assert issuer.requests == ["/oauth2/token"] * 3


def test_a_renewal_costs_two_saves(signed_in: Client, clock: Clock) -> None:
    clock.pass_seconds(QUARTER)

    with metering.metered() as meter:
        groups_of(signed_in)
    assert session_requests(meter) == ["GetItem", "UpdateItem", "UpdateItem"]


def test_the_session_key_stays_the_same(signed_in: Client, clock: Clock) -> None:
    key = signed_in.cookies[settings.SESSION_COOKIE_NAME].value
    clock.pass_seconds(QUARTER)
    groups_of(signed_in)

    assert signed_in.cookies[settings.SESSION_COOKIE_NAME].value == key


def test_a_new_name_is_shown_but_a_new_address_waits_for_the_next_sign_in(
    signed_in: Client, issuer: Issuer, clock: Clock
) -> None:
    issuer.person |= {"name": "Odile Keller", "email": "other@fieldhouse.example", "email_verified": False}
    clock.pass_seconds(QUARTER)
    groups_of(signed_in)

    assert kept_user(signed_in)["name"] == "Odile Keller"
    assert kept_user(signed_in)["email"] == "odile@fieldhouse.example"


def test_a_new_name_is_in_the_directory_after_15_minutes_and_an_address_is_not(
    signed_in: Client, issuer: Issuer, clock: Clock
) -> None:
    issuer.person |= {"name": "Odile Ärmel", "email": "odile@new.example"}
    clock.pass_seconds(QUARTER)
    signed_in.get("/desk/")

    entered = people.get(PERSON["sub"], strong=True)
    assert (entered.name, entered.email) == ("Odile Ärmel", PERSON["email"])


def test_a_directory_that_cannot_be_written_signs_nobody_out(
    signed_in: Client, issuer: Issuer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_user: User) -> None:
        raise Unavailable

    monkeypatch.setattr(directory, "enter_name", fail)
    issuer.person["name"] = "Odile Ärmel"
    clock.pass_seconds(QUARTER)

    assert "Odile Ärmel" in signed_in.get("/desk/").content.decode()


def test_a_rotated_refresh_token_is_used_the_next_time(
    signed_in: Client, issuer: Issuer, clock: Clock
) -> None:
    first = session(signed_in)["refresh_token"]
    issuer._refresh_tokens.add("second")
    issuer.lies = Lies(answer={"refresh_token": "second"})
    clock.pass_seconds(QUARTER)
    groups_of(signed_in)
    issuer.revoked.append(first)
    clock.pass_seconds(QUARTER)

    assert groups_of(signed_in) == ["official"]
    assert session(signed_in)["refresh_token"] == "second"


def test_of_many_requests_at_once_one_renews_and_nobody_is_signed_out(
    signed_in: Client, issuer: Issuer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With rotation a refresh token is good for one use: a second one is refused as if it were stolen."""
    answer_once = threading.Lock()
    tokens = issuer.tokens

    def rotating(form: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        with answer_once:
            status, answer = tokens(form)
            if status == 200:
                issuer.revoked.append(form["refresh_token"])
                answer["refresh_token"] = f"{form['refresh_token']}+"
                issuer._refresh_tokens.add(answer["refresh_token"])
            return status, answer

    monkeypatch.setattr(issuer, "tokens", rotating)
    key = signed_in.cookies[settings.SESSION_COOKIE_NAME].value
    clock.pass_seconds(QUARTER)

    def ask(_number: int) -> int:
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = key
        return client.get("/desk/").status_code

    assert at_once(ask, 6) == [200] * 6
    assert issuer.requests == ["/oauth2/token"]
    clock.pass_seconds(QUARTER)
    assert groups_of(signed_in) == ["official"]


# --- People who may no longer come in


def assert_ended(client: Client) -> None:
    response = client.get("/desk/")
    assert response.status_code == 302
    assert response["Location"] == "/auth/login?next=%2Fdesk%2F"
    assert sessions_with_a_person() == []


def test_a_disabled_or_signed_out_persons_session_ends(
    signed_in: Client, issuer: Issuer, clock: Clock
) -> None:
    issuer.revoked.append(session(signed_in)["refresh_token"])
    clock.pass_seconds(QUARTER - 1)
    groups_of(signed_in)
    clock.pass_seconds(1)

    assert_ended(signed_in)


def test_a_deleted_persons_session_ends(
    signed_in: Client, issuer: Issuer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def call(operation: str, **arguments: Any) -> None:
        raise SignInRefused

    monkeypatch.setattr(cognito, "call", call)
    issuer.lies = Lies(id_claims={"cognito:groups": ABSENT})
    clock.pass_seconds(QUARTER)

    assert_ended(signed_in)


def test_a_session_without_refresh_token_ends_after_15_minutes(
    client: Client, issuer: Issuer, clock: Clock
) -> None:
    issuer.lies = Lies(answer={"refresh_token": ABSENT})
    sign_in_through(issuer, client)
    assert groups_of(client) == ["official"]
    clock.pass_seconds(QUARTER)

    assert_ended(client)


NOW = int(time.time())
LIES = {
    "another person": lambda: Lies(id_claims={"sub": "another"}),
    "another client": lambda: Lies(id_claims={"aud": "another"}),
    "another issuer": lambda: Lies(id_claims={"iss": "https://evil.example"}),
    "expired": lambda: Lies(id_claims={"exp": NOW - 7200}),
    "an access token": lambda: Lies(id_claims={"token_use": "access"}),
    "no ID token": lambda: Lies(answer={"id_token": ABSENT}),
    "not signed": lambda: Lies(algorithm="none"),
    "forged": lambda: Lies(key=new_key()),
    "groups that are no texts": lambda: Lies(id_claims={"cognito:groups": [{}]}),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_a_renewed_token_is_checked_like_the_first(
    signed_in: Client, issuer: Issuer, clock: Clock, lie: Any
) -> None:
    issuer.lies = lie()
    clock.pass_seconds(QUARTER)

    assert_ended(signed_in)


def test_a_form_sent_when_the_session_is_refused_is_kept(
    signed_in: Client, issuer: Issuer, clock: Clock
) -> None:
    issuer.revoked.append(session(signed_in)["refresh_token"])
    clock.pass_seconds(QUARTER)
    response = signed_in.post("/desk/", {"title": "typed"}, headers={"Origin": "http://testserver"})

    assert response.status_code == 401
    assert 'value="typed"' in response.content.decode()


# --- Cognito is down


@pytest.mark.parametrize("trouble", ["down", "hung", "429", "500", "moved away"])
def test_signed_in_people_keep_working_and_cognito_is_asked_again_after_a_minute(
    signed_in: Client, issuer: Issuer, clock: Clock, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.pass_seconds(QUARTER)
    issuer.person["cognito:groups"] = ["admin"]
    with monkeypatch.context() as patched:
        match trouble:
            case "down":
                with issuer.down():
                    assert groups_of(signed_in) == ["official"]
            case "hung":
                with issuer.hung():
                    assert groups_of(signed_in) == ["official"]
            case "moved away":
                patched.setattr(issuer, "_post", lambda path, form: (200, "/elsewhere"))
                assert groups_of(signed_in) == ["official"]
            case status:
                patched.setattr(issuer, "_post", lambda path, form: (int(status), {"message": "no"}))
                assert groups_of(signed_in) == ["official"]

    issuer.requests.clear()
    clock.pass_seconds(59)
    assert groups_of(signed_in) == ["official"]
    assert issuer.requests == []
    clock.pass_seconds(1)
    assert groups_of(signed_in) == ["admin"]


def test_an_administration_api_that_is_down_changes_nothing(
    signed_in: Client, issuer: Issuer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def call(operation: str, **arguments: Any) -> None:
        raise SignInUnavailable

    monkeypatch.setattr(cognito, "call", call)
    issuer.lies = Lies(id_claims={"cognito:groups": ABSENT})
    clock.pass_seconds(QUARTER)

    assert groups_of(signed_in) == ["official"]


def test_the_login_says_in_plain_words_that_cognito_does_not_answer(client: Client, issuer: Issuer) -> None:
    with issuer.down():
        response = client.get("/auth/login?next=/news")
    page = response.content.decode()

    assert response.status_code == 503
    assert response["Retry-After"] == "30"
    assert "You cannot sign in right now" in page
    assert "the sign-in service is not responding" in page
    assert "If you are already signed in, you can keep working" in page
    assert 'href="/auth/login?next=/news"' in page

    start(client)


def test_the_callback_says_so_too_and_the_next_attempt_works(client: Client, issuer: Issuer) -> None:
    callback = issuer.authorize(start(client, "/news"))
    with issuer.down():
        response = client.get(callback)

    assert (response.status_code, response["Retry-After"]) == (503, "30")
    assert "the sign-in service is not responding" in response.content.decode()
    assert 'href="/auth/login?next=/news"' in response.content.decode(), "the callback itself works only once"
    assert sessions_with_a_person() == []
    assert sign_in_through(issuer, client).status_code == 302


def test_a_login_that_hangs_is_given_up(client: Client, issuer: Issuer) -> None:
    with issuer.hung():
        assert client.get("/auth/login").status_code == 503

    assert client.get("/auth/login").status_code == 302
