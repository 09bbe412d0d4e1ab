"""A fake Cognito for the tests of signing in."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.core.accounts.issuer import Issuer
from tests.user_pool import admin, as_person, pool, user_pool  # noqa: F401


@pytest.fixture
def issuer(settings: Settings) -> Iterator[Issuer]:
    """An issuer that the application takes for Cognito."""
    with Issuer(issuer=settings.COGNITO_ISSUER, client_id=settings.COGNITO_CLIENT_ID) as running:
        settings.COGNITO_DOCUMENTS = running.documents
        settings.COGNITO_JWKS_URL = running.jwks_address
        settings.COGNITO_DOMAIN = running.endpoint
        yield running
