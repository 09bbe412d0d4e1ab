"""Hostile tokens, callbacks and links: each is refused with 400, begins no session and never breaks us."""

import base64
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from django.conf import settings
from django.test import Client

from tests.cast import CAST, sign_in
from tests.core.accounts.issuer import ABSENT, PERSON, Issuer, Lies, new_key
from tests.core.accounts.signing_in import (
    assert_nobody_is_signed_in,
    kept_user,
    session,
    sign_in_through,
    start,
)

pytestmark = pytest.mark.usefixtures("db")

HOUR = 3600
NOW = int(time.time())


def assert_refused(response: Any) -> None:
    assert response.status_code == 400
    page = response.content.decode()
    assert "You are not signed in" in page
    assert "Traceback" not in page


def test_the_same_way_without_a_lie_works(client: Client, issuer: Issuer) -> None:
    assert sign_in_through(issuer, client).status_code == 302
    assert kept_user(client)["sub"] == PERSON["sub"]


# --- Tokens

CLAIMS: dict[str, dict[str, Any]] = {
    "wrong nonce": {"nonce": "another"},
    "missing nonce": {"nonce": ABSENT},
    "empty nonce": {"nonce": ""},
    "nonce declared as not supported": {"nonce": ABSENT, "nonce_supported": False},
    "wrong audience": {"aud": "another-client"},
    "missing audience": {"aud": ABSENT},
    "empty audience": {"aud": []},
    "audience with ours inside its name": {"aud": "xtests-clientx"},
    "wrong issuer": {"iss": "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Other"},
    "missing issuer": {"iss": ABSENT},
    "issuer that only begins like ours": {"iss": f"{settings.COGNITO_ISSUER}2"},
    "expired": {"exp": NOW - 2 * HOUR},
    "missing expiry": {"exp": ABSENT},
    "expiry that is no number": {"exp": "tomorrow"},
    "issued in the future": {"iat": NOW + HOUR},
    "missing time of issue": {"iat": ABSENT},
    "time of issue that is no number": {"iat": "yesterday"},
    "not yet valid": {"nbf": NOW + HOUR},
    "missing subject": {"sub": ABSENT},
    "empty subject": {"sub": ""},
    "subject that is no text": {"sub": {"$ne": ""}},
    "wrong access token hash": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
    "missing access token hash": {"at_hash": ABSENT},
    "an access token in its place": {"token_use": "access"},
    "missing token use": {"token_use": ABSENT},
    "unverified address": {"email_verified": False},
    "unverified address in words": {"email_verified": "false"},
    "missing verification": {"email_verified": ABSENT},
    "verification by a number": {"email_verified": 1},
    "missing address": {"email": ABSENT},
    "empty address": {"email": ""},
    "address that is no text": {"email": ["odile@fieldhouse.example"]},
    "name that is no text": {"name": {"first": "Odile"}},
    "groups that are null": {"cognito:groups": None},
    "groups that are no texts": {"cognito:groups": [{"admin": True}]},
    "authorized for another client": {"aud": [settings.COGNITO_CLIENT_ID, "other"], "azp": "other"},
}


@pytest.mark.parametrize("claims", CLAIMS.values(), ids=CLAIMS.keys())
def test_a_token_with_wrong_claims_is_refused(client: Client, issuer: Issuer, claims: dict[str, Any]) -> None:
    issuer.lies = Lies(id_claims=claims)

    assert_refused(sign_in_through(issuer, client))
    assert_nobody_is_signed_in(client)


DEEP_TOKEN = f"{base64.urlsafe_b64encode(b'[' * 99_999).decode()}.e30.e30"
FORGERIES: dict[str, Callable[[Issuer], Lies]] = {
    "not signed at all": lambda issuer: Lies(algorithm="none"),
    "signed with the public key as a secret": lambda issuer: Lies(algorithm="HS256"),
    "signed by another key under the same name": lambda issuer: Lies(key=new_key(), kid=issuer.key.kid),
    "signed by an unknown key": lambda issuer: Lies(key=new_key(), kid="unknown"),
    "signed by another algorithm": lambda issuer: Lies(algorithm="RS512"),
    "signed by another padding": lambda issuer: Lies(algorithm="PS256"),
    "a key name that is a path": lambda issuer: Lies(key=new_key(), kid="../../dev/null"),
    "no ID token": lambda issuer: Lies(answer={"id_token": ABSENT}),
    "an ID token that is null": lambda issuer: Lies(answer={"id_token": None}),
    "an ID token that is empty": lambda issuer: Lies(answer={"id_token": ""}),
    "an ID token that is a number": lambda issuer: Lies(answer={"id_token": 7}),
    "an ID token that is no token": lambda issuer: Lies(answer={"id_token": "a.b.c"}),
    "an encrypted token": lambda issuer: Lies(answer={"id_token": "e30.e30.e30.e30.e30"}),
    "the access token as ID token": lambda issuer: Lies(answer={"id_token": issuer.access_token()}),
    "a giant ID token": lambda issuer: Lies(answer={"id_token": "A" * 1_000_000}),
    "a header of a hundred thousand levels": lambda issuer: Lies(answer={"id_token": DEEP_TOKEN}),
    "no access token": lambda issuer: Lies(answer={"access_token": ABSENT}),
    "an error beside the tokens": lambda issuer: Lies(answer={"error": "invalid_grant"}),
}


def without_signature(token: str) -> str:
    head, body, _signature = token.split(".")
    return f"{head}.{body}."


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES.keys())
def test_a_forged_answer_is_refused(client: Client, issuer: Issuer, forge: Callable[[Issuer], Lies]) -> None:
    issuer.lies = forge(issuer)

    assert_refused(sign_in_through(issuer, client))
    assert_nobody_is_signed_in(client)


@pytest.mark.parametrize("algorithm", ["none", "HS256", "RS512", "PS256"])
def test_an_issuer_cannot_talk_us_into_another_algorithm(
    client: Client, issuer: Issuer, monkeypatch: pytest.MonkeyPatch, algorithm: str
) -> None:
    told = issuer._discovery() | {"id_token_signing_alg_values_supported": [algorithm]}
    keys = {"keys": [issuer.key.as_dict(private=False, use="sig")]}
    monkeypatch.setattr(issuer, "_get", lambda target: (200, keys if "jwks" in target else told))
    issuer.lies = Lies(algorithm=algorithm)

    assert_refused(sign_in_through(issuer, client))
    assert_nobody_is_signed_in(client)


def test_a_token_whose_signature_was_cut_off_is_refused(client: Client, issuer: Issuer) -> None:
    address = start(client)
    nonce = parse_qs(urlsplit(address).query)["nonce"][0]
    access_token = issuer.access_token()
    good = issuer.id_token(access_token=access_token, nonce=nonce)
    issuer.lies = Lies(answer={"access_token": access_token, "id_token": without_signature(good)})
    assert_refused(client.get(issuer.authorize(address)))

    # The same token with its signature would have been good.
    address = start(client)
    nonce = parse_qs(urlsplit(address).query)["nonce"][0]
    issuer.lies = Lies()
    good = issuer.id_token(access_token=access_token, nonce=nonce)
    issuer.lies = Lies(answer={"access_token": access_token, "id_token": good})
    assert client.get(issuer.authorize(address)).status_code == 302


# --- Callbacks


def test_a_callback_works_once(client: Client, issuer: Issuer) -> None:
    callback = issuer.authorize(start(client))
    assert client.get(callback).status_code == 302

    assert_refused(client.get(callback))
    assert client.get("/desk/").status_code == 200, "whoever is signed in stays so"


def test_a_callback_that_was_refused_cannot_be_repeated(client: Client, issuer: Issuer) -> None:
    issuer.lies = Lies(id_claims={"nonce": "another"})
    address = start(client)
    assert_refused(client.get(issuer.authorize(address)))
    issuer.lies = Lies()

    assert_refused(client.get(issuer.authorize(address)))
    assert_nobody_is_signed_in(client)


def test_another_browsers_callback_is_refused(client: Client, issuer: Issuer) -> None:
    attacker = Client()
    callback = issuer.authorize(start(attacker))

    start(client)
    assert_refused(client.get(callback))
    assert_refused(Client().get(callback))
    assert_nobody_is_signed_in(client)


def test_another_browsers_callback_does_not_change_who_is_signed_in(client: Client, issuer: Issuer) -> None:
    callback = issuer.authorize(start(Client()))
    sign_in(client, "member")

    assert_refused(client.get(callback))
    assert kept_user(client)["sub"] == CAST["member"].sub


def test_a_code_from_another_attempt_fails_the_proof_key(client: Client, issuer: Issuer) -> None:
    stolen = parse_qs(urlsplit(issuer.authorize(start(Client()))).query)["code"][0]
    own_state = parse_qs(urlsplit(start(client)).query)["state"][0]

    assert_refused(client.get("/auth/callback", {"code": stolen, "state": own_state}))
    assert_nobody_is_signed_in(client)


def test_a_changed_challenge_fails_the_proof_key(client: Client, issuer: Issuer) -> None:
    address = start(client).replace("code_challenge=", "code_challenge=x")

    assert_refused(client.get(issuer.authorize(address)))
    assert_nobody_is_signed_in(client)


CALLBACKS: dict[str, Callable[[str, str], dict[str, Any]]] = {
    "nothing at all": lambda code, state: {},
    "no state": lambda code, state: {"code": code},
    "an empty state": lambda code, state: {"code": code, "state": ""},
    "a made-up state": lambda code, state: {"code": code, "state": "made-up"},
    "no code": lambda code, state: {"state": state},
    "an empty code": lambda code, state: {"code": "", "state": state},
    "a made-up code": lambda code, state: {"code": "made-up", "state": state},
    "two states": lambda code, state: {"code": code, "state": [state, "other"]},
    "an error of the issuer": lambda code, state: {"error": "access_denied", "state": state},
    "an error beside a good code": lambda code, state: {"error": "x", "code": code, "state": state},
    "an error with markup": lambda code, state: {"error": "<script>", "error_description": "<script>"},
    "a giant state": lambda code, state: {"code": code, "state": "s" * 1_000_000},
    "a giant code": lambda code, state: {"code": "c" * 1_000_000, "state": state},
    "a giant error": lambda code, state: {"error": "e" * 1_000_000},
    "control characters": lambda code, state: {"code": "\r\nX: 1\x00", "state": "\x00\r\n\u2028"},
    "a key of the session as state": lambda code, state: {"code": code, "state": "../after_sign_in"},
    "surrogates": lambda code, state: {"code": code, "state": b"\xed\xa0\x80\xff"},
}


@pytest.mark.parametrize("asked", CALLBACKS.values(), ids=CALLBACKS.keys())
def test_an_odd_callback_is_refused(
    client: Client, issuer: Issuer, asked: Callable[[str, str], dict[str, Any]]
) -> None:
    given = parse_qs(urlsplit(issuer.authorize(start(client))).query)
    query = urlencode(asked(given["code"][0], given["state"][0]), doseq=True)
    response = client.get(f"/auth/callback?{query}")

    assert_refused(response)
    assert "<script>" not in response.content.decode()
    assert_nobody_is_signed_in(client)


def test_a_callback_without_any_session_is_refused(issuer: Issuer) -> None:
    for cookie in ("", "x", "x" * 32, "ü" * 32, "x" * 100_000):
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = cookie
        assert_refused(client.get("/auth/callback", {"code": "c", "state": "s"}))
        assert_nobody_is_signed_in(client)


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
@pytest.mark.parametrize("address", ["/auth/login", "/auth/callback"])
def test_login_and_callback_are_only_read(client: Client, issuer: Issuer, method: str, address: str) -> None:
    given = parse_qs(urlsplit(issuer.authorize(start(client))).query)
    response = getattr(client, method)(address, {"code": given["code"][0], "state": given["state"][0]})

    assert response.status_code == 405
    assert_nobody_is_signed_in(client)


def test_asking_for_the_headers_only_signs_nobody_in(client: Client, issuer: Issuer) -> None:
    assert client.head(issuer.authorize(start(client))).status_code == 400
    assert_nobody_is_signed_in(client)


def test_a_refusal_offers_another_try_that_works(client: Client, issuer: Issuer) -> None:
    issuer.lies = Lies(id_claims={"nonce": "another"})
    page = sign_in_through(issuer, client).content.decode()
    issuer.lies = Lies()

    assert 'href="/auth/login"' in page
    assert sign_in_through(issuer, client).status_code == 302


# --- Links to the login

REDIRECTS = {
    "another site": "https://evil.example/",
    "another site without scheme": "//evil.example/",
    "three slashes": "///evil.example/",
    "four slashes": "////evil.example/",
    "a backslash": "/\\evil.example/",
    "two backslashes": "\\\\evil.example/",
    "slash, backslash, slash": "/\\/evil.example/",
    "a scheme without slashes": "https:evil.example",
    "a scheme with one slash": "https:/evil.example",
    "a script": "javascript:alert(1)",
    "a script behind a slash that is none": "\x01javascript:alert(1)",
    "data": "data:text/html,<script>alert(1)</script>",
    "our own host as a user name": "http://testserver@evil.example/",
    "our own host as a beginning": "http://testserver.evil.example/",
    "even our own host": "http://testserver/",
    "a tab between the slashes": "/\t/evil.example/",
    "a line break between the slashes": "/\r\n/evil.example/",
    "a space before the slashes": " //evil.example/",
    "a control character before": "\x00//evil.example/",
    "no slash": "evil.example",
    "a path beside us": "news",
    "an address of the sixth version": "//[::1",
    "a full-width slash": "\uff0f\uff0fevil.example",
    "encoded once too often": quote("//evil.example/", safe=""),
    "giant": "/" + "a" * 1_000_000,
    "nothing": "",
}


@pytest.mark.parametrize("wanted", REDIRECTS.values(), ids=REDIRECTS.keys())
def test_a_link_to_the_login_never_leads_to_another_site(client: Client, issuer: Issuer, wanted: str) -> None:
    assert sign_in_through(issuer, client, wanted)["Location"] == "/desk/"


@pytest.mark.parametrize(
    ("wanted", "location"),
    [
        ("/%2f/evil.example", "/%2f/evil.example"),
        ("/%5cevil.example", "/%5cevil.example"),
        ("/news\r\nSet-Cookie: a=b", "/news%0D%0ASet-Cookie:%20a=b"),
        ("/.//evil.example", "/.//evil.example"),
        ("/@evil.example", "/@evil.example"),
        ("/news?next=//evil.example", "/news?next=//evil.example"),
    ],
)
def test_odd_paths_of_our_own_stay_on_our_site(
    client: Client, issuer: Issuer, wanted: str, location: str
) -> None:
    response = sign_in_through(issuer, client, wanted)

    assert response["Location"] == location
    assert "a" not in response.cookies


def test_the_page_after_signing_in_cannot_be_changed_by_the_callback(client: Client, issuer: Issuer) -> None:
    callback = issuer.authorize(start(client, "/news"))

    assert client.get(f"{callback}&next=//evil.example")["Location"] == "/news"


def test_a_giant_link_does_not_fill_the_session(client: Client, issuer: Issuer) -> None:
    start(client, "/" + "a" * 1_000_000)

    assert session(client)["after_sign_in"] == "/desk/"
