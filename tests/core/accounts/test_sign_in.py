"""Signing in: the way through the managed login, and the session that it begins."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.test import Client

from core.accounts import hooks
from core.accounts.user import User
from core.dynamo import metering
from core.stores.sessions import SessionStore
from tests.cast import sign_in
from tests.core.accounts.issuer import ABSENT, PERSON, Issuer, Lies
from tests.core.accounts.signing_in import kept_user, session, sessions_with_a_person, sign_in_through, start

COOKIE = settings.SESSION_COOKIE_NAME
pytestmark = pytest.mark.usefixtures("db")


def test_the_login_leads_straight_to_the_managed_login(client: Client, issuer: Issuer) -> None:
    address = urlsplit(start(client))
    asked = {name: values[0] for name, values in parse_qs(address.query).items()}

    assert f"{address.scheme}://{address.netloc}{address.path}" == f"{issuer.endpoint}/oauth2/authorize"
    assert asked["response_type"] == "code"
    assert asked["client_id"] == settings.COGNITO_CLIENT_ID
    assert asked["redirect_uri"] == "http://testserver/auth/callback"
    assert asked["scope"] == "openid email profile"
    assert asked["code_challenge_method"] == "S256"
    assert len(asked["code_challenge"]) == 43
    assert len(asked["state"]) >= 20
    assert len(asked["nonce"]) >= 20


def test_each_attempt_has_its_own_state_nonce_and_verifier(client: Client, issuer: Issuer) -> None:
    first, second = (parse_qs(urlsplit(start(client)).query) for _attempt in range(2))

    for name in ("state", "nonce", "code_challenge"):
        assert first[name] != second[name]


def test_after_signing_in_the_person_is_known_and_on_the_first_page(client: Client, issuer: Issuer) -> None:
    response = sign_in_through(issuer, client)
    page = client.get("/desk/")

    assert (response.status_code, response["Location"]) == (302, "/desk/")
    assert page.status_code == 200
    assert page.wsgi_request.user == User.of(
        sub=str(PERSON["sub"]),
        name="Odile Brandt",
        email="odile@fieldhouse.example",
        groups=["official"],
    )
    assert "Odile Brandt" in page.content.decode()


def test_two_tabs_can_sign_in_one_after_the_other(client: Client, issuer: Issuer) -> None:
    first, second = start(client), start(client)

    assert client.get(issuer.authorize(second)).status_code == 302
    assert client.get("/desk/").status_code == 200
    # The session of the first tab was replaced; it is told to try again, and the person stays signed in.
    assert client.get(issuer.authorize(first)).status_code == 400
    assert client.get("/desk/").status_code == 200


def test_the_session_key_changes_and_the_old_one_is_dead(client: Client, issuer: Issuer) -> None:
    callback = issuer.authorize(start(client))
    before = client.cookies[COOKIE].value
    client.get(callback)
    after = client.cookies[COOKIE].value

    assert before != after
    assert SessionStore(before).load() == {}
    assert not SessionStore().exists(before)
    assert kept_user(client)["sub"] == PERSON["sub"]


def test_a_planted_session_key_is_worth_nothing(client: Client, issuer: Issuer) -> None:
    client.cookies[COOKIE] = planted = "p" * 32
    sign_in_through(issuer, client)

    assert client.cookies[COOKIE].value != planted
    assert SessionStore(planted).load() == {}


def test_nothing_of_the_session_before_is_kept(client: Client, issuer: Issuer) -> None:
    sign_in(client, "admin")
    before = session(client)
    before["colour"] = "green"
    before.save()

    sign_in_through(issuer, client)

    assert sorted(session(client).keys()) == ["_owner", "preferences", "refresh_token", "renew_at", "user"]
    assert kept_user(client)["groups"] == ["official"]
    assert sessions_with_a_person() == [PERSON["sub"]]


def test_the_csrf_token_is_rotated(client: Client, issuer: Issuer) -> None:
    client.get("/auth/signed-in-again")
    before = client.cookies[settings.CSRF_COOKIE_NAME].value
    sign_in_through(issuer, client)

    assert client.cookies[settings.CSRF_COOKIE_NAME].value != before


def test_signing_in_again_costs_seven_reads_and_two_writes(client: Client, issuer: Issuer) -> None:
    sign_in_through(issuer, client)
    callback = issuer.authorize(start(client))

    with metering.metered() as meter:
        client.get(callback)

    # Failures of the address, the session, failures of the account, the session's new key, who the person is
    # among the members, their own name, preferences, directory, quests, softball, session.
    assert meter.operations == [
        *("GetItem", "GetItem", "GetItem", "TransactWriteItems"),
        *("Query", "GetItem", "Query", "GetItem", "GetItem", "GetItem", "UpdateItem"),
    ]


def test_the_session_cookie_is_for_this_site_and_out_of_reach_of_scripts(
    client: Client, issuer: Issuer
) -> None:
    cookie = sign_in_through(issuer, client).cookies[COOKIE]

    assert COOKIE == "__Host-session"
    assert (cookie["secure"], cookie["httponly"], cookie["samesite"]) == (True, True, "Lax")
    assert (cookie["path"], cookie["domain"]) == ("/", "")
    assert cookie["max-age"] == settings.SESSION_COOKIE_AGE


def test_the_next_page_is_where_the_person_wanted_to_go(client: Client, issuer: Issuer) -> None:
    wanted = "/news?status=draft&q=a%20b#top"

    assert sign_in_through(issuer, client, wanted)["Location"] == wanted


def test_a_key_that_was_rotated_is_fetched_anew(client: Client, issuer: Issuer) -> None:
    sign_in_through(issuer, client)
    issuer.rotate()

    assert sign_in_through(issuer, Client())["Location"] == "/desk/"
    assert issuer.count("jwks.json") == 2


def test_the_keys_and_the_discovery_document_are_fetched_once(client: Client, issuer: Issuer) -> None:
    for _number in range(3):
        assert sign_in_through(issuer, Client()).status_code == 302

    assert issuer.count("jwks.json") == 1
    assert issuer.count("openid-configuration") == 1


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"name": "Odile Brandt"}, "Odile Brandt"),
        ({"name": ABSENT, "given_name": "Odile", "family_name": "Brandt"}, "Odile Brandt"),
        ({"name": ABSENT, "given_name": "Odile"}, "Odile"),
        ({"name": "", "given_name": "", "family_name": ""}, "odile"),
        ({"name": ABSENT}, "odile"),
        ({"name": "<b>Odile</b>"}, "<b>Odile</b>"),
    ],
)
def test_the_name_comes_from_the_account_or_else_the_address(
    client: Client, issuer: Issuer, claims: dict[str, object], name: str
) -> None:
    issuer.lies = Lies(id_claims=claims)
    sign_in_through(issuer, client)

    assert kept_user(client)["name"] == name
    assert "<b>Odile" not in client.get("/desk/").content.decode()


def test_groups_that_we_do_not_know_give_nothing(client: Client, issuer: Issuer) -> None:
    issuer.lies = Lies(id_claims={"cognito:groups": ["scout", "Admin", "eu-central-1_x_Google"]})
    sign_in_through(issuer, client)

    assert kept_user(client)["groups"] == ["scout"]


def test_no_groups_is_a_plain_member(client: Client, issuer: Issuer) -> None:
    issuer.lies = Lies(id_claims={"cognito:groups": ABSENT})
    sign_in_through(issuer, client)

    assert kept_user(client)["groups"] == []
    assert client.get("/desk/").status_code == 200


def test_the_address_may_be_verified_in_words(client: Client, issuer: Issuer) -> None:
    issuer.lies = Lies(id_claims={"email_verified": "true"})

    assert sign_in_through(issuer, client).status_code == 302


def test_other_apps_are_told_and_one_that_fails_keeps_nobody_out(
    client: Client, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    greeted = []

    def fail(user: User) -> None:
        raise RuntimeError("no quest account today")

    monkeypatch.setattr(hooks, "_hooks", [fail, lambda user: greeted.append(user.sub)])
    sign_in_through(issuer, client)

    assert greeted == [PERSON["sub"]]
    assert client.get("/desk/").status_code == 200


def test_many_attempts_do_not_make_the_session_grow(client: Client, issuer: Issuer) -> None:
    for _number in range(12):
        latest = start(client)
    attempts = [key for key, _kept in session(client).items() if key.startswith("_state_")]

    assert len(attempts) == 10
    assert client.get(issuer.authorize(latest)).status_code == 302
