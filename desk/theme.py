"""The theme (light, dark or that of the device), in a cookie, so that the server can render it."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from core.accounts.rights import requires
from core.common.http import is_htmx

THEMES = ("light", "dark", "system")
COOKIE_SECONDS = 365 * 24 * 3600


def theme(request: HttpRequest) -> dict[str, str]:
    """Template context processor for the theme."""
    chosen = request.COOKIES.get(settings.THEME_COOKIE_NAME, "")
    return {"theme": chosen if chosen in THEMES else "system"}


@requires("home.page.view")
@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    chosen = request.POST.get("theme", "")
    if chosen not in THEMES:
        return HttpResponseBadRequest()
    page = HttpResponseRedirect(page_before(request))
    response = HttpResponse(status=204) if is_htmx(request) else page
    response.set_cookie(
        settings.THEME_COOKIE_NAME,
        chosen,
        max_age=COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def page_before(request: HttpRequest) -> str:
    """The page of ours on which a form of the account menu was sent."""
    page = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(
        page, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return page if page and is_ours else reverse("home")
