"""How often anybody may try to sign in. Without DynamoDB nobody can be: there are no sessions either."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest

from accounts.addresses import client_address
from config.logs import events
from dynamo.errors import TooManyRequests
from stores.limits import Limiter

# Signing in takes two of them, and everybody in a sports hall has the same address.
SIGN_INS = Limiter("sign-in", 60, 5 * 60)
SIGN_INS_OF_ACCOUNT = Limiter("account", 10, 15 * 60)


def limit_sign_in(request: HttpRequest) -> None:
    """For login and callback together: so often from one address."""
    _limit(SIGN_INS, _sender(client_address(request)))


def limit_account(sub: str) -> None:
    """For the callback, once it is known who signs in: so often into one account."""
    _limit(SIGN_INS_OF_ACCOUNT, sub)


def _limit(limiter: Limiter, key: str) -> None:
    try:
        limiter.ensure(key)
    except TooManyRequests:
        events.warning("refused", status=429, limit=limiter.name)
        raise


def _sender(address: str) -> str:
    """With IPv6 everybody has 2^64 addresses, so there the network counts."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(IPv6Network((parsed, 64), strict=False)) if isinstance(parsed, IPv6Address) else address
