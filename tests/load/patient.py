"""The production settings, but a request waits for DynamoDB as long as a slow machine takes."""

from config.settings import *  # noqa: F403

DYNAMODB_READ_SECONDS = DYNAMODB_REQUEST_SECONDS = 60.0
