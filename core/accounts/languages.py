"""The language of a request, and the one that somebody has chosen in the account menu."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from core.accounts import preferences
from core.accounts.error_pages import is_for_readers
from core.accounts.rights import PUBLIC, rights_of
from core.club import queries as club
from core.common.http import is_api
from core.common.languages import of_browser
from core.dynamo import preferences as stored_preferences
from core.dynamo.errors import DataError

PREFERENCE = "language"
# Sign-in, whose pages belong to one person, and the API.
NEGOTIATED = ("accounts", "api")


class LanguageMiddleware:
    """Activates the language of the browser or else of the club; then `activate_chosen` that of the person.

    The website has the club's language, whatever the browser says: caches keep its pages for everybody.
    Programs get the language that they ask for, or English.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # `config.middleware.LocaleMiddleware` has activated that of the browser.
        if not is_api(request) and of_browser(request) is None:
            translation.activate(club.current().texts_language)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> None:
        if has_language_of_club(request):
            translation.activate(club.current().texts_language)


def has_language_of_club(request: HttpRequest) -> bool:
    """Whether everybody gets the same language: on the website, and wherever else nobody needs to sign in."""
    match = request.resolver_match
    if match is None or match.namespace in NEGOTIATED:
        return is_for_readers(request)
    return rights_of(match.func) == (PUBLIC,)


def chosen_language(request: HttpRequest) -> str:
    """What the person has chosen; empty for the language of the browser."""
    chosen = str(preferences.of(request).get(PREFERENCE, ""))
    return chosen if chosen in dict(settings.LANGUAGES) else ""


def language_of(sub: str) -> str:
    """The language for a mail to a person, who may have chosen one: else that of the club."""
    try:
        chosen = stored_preferences.all_of(sub).get(PREFERENCE) if sub else None
    except DataError:
        chosen = None
    return chosen if chosen in dict(settings.LANGUAGES) else club.current().texts_language


def activate_chosen(request: HttpRequest) -> None:
    """Called once the user is known, and so before a view that needs one."""
    if not (is_api(request) or has_language_of_club(request)) and (chosen := chosen_language(request)):
        translation.activate(chosen)
