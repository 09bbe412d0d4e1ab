"""Bearer tokens: who gets in with a Cognito access token, and who does not."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from core.accounts import tokens
from core.accounts.rights import public
from core.accounts.tokens import JWKS, InvalidBearer, KeysUnavailable, user_from_bearer
from core.accounts.user import User
from tests.core.accounts.issuer import ABSENT, PERSON, Issuer, Lies, new_key


@public
def whoami(request: HttpRequest) -> HttpResponse:
    return HttpResponse(user_from_bearer(request.headers.get("Authorization", "")).sub)


urlpatterns = [path("whoami", whoami)]


def access_token(issuer: Issuer, **lies: Any) -> str:
    issuer.lies = Lies(**lies)
    return issuer.access_token()


def test_a_good_access_token_yields_the_user_and_the_groups(issuer: Issuer) -> None:
    user = user_from_bearer(f"Bearer {issuer.access_token()}")

    # An access token tells neither name nor e-mail address.
    sub = str(PERSON["sub"])
    assert user == User(sub=sub, name=sub, email="", groups=frozenset({"official"}))


def test_groups_that_we_do_not_know_give_nothing(issuer: Issuer) -> None:
    token = access_token(issuer, access_claims={"cognito:groups": ["scout", "superuser"]})

    assert user_from_bearer(f"bearer {token}").groups == {"scout"}


def test_a_person_without_groups_is_a_member(issuer: Issuer) -> None:
    token = access_token(issuer, access_claims={"cognito:groups": ABSENT, "username": ABSENT})

    user = user_from_bearer(f"Bearer {token}")
    assert (user.groups, user.name) == (frozenset(), "")


def now(offset: float) -> int:
    return int(time.time() + offset)


LIES: dict[str, Callable[[], dict[str, Any]]] = {
    "alg none": lambda: {"algorithm": "none"},
    "HS256 with the public key": lambda: {"algorithm": "HS256"},
    "RS512": lambda: {"algorithm": "RS512"},
    "PS256": lambda: {"algorithm": "PS256"},
    "forged with the same kid": lambda: {"key": new_key()},
    "unknown kid": lambda: {"key": new_key(), "kid": "another"},
    "wrong iss": lambda: {"access_claims": {"iss": "https://cognito-idp.eu-central-1.amazonaws.com/other"}},
    "no iss": lambda: {"access_claims": {"iss": ABSENT}},
    "wrong client_id": lambda: {"access_claims": {"client_id": "another-client"}},
    "a list of client_ids": lambda: {"access_claims": {"client_id": ["tests-client"]}},
    "no client_id": lambda: {"access_claims": {"client_id": ABSENT}},
    "aud instead of client_id": lambda: {"access_claims": {"client_id": ABSENT, "aud": "tests-client"}},
    "token_use id": lambda: {"access_claims": {"token_use": "id"}},
    "no token_use": lambda: {"access_claims": {"token_use": ABSENT}},
    "expired": lambda: {"access_claims": {"exp": now(-31)}},
    "no exp": lambda: {"access_claims": {"exp": ABSENT}},
    "exp that never comes": lambda: {"access_claims": {"exp": float("nan")}},
    "exp as text": lambda: {"access_claims": {"exp": "9999999999"}},
    "iat in the future": lambda: {"access_claims": {"iat": now(90)}},
    "no iat": lambda: {"access_claims": {"iat": ABSENT}},
    "not valid yet": lambda: {"access_claims": {"nbf": now(90)}},
    "no sub": lambda: {"access_claims": {"sub": ABSENT}},
    "empty sub": lambda: {"access_claims": {"sub": ""}},
    "sub that is no text": lambda: {"access_claims": {"sub": 7}},
    "groups that are no list": lambda: {"access_claims": {"cognito:groups": "admin"}},
    "groups that are no texts": lambda: {"access_claims": {"cognito:groups": [["admin"]]}},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lying_token_is_refused(issuer: Issuer, lie: str) -> None:
    with pytest.raises(InvalidBearer):
        user_from_bearer(f"Bearer {access_token(issuer, **LIES[lie]())}")


def test_clocks_may_differ_by_half_a_minute(issuer: Issuer) -> None:
    token = access_token(issuer, access_claims={"iat": now(20), "exp": now(-20)})

    assert user_from_bearer(f"Bearer {token}").sub == PERSON["sub"]


def test_an_id_token_is_no_access_token(issuer: Issuer) -> None:
    id_token = issuer.id_token(access_token=issuer.access_token())

    with pytest.raises(InvalidBearer):
        user_from_bearer(f"Bearer {id_token}")


def nested_header() -> str:
    return "eyJhbGciOiJSUzI1NiIsImtpZCI6" + "W1tb" * 3000 + ".e30.AAAA"


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer a.b.c",
        "Bearer ....",
        "Bearer a.b.c.d.e",
        "Bearer é.ü.😀",
        "Bearer \x00\r\n",
        "Bearer \udcff.\udcff.\udcff",
        "Bearer e30.e30.e30",
        "Basic YWRtaW46YWRtaW4=",
        f"Bearer {nested_header()}",
        "Bearer " + "a" * 1_000_000,
        "Bearer " + "." * 1_000_000,
    ],
    ids=lambda header: f"{header[:20]!r}… of {len(header)}",
)
def test_garbage_is_refused_without_asking_cognito(issuer: Issuer, header: str) -> None:
    with pytest.raises(InvalidBearer):
        user_from_bearer(header)

    assert issuer.requests == []


def test_a_token_behind_another_scheme_is_refused(issuer: Issuer) -> None:
    with pytest.raises(InvalidBearer):
        user_from_bearer(f"Token {issuer.access_token()}")


def test_a_token_that_was_changed_on_the_way_is_refused(issuer: Issuer) -> None:
    head, body, signature = issuer.access_token().split(".")
    other_body = access_token(issuer, access_claims={"cognito:groups": ["admin"]}).split(".")[1]

    assert user_from_bearer(f"Bearer {head}.{body}.{signature}").groups == {"official"}
    with pytest.raises(InvalidBearer):
        user_from_bearer(f"Bearer {head}.{other_body}.{signature}")


# --- The keys


class Clock:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keys(issuer: Issuer, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> JWKS:
    """The keys of the issuer under a clock that stands still until the test moves it."""
    found = JWKS(issuer.jwks_address, clock=clock)
    monkeypatch.setattr(tokens, "jwks", lambda: found)
    return found


def test_keys_are_fetched_once(issuer: Issuer) -> None:
    for _request in range(5):
        user_from_bearer(f"Bearer {issuer.access_token()}")

    assert issuer.count("jwks.json") == 1


def test_32_first_requests_at_once_fetch_the_keys_once(issuer: Issuer) -> None:
    start = Barrier(32)
    token = issuer.access_token()

    def ask(_number: int) -> str:
        start.wait()
        return user_from_bearer(f"Bearer {token}").sub

    with ThreadPoolExecutor(32) as pool:
        assert set(pool.map(ask, range(32))) == {PERSON["sub"]}
    assert issuer.count("jwks.json") == 1


def test_a_rotated_key_is_fetched_within_a_minute(issuer: Issuer, keys: JWKS, clock: Clock) -> None:
    old = issuer.access_token()
    user_from_bearer(f"Bearer {old}")
    issuer.rotate()
    clock.seconds += 60

    assert user_from_bearer(f"Bearer {issuer.access_token()}").sub == PERSON["sub"]
    with pytest.raises(InvalidBearer):
        user_from_bearer(f"Bearer {old}")


def test_invented_key_ids_make_us_ask_once_a_minute(issuer: Issuer, keys: JWKS, clock: Clock) -> None:
    user_from_bearer(f"Bearer {issuer.access_token()}")
    counts = []
    for seconds in (0, 59, 1, 0, 59.9, 0.2):
        clock.seconds += seconds
        with pytest.raises(InvalidBearer):
            user_from_bearer(f"Bearer {access_token(issuer, kid=f'invented-{clock.seconds}')}")
        counts.append(issuer.count("jwks.json"))

    assert counts == [1, 1, 2, 2, 2, 3]


def test_people_keep_working_while_cognito_is_down(issuer: Issuer, keys: JWKS, clock: Clock) -> None:
    token = issuer.access_token()
    user_from_bearer(f"Bearer {token}")

    with issuer.down():
        clock.seconds += 100_000
        with pytest.raises(InvalidBearer):
            user_from_bearer(f"Bearer {access_token(issuer, kid='unknown')}")
        assert user_from_bearer(f"Bearer {token}").sub == PERSON["sub"]


def test_without_any_keys_nobody_can_be_checked_until_cognito_is_back(
    issuer: Issuer, keys: JWKS, clock: Clock
) -> None:
    token = issuer.access_token()
    with issuer.down(), pytest.raises(KeysUnavailable):
        user_from_bearer(f"Bearer {token}")

    with pytest.raises(KeysUnavailable):
        user_from_bearer(f"Bearer {token}")
    assert issuer.requests == [], "not asked again at once"

    clock.seconds += 5
    assert user_from_bearer(f"Bearer {token}").sub == PERSON["sub"]


def test_a_cognito_that_hangs_is_not_waited_for(issuer: Issuer, keys: JWKS) -> None:
    with issuer.hung(), pytest.raises(KeysUnavailable):
        user_from_bearer(f"Bearer {issuer.access_token()}")


@pytest.mark.parametrize("nonsense", [{}, {"keys": []}, {"keys": 7}, {"keys": ["x"]}, {"keys": [{}]}])
def test_nonsense_instead_of_keys_does_not_replace_the_good_ones(
    issuer: Issuer, keys: JWKS, clock: Clock, nonsense: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    token = issuer.access_token()
    user_from_bearer(f"Bearer {token}")
    clock.seconds += 60
    monkeypatch.setattr(issuer, "_get", lambda target: (200, nonsense))

    with pytest.raises(InvalidBearer):
        user_from_bearer(f"Bearer {access_token(issuer, kid='unknown')}")
    assert issuer.count("jwks.json") == 2
    assert user_from_bearer(f"Bearer {token}").sub == PERSON["sub"]


# --- What a program is told


@pytest.mark.urls(__name__)
def test_a_bad_token_is_401_and_says_which_kind_is_wanted(issuer: Issuer, client: Client) -> None:
    response = client.get("/whoami", headers={"Authorization": "Bearer nonsense"})

    assert response.status_code == 401
    assert response["WWW-Authenticate"] == 'Bearer realm="fieldhouse", error="invalid_token"'


@pytest.mark.urls(__name__)
def test_keys_that_cannot_be_had_are_503_with_a_time_to_try_again(
    issuer: Issuer, keys: JWKS, client: Client
) -> None:
    with issuer.down():
        response = client.get("/whoami", headers={"Authorization": f"Bearer {issuer.access_token()}"})

    assert (response.status_code, response["Retry-After"]) == (503, "5")
