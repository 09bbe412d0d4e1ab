"""How often anybody may try to sign in, and how the sender is told apart."""

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts import limits
from accounts.addresses import client_address
from accounts.limits import limit_account, limit_sign_in
from config.engines.dynoxide import Dynoxide
from dynamo.errors import TooManyRequests
from stores.limits import Limiter
from tests.accounts.issuer import Issuer
from tests.accounts.signing_in import sign_in_through

MIDNIGHT = 1_800_000_000_000
# A place is free again up to a twentieth of the window later.
FIVE_MINUTES, FIFTEEN_MINUTES = 315, 945


@pytest.fixture(autouse=True)
def few_sign_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limiters of this test's own: the real ones remember whom they blocked."""
    for name in ("SIGN_INS", "SIGN_INS_OF_ACCOUNT"):
        real = getattr(limits, name)
        tight = Limiter(real.name, 2, real.seconds, usual=real.usual, clock=lambda: MIDNIGHT)
        monkeypatch.setattr(limits, name, tight)


def request_from(address: str, forwarded: str | None = None) -> HttpRequest:
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    return RequestFactory().get("/auth/login", REMOTE_ADDR=address, headers=headers)


def test_the_address_is_that_of_the_other_side(settings: Settings) -> None:
    settings.BEHIND_PROXY = False

    assert client_address(request_from("198.51.100.7")) == "198.51.100.7"
    assert client_address(request_from("198.51.100.7", "203.0.113.9")) == "198.51.100.7", (
        "anybody can claim it"
    )


def test_behind_our_proxy_only_what_the_proxy_appended_counts(settings: Settings) -> None:
    settings.BEHIND_PROXY = True

    assert client_address(request_from("10.0.0.1", "203.0.113.9")) == "203.0.113.9"
    assert client_address(request_from("10.0.0.1", "1.1.1.1, 2.2.2.2,203.0.113.9")) == "203.0.113.9"
    assert client_address(request_from("10.0.0.1")) == "10.0.0.1"
    assert client_address(request_from("10.0.0.1", " , ")) == "10.0.0.1"


@pytest.mark.usefixtures("db")
def test_an_address_may_try_so_often() -> None:
    for _try in range(2):
        limit_sign_in(request_from("198.51.100.7"))
    with pytest.raises(TooManyRequests) as refusal:
        limit_sign_in(request_from("198.51.100.7"))

    assert refusal.value.retry_after == FIVE_MINUTES
    limit_sign_in(request_from("198.51.100.8"))


@pytest.mark.usefixtures("db")
def test_claimed_addresses_do_not_help(settings: Settings) -> None:
    settings.BEHIND_PROXY = True
    limit_sign_in(request_from("10.0.0.1", "192.0.2.1, 203.0.113.9"))
    limit_sign_in(request_from("10.0.0.1", "192.0.2.2, 203.0.113.9"))
    with pytest.raises(TooManyRequests):
        limit_sign_in(request_from("10.0.0.1", "192.0.2.3, 203.0.113.9"))


@pytest.mark.usefixtures("db")
def test_all_addresses_of_one_ipv6_network_are_one_sender() -> None:
    limit_sign_in(request_from("2001:db8:0:1::1"))
    limit_sign_in(request_from("2001:db8:0:1:ffff::2"))
    with pytest.raises(TooManyRequests):
        limit_sign_in(request_from("2001:db8:0:1::3"))

    limit_sign_in(request_from("2001:db8:0:2::1"))


@pytest.mark.usefixtures("db")
def test_an_address_that_is_none_is_counted_too(settings: Settings) -> None:
    settings.BEHIND_PROXY = True
    for _try in range(2):
        limit_sign_in(request_from("10.0.0.1", "unknown"))
    with pytest.raises(TooManyRequests):
        limit_sign_in(request_from("10.0.0.1", "unknown"))


@pytest.mark.usefixtures("db")
def test_an_account_may_be_signed_into_so_often() -> None:
    for _try in range(2):
        limit_account("ada-sub")
    with pytest.raises(TooManyRequests) as refusal:
        limit_account("ada-sub")

    assert refusal.value.retry_after == FIFTEEN_MINUTES
    limit_account("bob-sub")


@pytest.mark.usefixtures("db")
def test_signing_in_counts_for_the_account_from_whatever_address(issuer: Issuer) -> None:
    answers = [sign_in_through(issuer, Client(REMOTE_ADDR=f"198.51.100.{number}")) for number in range(3)]

    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert answers[2]["Retry-After"] == str(FIFTEEN_MINUTES)


@pytest.mark.usefixtures("db")
def test_login_and_callback_share_the_tries_of_an_address(client: Client, issuer: Issuer) -> None:
    assert client.get("/auth/login").status_code == 302
    assert client.get("/auth/callback").status_code == 400
    for address in ("/auth/login", "/auth/callback"):
        response = client.get(address)
        assert (response.status_code, response["Retry-After"]) == (429, str(FIVE_MINUTES))


def test_nobody_signs_in_while_dynamodb_is_down(client: Client, issuer: Issuer, own_engine: Dynoxide) -> None:
    own_engine.stop()

    assert client.get("/auth/login").status_code == 503
    assert issuer.requests == []
