"""How often anybody may try to sign in. Without DynamoDB nobody can be: there are no sessions either."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.addresses import client_address
from stores.limits import Limiter


def by_network(address: str) -> str:
    """With IPv6 everybody has 2^64 addresses, so there the network counts."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(IPv6Network((parsed, 64), strict=False)) if isinstance(parsed, IPv6Address) else address


# Signing in takes two of them, and everybody in a sports hall has the same address.
SIGN_INS = Limiter("sign-in", 60, 5 * 60, about=_("Signing in, by internet address"), usual=by_network)
SIGN_INS_OF_ACCOUNT = Limiter("account", 10, 15 * 60, about=_("Signing in, by account id"))


def limit_sign_in(request: HttpRequest) -> None:
    """For login and callback together: so often from one address."""
    SIGN_INS.ensure(client_address(request))


def limit_account(sub: str) -> None:
    """For the callback, once it is known who signs in: so often into one account."""
    SIGN_INS_OF_ACCOUNT.ensure(sub)
