"""Everybody who has quests, as programs."""

from collections.abc import Callable, Iterator

import pytest

from quests.limits import LIMITS, OTHERS
from tests.api.programs import Program
from tests.cast import CAST
from tests.quests.board import open_accounts


@pytest.fixture(autouse=True)
def _accounts(db: object) -> Iterator[None]:
    open_accounts()
    yield
    for limiter in (*LIMITS.values(), OTHERS):
        for person in CAST.values():
            limiter.reset(person.sub)


@pytest.fixture
def creator(program: Callable[[str], Program]) -> Program:
    return program("member")


@pytest.fixture
def performer(program: Callable[[str], Program]) -> Program:
    return program("other-member")


@pytest.fixture
def bystander(program: Callable[[str], Program]) -> Program:
    return program("official")


@pytest.fixture
def steward(program: Callable[[str], Program]) -> Program:
    return program("steward")
