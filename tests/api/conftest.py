"""What the tests of the API need: programs that send JSON, with a session or with a token."""

from collections.abc import Callable, Iterator

import pytest

from api.limits import READS, VISITORS
from core.accounts.user import User
from core.stores.limits import LIMITERS
from tests.api.programs import Program
from tests.cast import CAST
from tests.core.accounts.conftest import issuer  # noqa: F401
from tests.core.accounts.issuer import Issuer, Lies


@pytest.fixture
def program(db: object) -> Callable[[str], Program]:
    """`program("scout")` sends with the session of one of the cast."""
    return Program


@pytest.fixture
def token_of(issuer: Issuer) -> Callable[[str], str]:  # noqa: F811
    """`token_of("scout")` is a Cognito access token of one of the cast."""

    def token(role: str) -> str:
        person: User = CAST[role]
        claims = {"sub": person.sub, "username": person.sub, "cognito:groups": sorted(person.groups)}
        issuer.lies = Lies(access_claims=claims)
        return issuer.access_token()

    return token


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever walks all operations sends more than a person may."""
    for limiter in LIMITERS.values():
        monkeypatch.setattr(limiter, "ensure", lambda _key: None)


@pytest.fixture(autouse=True)
def _limits_of_this_test() -> Iterator[None]:
    """The process counts reads in its memory."""
    yield
    for person in CAST.values():
        READS.reset(person.sub)
    VISITORS.reset("127.0.0.1")
