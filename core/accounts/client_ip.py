"""The client's IP address of a request."""

from django.conf import settings
from django.http import HttpRequest


def client_ip(request: HttpRequest) -> str:
    """REMOTE_ADDR or, with `BEHIND_PROXY`, the entry of X-Forwarded-For that the first of our proxies added.

    Each proxy appends the address of its client. Entries before those of our `PROXY_COUNT` proxies come from
    the client and are not trusted.
    """
    if settings.BEHIND_PROXY:
        entries = [entry.strip() for entry in request.headers.get("X-Forwarded-For", "").split(",")]
        forwarded = entries[-min(settings.PROXY_COUNT, len(entries))]
        if forwarded:
            return forwarded
    return str(request.META["REMOTE_ADDR"])
