"""Where a request came from, as far as that can be known."""

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The address of whoever talks to us or, behind our proxy, to it.

    Only the last entry of X-Forwarded-For was written by the proxy; all before it are the sender's claims.
    """
    if settings.BEHIND_PROXY:
        forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        if forwarded:
            return forwarded
    return str(request.META["REMOTE_ADDR"])
