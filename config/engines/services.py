"""Detects services that environment variables configure: these are neither started nor provisioned."""

import os

AWS_VARIABLES = ("AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_ENDPOINT_URL")
DYNAMODB_VARIABLES = ("DYNAMODB_ENDPOINT", "AWS_ENDPOINT_URL_DYNAMODB")
COGNITO_VARIABLES = ("COGNITO_USER_POOL_ID", "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER")
S3_VARIABLES = ("MEDIA_BUCKET", "AWS_ENDPOINT_URL_S3")


def given_by(variables: tuple[str, ...]) -> str | None:
    """The first set variable that configures the service or all of AWS; None if there is none."""
    return next((name for name in (*AWS_VARIABLES, *variables) if os.environ.get(name)), None)
