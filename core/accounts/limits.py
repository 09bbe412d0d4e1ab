"""Rate limits of signing in. Without DynamoDB nobody can sign in: there are no sessions either."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from core.accounts.addresses import client_address
from core.stores.limits import Limiter


def by_network(address: str) -> str:
    """With IPv6 everybody has 2^64 addresses, so there the network counts."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(IPv6Network((parsed, 64), strict=False)) if isinstance(parsed, IPv6Address) else address


# Only what fails counts: everybody in a sports hall has the same address, so a phone that fails must not use
# this up. An account is protected by a limit of its own.
FAILED = Limiter(
    "sign-in-failed", 300, 5 * 60, about=_("Failing to sign in, by internet address"), usual=by_network
)
FAILED_OF_ACCOUNT = Limiter("account", 10, 15 * 60, about=_("Failing to sign in, by account id"))
# Each attempt stores a session for its answer, so there is an end to them too, far above a full hall.
BEGUN = Limiter(
    "sign-in", 600, 5 * 60, about=_("Beginning to sign in, by internet address"), usual=by_network
)


def limit_begin(request: HttpRequest) -> None:
    address = client_address(request)
    FAILED.ensure_free(address)
    BEGUN.ensure(address)


def limit_finish(request: HttpRequest) -> None:
    FAILED.ensure_free(client_address(request))


def limit_account(sub: str) -> None:
    """Count an attempt for a known person."""
    FAILED_OF_ACCOUNT.ensure_free(sub)


def note_failure(request: HttpRequest, sub: str) -> None:
    """Somebody did not get in; `sub` is empty where it is not known whose account it was."""
    FAILED.acquire(client_address(request))
    if sub:
        FAILED_OF_ACCOUNT.acquire(sub)
