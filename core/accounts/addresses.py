"""The client's IP address of a request."""

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The address of whoever talks to us or, behind our proxies, to the first of them.

    Each proxy appends to X-Forwarded-For whom it talks to; all before these entries are the sender's claims.
    """
    if settings.BEHIND_PROXY:
        entries = [entry.strip() for entry in request.headers.get("X-Forwarded-For", "").split(",")]
        forwarded = entries[-min(settings.PROXY_COUNT, len(entries))]
        if forwarded:
            return forwarded
    return str(request.META["REMOTE_ADDR"])
