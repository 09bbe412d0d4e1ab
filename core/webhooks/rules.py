"""Which addresses a webhook may have, and when a delivery is tried again."""

import ipaddress
import random
import socket
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Invalid, Text
from core.stores.http.bounds import IPAddress, is_public

NO_ADDRESS = _("This is not a valid address.")
LONGEST_ADDRESS = 500
MOST_WEBHOOKS = 30
RETRIED_FOR = timedelta(hours=24)
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=4)
# An address that has answered nothing for so long is paused.
FAILING_FOR = timedelta(days=3)
FORMER_SECRET_FOR = timedelta(hours=24)


def may_connect(address: IPAddress) -> bool:
    return is_public(address) or (settings.WEBHOOKS_TO_LOOPBACK and address.is_loopback)


def check_address(text: str) -> None:
    """Raise `Invalid` for an address to which nothing is ever sent.

    To what a name leads is checked each time that something is sent there.
    """
    if (refusal := _refusal(text)) is not None:
        raise Invalid(refusal, field="address")


def _refusal(text: str) -> Text | None:
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return NO_ADDRESS
    if not text.isascii() or not text.isprintable() or " " in text or not host:
        return NO_ADDRESS
    if parts.username is not None or parts.password is not None:
        return _("Leave out the user name and password. Others could read them here.")
    numeric = _numeric(host)
    is_local = numeric.is_loopback if numeric else host == "localhost"
    is_plain = parts.scheme == "http" and is_local and settings.WEBHOOKS_TO_LOOPBACK
    if parts.scheme != "https" and not is_plain:
        return _("The address must start with https://.")
    return _("This address is in a private network.") if numeric and not may_connect(numeric) else None


def pause_before(attempt: int) -> timedelta:
    """Before this attempt, the second or a later one: doubled each time, and never the same for all."""
    doubled: timedelta = FIRST_PAUSE * 2 ** min(attempt - 2, 20)
    return min(LONGEST_PAUSE, doubled) * random.uniform(0.75, 1.25)


def next_attempt(attempts: int, moment: datetime, give_up_at: datetime) -> datetime | None:
    """When a delivery is tried again that has failed so often; None if it is given up."""
    following = moment + pause_before(attempts + 1)
    return following if following <= give_up_at else None


def _numeric(host: str) -> IPAddress | None:
    """The IP address that is meant, in any way of writing it, such as 127.1; None for a name."""
    try:
        found = socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)
    except (OSError, UnicodeError):
        return None
    return ipaddress.ip_address(str(found[0][4][0]).partition("%")[0])
