"""A user's preferences, copied into the session so that pages read them without a request to DynamoDB."""

from typing import Any

from django.http import HttpRequest

from core.accounts.user import User
from core.dynamo import preferences
from core.dynamo.errors import DataError

KEPT_IN = "preferences"


def load(request: HttpRequest, user: User) -> None:
    """Copy the preferences into the session at sign-in. An outage is ignored: the defaults then apply."""
    try:
        request.session[KEPT_IN] = preferences.all_of(user.sub)
    except DataError:
        request.session.pop(KEPT_IN, None)


def of(request: HttpRequest) -> dict[str, Any]:
    """All preferences by name, from the session."""
    kept: dict[str, Any] = request.session.get(KEPT_IN, {})
    return kept


def current(request: HttpRequest, user: User) -> dict[str, Any]:
    """All preferences from DynamoDB, before a change: another device may have changed them."""
    request.session[KEPT_IN] = preferences.all_of(user.sub)
    return of(request)


def save(request: HttpRequest, user: User, name: str, value: Any) -> None:
    preferences.save(user.sub, name, value)
    request.session[KEPT_IN] = {**of(request), name: value}


def forget(request: HttpRequest, user: User, name: str) -> None:
    preferences.forget(user.sub, name)
    request.session[KEPT_IN] = {other: value for other, value in of(request).items() if other != name}
