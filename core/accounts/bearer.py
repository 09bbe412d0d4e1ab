"""The user of an Authorization header: of a personal access token, or of a Cognito access token."""

from django.utils.translation import gettext_lazy as _

from core.accounts.user import User
from core.dynamo.errors import DataError

# Of a personal access token, so that people and secret scanners recognise it.
PREFIX = "fhp_"


class InvalidBearer(DataError):
    status_code = 401
    message = _("This access token is invalid or has expired. Sign in again.")

    @property
    def headers(self) -> dict[str, str]:
        return {"WWW-Authenticate": 'Bearer realm="fieldhouse", error="invalid_token"'}


def user_of(header: str) -> User:
    """Raises InvalidBearer unless the header has a valid token."""
    # Imported with the first token: few workers of a small club ever see one.
    scheme, _space, token = header.partition(" ")
    if scheme.lower() == "bearer" and token.strip().startswith(PREFIX):
        from core.accounts.personal_tokens import services

        return services.user_of(token.strip())
    from core.accounts.tokens import user_from_bearer

    return user_from_bearer(header)
