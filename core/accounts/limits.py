"""Rate limits of the sign-in. They fail without DynamoDB, as the sign-in does: it needs a session."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from core.accounts.client_ip import client_ip
from core.stores.limits import Limiter


def by_network(address: str) -> str:
    """The key of a limit: an IPv4 address or the /64 network of an IPv6 address, which one client has."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(IPv6Network((parsed, 64), strict=False)) if isinstance(parsed, IPv6Address) else address


# Counts only failures, and many of them: everybody in a sports hall shares one address. A single account is
# protected by its own limit.
FAILED = Limiter(
    "sign-in-failed",
    limit=300,
    seconds=5 * 60,
    about=_("Failed sign-ins per IP address"),
    normalize=by_network,
)
FAILED_OF_ACCOUNT = Limiter("account", limit=10, seconds=15 * 60, about=_("Failed sign-ins per account"))
# Each attempt stores a session, so attempts are limited as well, far above the needs of a full sports hall.
BEGUN = Limiter(
    "sign-in",
    limit=600,
    seconds=5 * 60,
    about=_("Sign-in attempts per IP address"),
    normalize=by_network,
)

TOKENS_MADE = Limiter("personal-token", limit=20, seconds=24 * 3600, about=_("New access tokens per person"))


def limit_begin(request: HttpRequest) -> None:
    address = client_ip(request)
    FAILED.ensure_free(address)
    BEGUN.ensure(address)


def limit_finish(request: HttpRequest) -> None:
    FAILED.ensure_free(client_ip(request))


def limit_account(sub: str) -> None:
    """Refuse the sign-in to an account with too many failures."""
    FAILED_OF_ACCOUNT.ensure_free(sub)


def note_failure(request: HttpRequest, sub: str) -> None:
    """Count a failed sign-in; `sub` is empty if the account is unknown."""
    FAILED.acquire(client_ip(request))
    if sub:
        FAILED_OF_ACCOUNT.acquire(sub)
