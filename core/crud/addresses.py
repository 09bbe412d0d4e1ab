"""Addresses of routes: Django resolves each of them anew, which is most of what a link costs."""

from functools import lru_cache
from urllib.parse import quote

from django.conf import settings
from django.urls import get_script_prefix, get_urlconf, reverse

# Takes the place of a key in an address that is kept.
ANY_KEY = "~key~"
# What Django leaves as it is in an address.
PLAIN = "!$&'()*+,;=/~:@"


def address_of(name: str, *args: str) -> str:
    """What `reverse` answers; kept."""
    return _address_of(name, args, get_urlconf() or settings.ROOT_URLCONF, get_script_prefix())


def address_of_record(name: str, key: str) -> str:
    """The same for a route with `<str:key>`, kept once for all keys: every row of a list has another."""
    if not key or "/" in key:
        return address_of(name, key)
    return address_of(name, ANY_KEY).replace(ANY_KEY, quote(key, safe=PLAIN))


def addresses_of_record(names: tuple[str, ...], key: str) -> list[str]:
    """The addresses of a record under several routes, in their order."""
    if not key or "/" in key:
        return [address_of(name, key) for name in names]
    quoted = quote(key, safe=PLAIN)
    kept = _addresses_of_any(names, get_urlconf() or settings.ROOT_URLCONF, get_script_prefix())
    return [address.replace(ANY_KEY, quoted) for address in kept]


@lru_cache(maxsize=256)
def _addresses_of_any(names: tuple[str, ...], urlconf: str, script_prefix: str) -> list[str]:
    return [address_of(name, ANY_KEY) for name in names]


@lru_cache(maxsize=4096)
def _address_of(name: str, args: tuple[str, ...], urlconf: str, script_prefix: str) -> str:
    return reverse(name, urlconf, args)
