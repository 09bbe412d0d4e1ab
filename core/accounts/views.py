"""Views for sign-in and sign-out."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from core.accounts import oidc, sessions
from core.accounts.limits import limit_account, limit_begin, limit_finish, note_failure
from core.accounts.oidc import SignInUnavailable
from core.accounts.resend import resend_page
from core.accounts.rights import public

AFTER = "after_sign_in"


@public
@require_safe
def login(request: HttpRequest) -> HttpResponse:
    """Redirect to the managed login."""
    limit_begin(request)
    next_path = _own_path(request, request.GET.get("next", ""))
    try:
        response = oidc.begin(request)
    except SignInUnavailable as error:
        return _unavailable(request, error, next_path)
    request.session[AFTER] = next_path
    return response


@public
@require_safe
def callback(request: HttpRequest) -> HttpResponse:
    limit_finish(request)
    next_path = _own_path(request, request.session.get(AFTER, ""))
    try:
        signed_in = oidc.finish(request)
    except SignInUnavailable as error:
        return _unavailable(request, error, next_path)
    except oidc.SignInRefused as error:
        note_failure(request, error.sub)
        return render(request, "core/accounts/refused.html", {"error": error}, status=error.status_code)
    limit_account(signed_in.user.sub)
    sessions.begin(request, signed_in)
    return HttpResponseRedirect(next_path)


@public
@require_POST
def logout(request: HttpRequest) -> HttpResponse:
    """Public, so that it also works after the session has ended."""
    sessions.end(request)
    return HttpResponseRedirect(oidc.logout_address(request))


@public
@require_safe
def signed_out(request: HttpRequest) -> HttpResponse:
    return render(request, "core/accounts/signed_out.html")


@public
@require_safe
def signed_in_again(request: HttpRequest) -> HttpResponse:
    """The last page of the tab that was opened to sign in again next to an unsent form."""
    return render(request, "core/accounts/signed_in_again.html")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return resend_page(request, status=403)


def _own_path(request: HttpRequest, wanted: Any) -> str:
    """`wanted` if it is a path of this site, against open redirects."""
    is_ours = (
        isinstance(wanted, str)
        and wanted.startswith("/")
        and url_has_allowed_host_and_scheme(wanted, allowed_hosts=None, require_https=request.is_secure())
    )
    return wanted if is_ours else reverse("home")


def _unavailable(request: HttpRequest, error: SignInUnavailable, next_path: str) -> HttpResponse:
    context = {"error": error, "next_path": next_path}
    response = render(request, "core/accounts/unavailable.html", context, status=error.status_code)
    response["Retry-After"] = str(error.retry_after)
    return response
