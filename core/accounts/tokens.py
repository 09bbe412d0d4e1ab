"""Cognito access tokens for the API: the `User` of one.

An access token contains neither name nor e-mail. The user's name is the Cognito username, and without an
e-mail address the rights of a member's own records (`member_ids`) do not apply.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import requests
from django.conf import settings
from django.utils.translation import gettext_lazy as _
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import GuestProtocol, Key, KeySet

from core.accounts.bearer import InvalidBearer
from core.accounts.user import User
from core.dynamo.errors import Unavailable

log = logging.getLogger(__name__)

ALGORITHMS = ["RS256"]
LEEWAY_SECONDS = 30
FETCH_SECONDS = 2
# Tokens with invented key ids must not cause a request to Cognito each.
REFETCH_SECONDS = 60
RETRY_SECONDS = 5


class KeysUnavailable(Unavailable):
    message = _("Access tokens cannot be checked right now. Try again in a moment.")


def user_from_bearer(header: str) -> User:
    """The user of an Authorization header; raises InvalidBearer unless it has a valid access token."""
    scheme, _space, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise InvalidBearer
    claims = _checked_claims(token.strip())
    groups = claims.get("cognito:groups", [])
    if not isinstance(groups, list) or not all(isinstance(group, str) for group in groups):
        raise InvalidBearer
    return User.of(sub=claims["sub"], name=str(claims.get("username", "")), email="", groups=groups)


def _checked_claims(token: str) -> Mapping[str, Any]:
    registry = jwt.JWTClaimsRegistry(
        leeway=LEEWAY_SECONDS,
        iss={"essential": True, "value": settings.COGNITO_ISSUER},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
    )
    try:
        claims = jwt.decode(token, _key_of, algorithms=ALGORITHMS).claims
        registry.validate(claims)
    except (JoseError, ValueError) as error:
        raise InvalidBearer from error
    if claims.get("client_id") != settings.COGNITO_CLIENT_ID or claims.get("token_use") != "access":
        raise InvalidBearer
    return claims


def _key_of(token: GuestProtocol) -> Key:
    key = jwks().find(token.headers().get("kid"))
    if key is None:
        raise InvalidBearer
    return key


class JWKS:
    """Cognito's public keys: fetched at the first use, and again when a token names an unknown key.

    The cached keys stay in use while Cognito is down; without any, `KeysUnavailable` is raised.
    """

    def __init__(self, address: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._address = address
        self._clock = clock
        self._keys: dict[str, Key] = {}
        self._next_fetch = float("-inf")
        self._lock = threading.Lock()

    def find(self, kid: Any) -> Key | None:
        if not isinstance(kid, str):
            return None
        if kid not in self._keys:
            with self._lock:
                if self._clock() >= self._next_fetch:
                    self._fetch()
        if not self._keys:
            raise KeysUnavailable
        return self._keys.get(kid)

    def _fetch(self) -> None:
        self._keys = self._published() or self._keys
        self._next_fetch = self._clock() + (REFETCH_SECONDS if self._keys else RETRY_SECONDS)

    def _published(self) -> dict[str, Key]:
        """The keys that Cognito publishes; empty if it is down or the response is invalid."""
        try:
            answer = requests.get(self._address, timeout=FETCH_SECONDS, allow_redirects=False)
            answer.raise_for_status()
            return {str(key.kid): key for key in KeySet.import_key_set(answer.json())}
        except (requests.RequestException, JoseError, LookupError, TypeError, ValueError) as error:
            log.warning("Cognito's keys could not be fetched: %s", type(error).__name__)
            return {}


@cache
def _jwks_at(address: str) -> JWKS:
    return JWKS(address)


def jwks() -> JWKS:
    """The keys of our user pool, shared by this process."""
    return _jwks_at(settings.COGNITO_JWKS_URL)
