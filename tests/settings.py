"""The real settings with fixed test values; the engine's address is set by conftest once it runs."""

import os
import secrets

os.environ.update(
    DEBUG="false",
    SECRET_KEY="only-for-tests-" + "0123456789abcdef" * 4,
    ALLOWED_HOSTS="testserver,127.0.0.1,localhost",
    # A test says so where it is about another language; `de` is the default of the site.
    CLUB_LANGUAGE="en",
    COGNITO_USER_POOL_ID="eu-central-1_Tests",
    COGNITO_CLIENT_ID="tests-client",
    COGNITO_DOMAIN="https://login.fieldhouse.example",
)
if os.environ.get("TEST_ON_AWS"):
    # Tables of this run's own, whatever else lives in the account.
    os.environ["TABLE_PREFIX"] = f"fieldhouse-test-{secrets.token_hex(4)}-"
else:
    os.environ.update(AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_REGION="eu-central-1")

from config.settings import *  # noqa: F403

# Pages are made anew each time; the tests of the memory switch it on.
CACHES = CACHES | {"pages": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}  # noqa: F405
# No result depends on the speed of the machine; tests of the limits use `giving_up_soon`.
DYNAMODB_READ_SECONDS = DYNAMODB_REQUEST_SECONDS = 60.0
SECURE_SSL_REDIRECT = False
STORAGES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
