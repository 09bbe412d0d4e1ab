"""The languages of our texts: which one a browser asks for, and which one is nearest to another."""

from django.http import HttpRequest
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header


def supported(tag: str) -> str | None:
    """The language of ours for a tag such as de-AT, or None."""
    try:
        return get_supported_language_variant(tag)
    except LookupError:
        return None


def of_browser(request: HttpRequest) -> str | None:
    """The first language of Accept-Language that is one of ours."""
    for tag, _quality in parse_accept_lang_header(request.headers.get("Accept-Language", "")):
        if tag == "*":
            return None
        if language := supported(tag):
            return language
    return None
