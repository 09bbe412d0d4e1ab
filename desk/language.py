"""The choice of a language in the account menu."""

from django.conf import settings
from django.http import HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.views.decorators.http import require_POST

from core.accounts import preferences
from core.accounts.languages import PREFERENCE
from core.accounts.rights import SignedInRequest, requires
from desk.theme import page_before


@requires("home.page.view")
@require_POST
def choose_language(request: SignedInRequest) -> HttpResponse:
    """An empty choice is the language of the browser."""
    chosen = request.POST.get("language", "")
    if chosen and chosen not in dict(settings.LANGUAGES):
        return HttpResponseBadRequest()
    if chosen:
        preferences.save(request, request.user, PREFERENCE, chosen)
    else:
        preferences.forget(request, request.user, PREFERENCE)
    return HttpResponseRedirect(page_before(request))
