"""Cognito's administration API: the people of the club as accounts."""

from functools import cache
from typing import Any

import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings

from accounts.oidc import SignInRefused, SignInUnavailable
from accounts.user import User

REFUSALS = {"UserNotFoundException", "UserNotConfirmedException", "NotAuthorizedException"}


def with_groups(user: User) -> User:
    """The person with the groups they are in now."""
    if user.groups:
        return user
    # A token without groups may come from an engine that leaves them out when it renews.
    answer = call("admin_list_groups_for_user", Username=user.sub)
    return User.of(
        sub=user.sub,
        name=user.name,
        email=user.email,
        groups=[group["GroupName"] for group in answer["Groups"]],
    )


def call(operation: str, **arguments: Any) -> dict[str, Any]:
    """One request to the user pool."""
    try:
        client = _client(settings.AWS_REGION, settings.COGNITO_ENDPOINT)
        answer: dict[str, Any] = getattr(client, operation)(
            UserPoolId=settings.COGNITO_USER_POOL_ID, **arguments
        )
        return answer
    except ClientError as error:
        if error.response["Error"]["Code"] in REFUSALS:
            raise SignInRefused from error
        raise SignInUnavailable from error
    except BotoCoreError as error:
        raise SignInUnavailable from error


@cache
def _client(region: str, endpoint: str | None) -> Any:
    config = Config(connect_timeout=1, read_timeout=3, retries={"mode": "standard", "total_max_attempts": 2})
    return botocore.session.get_session().create_client(
        "cognito-idp", region_name=region, endpoint_url=endpoint, config=config
    )
