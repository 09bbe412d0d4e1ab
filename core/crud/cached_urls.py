"""Cached `reverse`: without a cache it takes most of the time of rendering a link."""

from functools import lru_cache
from urllib.parse import quote

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, reverse

# Placeholder for the key in a cached URL.
ANY_KEY = "~key~"
# The characters that `reverse` does not percent-encode.
PLAIN = "!$&'()*+,;=/~:@"


def address_of(name: str, *args: str) -> str:
    """The result of `reverse`, cached."""
    return _address_of(name, args, get_urlconf() or settings.ROOT_URLCONF, get_script_prefix())


def address_of_record(name: str, key: str) -> str:
    """The URL of a route with `<str:key>`, cached once for all keys."""
    if not key or "/" in key:
        return address_of(name, key)
    return address_of(name, ANY_KEY).replace(ANY_KEY, quote(key, safe=PLAIN))


@lru_cache(maxsize=4096)
def _address_of(name: str, args: tuple[str, ...], urlconf: str, script_prefix: str) -> str:
    return reverse(name, urlconf, args)
