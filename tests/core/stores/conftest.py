"""Stores of both kinds, with a clock that stands until a test moves it."""

import pytest

from core.stores.config import StoreConfig


class Clock:
    def __init__(self, milliseconds: int) -> None:
        self.ms = milliseconds

    def __call__(self) -> int:
        return self.ms

    def pass_ms(self, milliseconds: int) -> None:
        self.ms += milliseconds


@pytest.fixture
def clock() -> Clock:
    """At the beginning of a minute."""
    return Clock(1_800_000_000_000)


@pytest.fixture(params=["dynamodb", "memory"])
def kind(request: pytest.FixtureRequest) -> str:
    """The promises of a store hold wherever it keeps its things."""
    if request.param == "dynamodb":
        request.getfixturevalue("db")
    return str(request.param)


@pytest.fixture
def config(kind: str) -> StoreConfig:
    return StoreConfig(in_memory=kind == "memory")
