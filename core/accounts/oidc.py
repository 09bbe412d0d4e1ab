"""Sign-in through Cognito's managed login: authorization code with PKCE, state and nonce.

Authlib implements the protocol; state, nonce and verifier are stored in the server-side session, never in a
cache (CVE-2025-68158). Every invalid response raises `SignInRefused`.
Authlib and requests are imported inside functions: they take 45 ms, which no other page needs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.common.logs import events
from core.dynamo.errors import DataError

SECONDS = 3
LEEWAY_SECONDS = 60
MOST_ATTEMPTS = 10
ALGORITHMS = ["RS256"]


class SignInRefused(DataError):
    status_code = 400
    message = _("Sign-in failed. Try again.")
    # The account, if the response identifies it.
    sub = ""


class SignInUnavailable(DataError):
    status_code = 503
    message = _("You cannot sign in right now because the sign-in service is not responding.")
    retry_after = 30


@dataclass(frozen=True)
class SignedIn:
    user: User
    refresh_token: str | None


def begin(request: HttpRequest) -> HttpResponseRedirect:
    """Redirect to the managed login."""
    import requests

    _forget_old_attempts(request)
    try:
        redirect: HttpResponseRedirect = _client().authorize_redirect(request, _callback_address(request))
    except requests.RequestException as error:
        raise SignInUnavailable from error
    return redirect


def finish(request: HttpRequest) -> SignedIn:
    """The user of the managed login's callback; raises SignInRefused if anything in it is invalid."""
    import requests

    sub = ""
    try:
        token = _client().authorize_access_token(
            request, claims_options=_required_claims(), leeway=LEEWAY_SECONDS
        )
        # Authlib reports no error without an ID token, and does not check at_hash without an access token.
        claims, _access_token = token["userinfo"], token["access_token"]
        sub = claims["sub"]
        if claims.get("token_use") != "id" or not _is_true(claims.get("email_verified")):
            raise SignInRefused
        return SignedIn(user=user_of(claims), refresh_token=token.get("refresh_token"))
    except requests.RequestException as error:
        raise SignInUnavailable from error
    except Exception as error:
        events.warning("sign_in_refused", reason=type(error).__name__)
        refused = SignInRefused()
        refused.sub = sub
        raise refused from error


def renew(user: User, refresh_token: str) -> SignedIn:
    """The user with the claims of a renewed token; refused if they were disabled or signed out everywhere."""
    import requests

    # A renewed token answers no authorization request, so it has no nonce.
    required = {name: rule for name, rule in _required_claims().items() if name != "nonce"}
    try:
        token = _refreshed(refresh_token)
        claims = _client().parse_id_token(token, nonce=None, claims_options=required, leeway=LEEWAY_SECONDS)
        # A changed e-mail address takes effect at the next sign-in, which checks that it is verified.
        renewed = user_of({**claims, "email": user.email})
        if claims.get("token_use") != "id" or renewed.sub != user.sub:
            raise SignInRefused
    except requests.RequestException as error:
        raise SignInUnavailable from error
    except Exception as error:
        raise SignInRefused from error
    # With refresh token rotation the response contains the next one.
    return SignedIn(user=renewed, refresh_token=token.get("refresh_token") or refresh_token)


def _refreshed(refresh_token: str) -> dict[str, Any]:
    """The response of the token endpoint. Only 400 is a refusal: throttling must not sign anybody out."""
    import requests

    client = _client()
    answer = requests.post(
        client.load_server_metadata()["token_endpoint"],
        data={
            "grant_type": "refresh_token",
            "refresh_token": refresh_token,
            "client_id": settings.COGNITO_CLIENT_ID,
        },
        timeout=SECONDS,
    )
    if answer.status_code == 400:
        raise SignInRefused
    answer.raise_for_status()
    token: dict[str, Any] = answer.json()
    return token


def revoke(refresh_token: str) -> None:
    """Revoke a refresh token. Errors are ignored: the session is deleted, and ministack cannot revoke."""
    import requests

    try:
        requests.post(
            f"{settings.COGNITO_DOMAIN}/oauth2/revoke",
            data={"token": refresh_token, "client_id": settings.COGNITO_CLIENT_ID},
            timeout=SECONDS,
        )
    except requests.RequestException:
        return


def logout_address(request: HttpRequest) -> str:
    """The URL of Cognito's logout, which redirects back to our signed-out page."""
    back = request.build_absolute_uri(reverse("accounts:signed_out"))
    query = urlencode({"client_id": settings.COGNITO_CLIENT_ID, "logout_uri": back})
    return f"{settings.COGNITO_DOMAIN}/logout?{query}"


def user_of(claims: Mapping[str, Any]) -> User:
    sub, email, groups = claims["sub"], claims["email"], claims.get("cognito:groups", [])
    name = name_of(claims)
    if not all(isinstance(text, str) and text for text in (sub, email, name, *groups)):
        raise SignInRefused
    user = User.of(sub=sub, name=name, email=email, groups=groups)
    return replace(user, issued_at=datetime.fromtimestamp(claims["iat"], UTC))


def name_of(claims: Mapping[str, Any]) -> str:
    """The display name from the claims of a token, or from the attributes of an account in the user pool."""
    names = (claims.get("given_name"), claims.get("family_name"))
    name: str = claims.get("name") or " ".join(part for part in names if part)
    return name or claims.get("email", "").partition("@")[0]


def _required_claims() -> dict[str, Any]:
    return {
        "iss": {"essential": True, "values": [settings.COGNITO_ISSUER]},
        "aud": {"essential": True, "values": [settings.COGNITO_CLIENT_ID]},
        "exp": {"essential": True},
        "iat": {"essential": True},
        "sub": {"essential": True},
        "nonce": {"essential": True},
        # Cognito always sends it; ministack never does.
        "at_hash": {"essential": settings.COGNITO_ENDPOINT is None},
        "email": {"essential": True},
    }


def _is_true(value: Any) -> bool:
    # Cognito sends a boolean in ID tokens and the text "true" in some attribute mappings.
    return value is True or value == "true"


def _forget_old_attempts(request: HttpRequest) -> None:
    """Delete the state of all but the latest attempts to sign in, so that the session stays small."""
    attempts = [(kept["exp"], key) for key, kept in request.session.items() if key.startswith("_state_")]
    for _expires, key in sorted(attempts)[: 1 - MOST_ATTEMPTS]:
        del request.session[key]


def _callback_address(request: HttpRequest) -> str:
    return request.build_absolute_uri(reverse("accounts:callback"))


@cache
def _oauth_client(client_id: str, documents: str) -> Any:
    from authlib.integrations.django_client import OAuth

    return OAuth().register(
        "cognito",
        client_id=client_id,
        server_metadata_url=f"{documents}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid email profile",
            "code_challenge_method": "S256",
            "default_timeout": SECONDS,
            "token_endpoint_auth_method": "none",
        },
    )


def _client() -> Any:
    client = _oauth_client(settings.COGNITO_CLIENT_ID, settings.COGNITO_DOCUMENTS)
    # Only these algorithms are accepted, whatever the issuer's metadata offers.
    client.load_server_metadata()["id_token_signing_alg_values_supported"] = ALGORITHMS
    return client
