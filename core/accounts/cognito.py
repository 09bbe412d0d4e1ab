"""Client of Cognito's administration API."""

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from core.accounts.oidc import SignInRefused, SignInUnavailable, name_of
from core.accounts.user import GUEST, KNOWN_GROUPS, User
from core.common.logs import events
from core.dynamo.aws import forget_other_services
from core.dynamo.errors import AlreadyExists, DataError, InvalidToken, NotFound, Unavailable

REFUSALS = {"UserNotFoundException", "UserNotConfirmedException", "NotAuthorizedException"}

STATES = {"CONFIRMED": "active", "EXTERNAL_PROVIDER": "active", "FORCE_CHANGE_PASSWORD": "invited"}
PAGE_SIZE = 20
MOST_IN_GROUP = 60  # the most that Cognito returns in one response
# Cognito may return few users and a pagination token; after this many requests the page stays short.
MOST_REQUESTS_PER_PAGE = 4
THREADS = 5


class AccountsUnavailable(Unavailable):
    message = _("Accounts are unavailable because the sign-in service is not responding.")
    retry_after = 30


class NoSuchGroup(AccountsUnavailable):
    """The group does not exist in the user pool."""


class NotAccepted(DataError):
    status_code = 422
    message = _("The sign-in service rejected this.")


@dataclass(frozen=True)
class Account:
    """A user of the user pool."""

    sub: str
    name: str
    email: str
    enabled: bool
    status: str
    created_at: datetime
    changed_at: datetime
    groups: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        if not self.enabled:
            return "disabled"
        return STATES.get(self.status, "reset")

    @property
    def is_admin(self) -> bool:
        return "admin" in self.groups

    @property
    def is_guest(self) -> bool:
        return self.groups == (GUEST,)


class ListPosition(NamedTuple):
    """The position in a list: the search, and Cognito's pagination token."""

    search: int = 0
    token: str | None = None


class AccountList(NamedTuple):
    accounts: list[Account]
    next_place: ListPosition | None


def with_groups(user: User) -> User:
    """The user with the groups of the token or, if it names none, with those in Cognito."""
    if user.groups:
        return user
    # ministack leaves the groups out of a renewed token.
    answer = call("admin_list_groups_for_user", Username=user.sub)
    return User.of(
        sub=user.sub,
        name=user.name,
        email=user.email,
        groups=[group["GroupName"] for group in answer["Groups"]],
    )


def call(operation: str, **arguments: Any) -> dict[str, Any]:
    """One request to the user pool for a person who signs in."""
    try:
        return _send(operation, arguments)
    except ClientError as error:
        if error.response["Error"]["Code"] in REFUSALS:
            raise SignInRefused from error
        raise SignInUnavailable from error
    except BotoCoreError as error:
        raise SignInUnavailable from error


def find(text: str = "", place: ListPosition | None = None) -> AccountList:
    """One page of accounts with their groups: all accounts, or those whose name or e-mail begins with `text`.

    Cognito can filter by one attribute only, so the attributes are searched one after the other.
    """
    searches = _searches(text)
    accounts: list[Account] = []
    next_place: ListPosition | None = place or ListPosition()
    for _request in range(MOST_REQUESTS_PER_PAGE):
        if next_place is None or len(accounts) >= PAGE_SIZE:
            break
        answer = _list(searches[next_place.search], text, next_place.token, PAGE_SIZE - len(accounts))
        earlier = searches[: next_place.search]
        accounts += [
            _account(entry, entry["Attributes"])
            for entry in answer["Users"]
            if not _is_found_by(earlier, text, entry["Attributes"])
        ]
        next_place = _after(next_place, answer.get("PaginationToken"), len(searches))
    return AccountList(_all_with_their_groups(accounts), next_place)


def in_group(group: str) -> tuple[list[Account], bool]:
    """The first accounts of a group, oldest first, and whether there are more.

    Each account has only this group in `groups`: Cognito's response does not name the others.
    """
    try:
        answer = administer("list_users_in_group", GroupName=group, Limit=MOST_IN_GROUP)
    except NoSuchGroup:
        return [], False
    found = [replace(_account(entry, entry["Attributes"]), groups=(group,)) for entry in answer["Users"]]
    return sorted(found, key=lambda account: account.created_at), "NextToken" in answer


def get(sub: str) -> Account:
    """A user with their groups."""
    answer = administer("admin_get_user", Username=sub)
    return replace(_account(answer, answer["UserAttributes"]), groups=groups_of(sub))


def groups_of(sub: str) -> tuple[str, ...]:
    """The known groups, in the order of KNOWN_GROUPS."""
    answer = administer("admin_list_groups_for_user", Username=sub)
    held = {group["GroupName"] for group in answer["Groups"]}
    return tuple(group for group in KNOWN_GROUPS if group in held)


def create(*, email: str, given_name: str, family_name: str, password: str) -> str:
    """Create an account with a verified e-mail and a temporary password; returns its sub."""
    attributes = {
        "email": email,
        "email_verified": "true",
        "given_name": given_name,
        "family_name": family_name,
        "name": f"{given_name} {family_name}".strip(),
    }
    answer = administer(
        "admin_create_user",
        Username=email,
        TemporaryPassword=password,
        MessageAction="SUPPRESS",
        UserAttributes=[{"Name": name, "Value": value} for name, value in attributes.items() if value],
    )
    return _values(answer["User"]["Attributes"])["sub"]


def administer(operation: str, **arguments: Any) -> dict[str, Any]:
    """One request to the user pool on behalf of an administrator."""
    try:
        return _send(operation, arguments)
    except ClientError as error:
        raise _meaning(operation, error.response["Error"]["Code"]) from error
    except BotoCoreError as error:
        events.error("cognito_unreachable", operation=operation, reason=type(error).__name__)
        raise AccountsUnavailable from error


def _meaning(operation: str, code: str) -> DataError:
    match code:
        case "UserNotFoundException":
            return NotFound(_("This account does not exist or was deleted."))
        case "UsernameExistsException" | "AliasExistsException":
            return AlreadyExists(_("An account with this e-mail address already exists."), field="email")
        case "InvalidParameterException" if operation == "list_users":
            return InvalidToken()
        case "InvalidParameterException":
            return NotAccepted(field="email")
        case "ResourceNotFoundException" if operation == "list_users_in_group":
            return NoSuchGroup()
    events.error("cognito_failed", operation=operation, code=code)
    return AccountsUnavailable()


def _searches(text: str) -> list[str]:
    if not text:
        return [""]
    return ["email"] if "@" in text else ["name", "family_name", "email"]


def _list(attribute: str, text: str, token: str | None, limit: int) -> dict[str, Any]:
    arguments: dict[str, Any] = {"Limit": limit}
    if attribute:
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        arguments["Filter"] = f'{attribute} ^= "{escaped}"'
    if token:
        arguments["PaginationToken"] = token
    return administer("list_users", **arguments)


def _is_found_by(searches: Iterable[str], text: str, attributes: list[dict[str, str]]) -> bool:
    """Whether an earlier search of the same list has returned this user."""
    values = _values(attributes)
    return any(values.get(name, "").casefold().startswith(text.casefold()) for name in searches)


def _after(place: ListPosition, token: str | None, searches: int) -> ListPosition | None:
    if token:
        return ListPosition(place.search, token)
    return ListPosition(place.search + 1) if place.search + 1 < searches else None


def _all_with_their_groups(accounts: list[Account]) -> list[Account]:
    with ThreadPoolExecutor(THREADS) as threads:
        groups = threads.map(groups_of, [account.sub for account in accounts])
        return [replace(account, groups=held) for account, held in zip(accounts, groups, strict=True)]


def _account(entry: Mapping[str, Any], attributes: list[dict[str, str]]) -> Account:
    values = _values(attributes)
    return Account(
        sub=values["sub"],
        name=name_of(values) or values["sub"],
        email=values.get("email", "").lower(),
        enabled=entry["Enabled"],
        status=entry["UserStatus"],
        created_at=entry["UserCreateDate"],
        changed_at=entry["UserLastModifiedDate"],
    )


def _values(attributes: list[dict[str, str]]) -> dict[str, str]:
    return {attribute["Name"]: attribute.get("Value", "") for attribute in attributes}


def _send(operation: str, arguments: dict[str, Any]) -> dict[str, Any]:
    client = _client(settings.AWS_REGION, settings.COGNITO_ENDPOINT)
    answer: dict[str, Any] = getattr(client, operation)(UserPoolId=settings.COGNITO_USER_POOL_ID, **arguments)
    return answer


@cache
def _client(region: str, endpoint: str | None) -> Any:
    config = Config(
        connect_timeout=1,
        read_timeout=3,
        max_pool_connections=50,
        retries={"mode": "standard", "total_max_attempts": 2},
    )
    session = botocore.session.get_session()
    forget_other_services(session, "cognito-idp")
    return session.create_client("cognito-idp", region_name=region, endpoint_url=endpoint, config=config)
