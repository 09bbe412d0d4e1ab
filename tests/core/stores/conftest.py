"""Stores of both kinds, with a clock that stands until a test moves it."""

from collections.abc import Iterator
from typing import Any

import pytest

from core.stores.config import StoreConfig
from core.stores.http import HttpClient
from core.stores.interfaces import Limit
from tests.core.stores.far_side import MINUTE, FarSide, Make


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


@pytest.fixture
def far() -> Iterator[FarSide]:
    with FarSide() as running:
        yield running


@pytest.fixture
def make(far: FarSide, clock: Clock, db: object) -> Iterator[Make]:
    """Clients that may ask the far side although it is on loopback."""
    made: list[HttpClient] = []

    def client(**options: Any) -> HttpClient:
        chosen = {
            "origins": [far.origin],
            "limit": Limit(100, MINUTE),
            "may_connect": lambda _address: True,
            "clock": clock,
        }
        made.append(HttpClient("sams", **(chosen | options)))
        return made[-1]

    yield client
    for one in made:
        one.close()
