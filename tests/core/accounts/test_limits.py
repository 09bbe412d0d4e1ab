"""How often anybody may try to sign in, and how the sender is told apart."""

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from pytest_django import Settings

from config.engines.dynoxide import Dynoxide
from core.accounts import limits
from core.accounts.client_ip import client_ip
from core.accounts.limits import limit_begin, limit_finish, note_failure
from core.dynamo.errors import TooManyRequests
from core.stores.limits import Limiter
from tests.core.accounts.issuer import Issuer, Lies
from tests.core.accounts.signing_in import sign_in_through

MIDNIGHT = 1_800_000_000_000
# A place is free again up to a twentieth of the window later.
FIVE_MINUTES, FIFTEEN_MINUTES = 315, 945
REAL = {name: getattr(limits, name) for name in ("FAILED", "FAILED_OF_ACCOUNT", "BEGUN")}


@pytest.fixture(autouse=True)
def few_sign_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limiters of this test's own: the real ones remember whom they blocked."""
    allow(monkeypatch, FAILED=2, FAILED_OF_ACCOUNT=2, BEGUN=40)


def allow(monkeypatch: pytest.MonkeyPatch, **most: int) -> None:
    for name, limit in most.items():
        real = REAL[name]
        tight = Limiter(
            real.name, limit=limit, seconds=real.seconds, normalize=real.normalize, clock=lambda: MIDNIGHT
        )
        monkeypatch.setattr(limits, name, tight)


def request_from(address: str, forwarded: str | None = None) -> HttpRequest:
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    return RequestFactory().get("/auth/login", REMOTE_ADDR=address, headers=headers)


def test_the_address_is_that_of_the_other_side(settings: Settings) -> None:
    settings.BEHIND_PROXY = False

    assert client_ip(request_from("198.51.100.7")) == "198.51.100.7"
    assert client_ip(request_from("198.51.100.7", "203.0.113.9")) == "198.51.100.7", "anybody can claim it"


def test_behind_our_proxy_only_what_the_proxy_appended_counts(settings: Settings) -> None:
    settings.BEHIND_PROXY = True

    assert client_ip(request_from("10.0.0.1", "203.0.113.9")) == "203.0.113.9"
    assert client_ip(request_from("10.0.0.1", "1.1.1.1, 2.2.2.2,203.0.113.9")) == "203.0.113.9"
    assert client_ip(request_from("10.0.0.1")) == "10.0.0.1"
    assert client_ip(request_from("10.0.0.1", " , ")) == "10.0.0.1"


def test_behind_several_proxies_the_entry_of_the_first_counts(settings: Settings) -> None:
    settings.BEHIND_PROXY, settings.PROXY_COUNT = True, 2

    assert client_ip(request_from("10.0.0.1", "203.0.113.9, 130.176.0.5")) == "203.0.113.9"
    assert client_ip(request_from("10.0.0.1", "1.1.1.1, 203.0.113.9, 130.176.0.5")) == "203.0.113.9"
    assert client_ip(request_from("10.0.0.1", "130.176.0.5")) == "130.176.0.5"


@pytest.mark.usefixtures("db")
def test_an_address_may_fail_so_often() -> None:
    for _try in range(2):
        limit_finish(request_from("198.51.100.7"))
        note_failure(request_from("198.51.100.7"), "")
    for limit in (limit_begin, limit_finish):
        with pytest.raises(TooManyRequests) as refusal:
            limit(request_from("198.51.100.7"))
        assert refusal.value.retry_after == FIVE_MINUTES
        limit(request_from("198.51.100.8"))


@pytest.mark.usefixtures("db")
def test_claimed_addresses_do_not_help(settings: Settings) -> None:
    settings.BEHIND_PROXY = True
    note_failure(request_from("10.0.0.1", "192.0.2.1, 203.0.113.9"), "")
    note_failure(request_from("10.0.0.1", "192.0.2.2, 203.0.113.9"), "")
    with pytest.raises(TooManyRequests):
        limit_finish(request_from("10.0.0.1", "192.0.2.3, 203.0.113.9"))


@pytest.mark.usefixtures("db")
def test_all_addresses_of_one_ipv6_network_are_one_sender() -> None:
    note_failure(request_from("2001:db8:0:1::1"), "")
    note_failure(request_from("2001:db8:0:1:ffff::2"), "")
    with pytest.raises(TooManyRequests):
        limit_finish(request_from("2001:db8:0:1::3"))

    limit_finish(request_from("2001:db8:0:2::1"))


@pytest.mark.usefixtures("db")
def test_an_address_that_is_none_is_counted_too(settings: Settings) -> None:
    settings.BEHIND_PROXY = True
    for _try in range(2):
        note_failure(request_from("10.0.0.1", "unknown"), "")
    with pytest.raises(TooManyRequests):
        limit_finish(request_from("10.0.0.1", "unknown"))


@pytest.mark.usefixtures("db")
def test_an_account_may_fail_so_often_from_whatever_address(issuer: Issuer) -> None:
    issuer.lies = Lies(id_claims={"email_verified": False})
    addresses = (Client(REMOTE_ADDR=f"198.51.100.{number}") for number in range(3))
    answers = [sign_in_through(issuer, client).status_code for client in addresses]
    issuer.lies = Lies()
    last = sign_in_through(issuer, Client(REMOTE_ADDR="198.51.100.9"))

    assert answers == [400, 400, 400]
    assert (last.status_code, last["Retry-After"]) == (429, str(FIFTEEN_MINUTES))


@pytest.mark.usefixtures("db")
def test_a_hall_of_31_people_signs_in_at_once(issuer: Issuer) -> None:
    hall = [Client(REMOTE_ADDR="198.51.100.7") for _person in range(31)]
    for number, client in enumerate(hall):
        issuer.person["sub"] = f"person-{number}"
        assert sign_in_through(issuer, client).status_code == 302


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    "lies", [Lies(id_claims={"email_verified": False}), Lies(id_claims={"nonce": "old"})]
)
def test_a_phone_that_fails_25_times_locks_none_of_30_others_in_the_hall_out(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch, lies: Lies
) -> None:
    allow(monkeypatch, **{name: real.limit for name, real in REAL.items()})
    issuer.lies = lies
    issuer.person["sub"] = "unlucky"
    phone = Client(REMOTE_ADDR="198.51.100.7")
    assert [sign_in_through(issuer, phone).status_code for _try in range(25)] == [400] * 25

    issuer.lies = Lies()
    for number in range(30):
        issuer.person["sub"] = f"person-{number}"
        assert sign_in_through(issuer, Client(REMOTE_ADDR="198.51.100.7")).status_code == 302


@pytest.mark.usefixtures("db")
def test_signing_in_again_and_again_is_no_failure(issuer: Issuer) -> None:
    for number in range(12):
        assert sign_in_through(issuer, Client(REMOTE_ADDR=f"198.51.100.{number}")).status_code == 302


@pytest.mark.usefixtures("db")
def test_there_is_an_end_to_what_is_begun_and_never_finished(issuer: Issuer) -> None:
    answers = [Client().get("/auth/login").status_code for _attempt in range(41)]

    assert answers == [302] * 40 + [429]


def test_nobody_signs_in_while_dynamodb_is_down(client: Client, issuer: Issuer, own_engine: Dynoxide) -> None:
    own_engine.stop()

    assert client.get("/auth/login").status_code == 503
    assert issuer.requests == []
