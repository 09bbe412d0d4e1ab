"""A real user pool in ministack: fixtures for the tests of user administration.

A test asks for `pool`; the cast of the demo accounts is there by role, and what a test changed is put right
before the next one.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.conf import settings
from django.test import Client

from config.engines.dynoxide import Dynoxide
from config.engines.ministack import Ministack
from config.engines.provision import provision_user_pool
from core.accounts import cast, cognito
from core.accounts.user import User
from tests.cast import session_of

SITE = "http://testserver"


class Pool:
    """The user pool of this test worker, and its demo accounts by role."""

    def __init__(self, engine: Ministack, pool_id: str, client_id: str) -> None:
        self.engine = engine
        self.pool_id = pool_id
        self.client_id = client_id
        self._password_client: str | None = None
        self.people: dict[str, User] = {}

    def __getitem__(self, role: str) -> User:
        return self.people[role]

    def ask(self, operation: str, **arguments: Any) -> dict[str, Any]:
        """Past the application, straight to the user pool."""
        return cognito._send(operation, arguments)

    def add(self, given_name: str, family_name: str = "", *groups: str, email: str = "") -> str:
        """A confirmed person; answers the sub."""
        address = email or f"{given_name}.{family_name}@people.example".lower()
        sub = cognito.create(
            email=address, given_name=given_name, family_name=family_name, password=cast.PASSWORD
        )
        for group in groups:
            self.ask("admin_add_user_to_group", Username=sub, GroupName=group)
        self.ask("admin_set_user_password", Username=sub, Password=cast.PASSWORD, Permanent=True)
        return sub

    def groups_of(self, role: str) -> set[str]:
        return set(cognito.groups_of(self[role].sub))

    def sign_in_with(self, email: str, password: str) -> str:
        """What Cognito makes of a password: the name of a challenge, "in", or the code of a refusal."""
        return self._authenticate("ADMIN_USER_PASSWORD_AUTH", USERNAME=email, PASSWORD=password)

    def refresh_token_of(self, email: str) -> str:
        answer = self._initiate("ADMIN_USER_PASSWORD_AUTH", USERNAME=email, PASSWORD=cast.PASSWORD)
        return str(answer["AuthenticationResult"]["RefreshToken"])

    def refresh(self, token: str) -> str:
        """What Cognito makes of a refresh token: "in", or the code of a refusal."""
        return self._authenticate("REFRESH_TOKEN_AUTH", REFRESH_TOKEN=token)

    def _authenticate(self, flow: str, **parameters: str) -> str:
        try:
            answer = self._initiate(flow, **parameters)
        except ClientError as error:
            return str(error.response["Error"]["Code"])
        return str(answer.get("ChallengeName", "in"))

    def _initiate(self, flow: str, **parameters: str) -> dict[str, Any]:
        # The application's own client takes no passwords: people type them into Cognito's pages only.
        self._password_client = self._password_client or self._make_password_client()
        return self.ask(
            "admin_initiate_auth", ClientId=self._password_client, AuthFlow=flow, AuthParameters=parameters
        )

    def _make_password_client(self) -> str:
        made = self.ask(
            "create_user_pool_client",
            ClientName="passwords",
            ExplicitAuthFlows=["ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
        )
        return str(made["UserPoolClient"]["ClientId"])

    def restore(self) -> None:
        """Only the cast, enabled, in their groups, with their password."""
        self.people = {}
        for entry in self.ask("list_users")["Users"]:
            values = cognito._values(entry["Attributes"])
            person = next((person for person in cast.CAST if person.email == values["email"]), None)
            if person is None:
                self.ask("admin_delete_user", Username=values["sub"])
            else:
                self._restore_person(person, entry, values["sub"])

    def _restore_person(self, person: cast.Person, entry: dict[str, Any], sub: str) -> None:
        wanted = {person.group} if person.group else set()
        held = {
            group["GroupName"] for group in self.ask("admin_list_groups_for_user", Username=sub)["Groups"]
        }
        for group in held - wanted:
            self.ask("admin_remove_user_from_group", Username=sub, GroupName=group)
        for group in wanted - held:
            self.ask("admin_add_user_to_group", Username=sub, GroupName=group)
        if not entry["Enabled"]:
            self.ask("admin_enable_user", Username=sub)
        if entry["UserStatus"] != "CONFIRMED":
            self.ask("admin_set_user_password", Username=sub, Password=cast.PASSWORD, Permanent=True)
        role = person.group or ("member" if "member" not in self.people else "other-member")
        self.people[role] = User.of(sub=sub, name=person.name, email=person.email, groups=wanted)


@pytest.fixture(scope="session")
def user_pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    data: Path = tmp_path_factory.mktemp("ministack")
    with Ministack(data=data, region=settings.AWS_REGION) as running:
        made = provision_user_pool(running.endpoint, settings.AWS_REGION, SITE)
        yield Pool(running, made.pool_id, made.client_id)


@pytest.fixture
def pool(db: Dynoxide, user_pool: Pool, settings: Any) -> Pool:
    """The user pool as the application's own, with the cast in it and nobody else."""
    settings.COGNITO_ENDPOINT = user_pool.engine.endpoint
    settings.COGNITO_USER_POOL_ID = user_pool.pool_id
    settings.COGNITO_CLIENT_ID = user_pool.client_id
    user_pool.restore()
    return user_pool


@pytest.fixture
def as_person(pool: Pool) -> Callable[[str], Client]:
    """A client of its own for one of the cast, signed in under their real account."""

    def sign_in(role: str) -> Client:
        client = Client()
        client.cookies[settings.SESSION_COOKIE_NAME] = str(session_of(pool[role]).session_key)
        return client

    return sign_in


@pytest.fixture
def admin(as_person: Callable[[str], Client]) -> Client:
    return as_person("admin")
