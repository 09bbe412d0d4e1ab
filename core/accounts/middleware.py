"""Middleware for sessions, `request.user` and the rights of views, which are denied by default."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.middleware import SessionMiddleware as DjangoSessionMiddleware
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject
from structlog.contextvars import bind_contextvars

from core.accounts import bearer, directory
from core.accounts.error_pages import data_error_page
from core.accounts.languages import activate_chosen
from core.accounts.resend import resend_page
from core.accounts.rights import PUBLIC, may_open, rights_of
from core.accounts.sessions import load_user
from core.accounts.user import AnonymousUser, User
from core.common.http import is_api, is_htmx
from core.dynamo import prefetch
from core.dynamo.errors import DataError

SAFE = {"GET", "HEAD", "OPTIONS"}


class SessionMiddleware(DjangoSessionMiddleware):
    """Django's, but an outage while the session is saved is a 503 that leaves the cookie unchanged."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        try:
            self._keep_alive(request)
            return super().process_response(request, response)
        except DataError as error:
            return data_error_page(error)

    def _keep_alive(self, request: HttpRequest) -> None:
        session: Any = request.session
        if session.accessed and session.needs_keeping_alive and not session.modified:
            try:
                session.save()
            except (DataError, UpdateError):
                # The page was rendered with a valid session; the next request can extend it.
                return


class UserMiddleware(MiddlewareMixin):
    """Sets `request.user` to the user of the session or, in the API, of the token; loaded when accessed."""

    def process_request(self, request: HttpRequest) -> None:
        def load() -> User | AnonymousUser:
            # Replaces the lazy object, through which each attribute access takes ten times as long.
            request.user = user = _user_of(request)  # type: ignore[assignment]
            activate_chosen(request)
            return user

        request.user = SimpleLazyObject(load)  # type: ignore[assignment]


class RightsMiddleware(MiddlewareMixin):
    """Refuses a request unless its view declares rights and the user has them."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        method = str(request.method)
        # A token that is not valid is refused, also by what is public: its sender believes to be signed in.
        if rights_of(view, method) == (PUBLIC,) and not _has_token(request):
            return None
        if reads := getattr(view, "reads", None):
            prefetch.expect(reads(request, **kwargs))
        try:
            if not request.user.is_authenticated:
                return _token_first() if is_api(request) else _sign_in_first(request)
        except DataError as error:
            # Django would answer an exception of process_view with 500; an outage of the sessions is a 503.
            return data_error_page(error)
        if not may_open(request.user, view, method):
            bind_contextvars(right=" ".join(rights_of(view, method)))
            raise PermissionDenied
        return None


def _has_token(request: HttpRequest) -> bool:
    return is_api(request) and "Authorization" in request.headers


def _user_of(request: HttpRequest) -> User | AnonymousUser:
    if not _has_token(request):
        return load_user(request)
    # Never of the session instead: whoever sends a token means its rights, and other sites cannot send one.
    user = bearer.user_of(request.headers["Authorization"])
    bind_contextvars(sub=user.sub)
    # A token of Cognito has no name, which is stored with whatever the person writes.
    is_named = bool(user.email) or request.method in SAFE
    return user if is_named else directory.with_name(user)


def _token_first() -> HttpResponse:
    """`api.middleware` adds the problem details."""
    return HttpResponse(status=401, headers={"WWW-Authenticate": 'Bearer realm="fieldhouse"'})


def _sign_in_first(request: HttpRequest) -> HttpResponse:
    if request.method not in SAFE:
        return resend_page(request, status=401)
    if is_htmx(request):
        # HTMX would follow a redirect and swap the page into the fragment; HX-Redirect loads a whole page.
        return HttpResponse(status=401, headers={"HX-Redirect": _login_address(_page_of(request))})
    return HttpResponseRedirect(_login_address(request.get_full_path()))


def _page_of(request: HttpRequest) -> str:
    """The path of the page that sent an HTMX request."""
    site = f"{request.scheme}://{request.get_host()}"
    page = request.headers.get("HX-Current-URL", "")
    return page.removeprefix(site) if page.startswith(f"{site}/") else reverse("home")


def _login_address(next_path: str) -> str:
    return f"{reverse('accounts:login')}?{urlencode({'next': next_path})}"
