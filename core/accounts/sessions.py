"""The session of a signed-in user: created by the callback, renewed every 15 minutes, ended by logout."""

import time
from dataclasses import replace
from typing import Any

from django.contrib.sessions.backends.base import UpdateError
from django.http import HttpRequest
from django.middleware.csrf import rotate_token
from structlog.contextvars import bind_contextvars

from core.accounts import cognito, directory, hooks, oidc, preferences
from core.accounts.oidc import SignedIn, SignInRefused, SignInUnavailable
from core.accounts.user import AnonymousUser, User
from core.common.logs import events
from core.dynamo.errors import DataError

RENEW_AFTER = 15 * 60
TRY_AGAIN_AFTER = 60


def begin(request: HttpRequest, signed_in: SignedIn) -> None:
    """Sign the user in, with a new session key against session fixation."""
    session: Any = request.session
    session.clear()
    session.cycle_key()
    session.belongs_to(signed_in.user.sub)
    user = hooks.with_own_name(hooks.with_member_ids(signed_in.user))
    session["user"] = user.for_session()
    session["refresh_token"] = signed_in.refresh_token
    session["renew_at"] = time.time() + RENEW_AFTER
    request.user = user  # type: ignore[assignment]
    preferences.load(request, user)
    rotate_token(request)
    events.info("signed_in", sub=user.sub)
    hooks.signed_in(user)


def rename(request: HttpRequest, name: str) -> None:
    """Change the name of the session's user; the directory is updated by the caller."""
    user = replace(User.from_session(request.session["user"]), name=name)
    request.session["user"] = user.for_session()


def end(request: HttpRequest) -> None:
    refresh_token = request.session.get("refresh_token")
    events.info("signed_out", sub=getattr(request.user, "sub", None))
    request.session.flush()
    if refresh_token:
        oidc.revoke(refresh_token)


def load_user(request: HttpRequest) -> User | AnonymousUser:
    kept = request.session.get("user")
    if kept is None:
        return AnonymousUser()
    user = User.from_session(kept)
    bind_contextvars(sub=user.sub)
    if time.time() < request.session["renew_at"]:
        return user
    return _renewed(request, user)


def _renewed(request: HttpRequest, user: User) -> User | AnonymousUser:
    """The user after a refresh of the tokens, with current groups; anonymous if the account was disabled."""
    session: Any = request.session
    try:
        # Only one of several concurrent requests refreshes: a refresh token may be valid for a single use.
        if not session.claim("renew_at", time.time() + TRY_AGAIN_AFTER):
            return user
    except UpdateError:
        return AnonymousUser()
    refresh_token = session.get("refresh_token")
    try:
        if not refresh_token:
            raise SignInRefused
        answer = oidc.renew(user, refresh_token)
        request.session["refresh_token"] = answer.refresh_token
        renewed = hooks.with_own_name(hooks.with_member_ids(cognito.with_groups(answer.user)))
    except SignInUnavailable:
        # Cognito is down, which must not sign the user out: keep the stored user and retry soon.
        return user
    except SignInRefused:
        events.info("session_refused", sub=user.sub)
        request.session.flush()
        return AnonymousUser()
    request.session["user"] = renewed.for_session()
    request.session["renew_at"] = time.time() + RENEW_AFTER
    if renewed.name != user.name:
        _enter_name(renewed)
    return renewed


def _enter_name(user: User) -> None:
    """Update the name in the directory. An error is only logged: the next sign-in repeats it."""
    try:
        directory.enter_name(user)
    except DataError:
        events.error("directory_not_written", sub=user.sub, by=user.sub)
