"""What the tests of webhooks need: a receiver on this machine, a clock, and a dispatcher that goes by it."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from pytest_django import Settings

from core.dynamo.attributes import now
from core.webhooks import services
from core.webhooks.dispatcher import Dispatcher
from core.webhooks.registry import kinds
from core.webhooks.services import Made
from tests.cast import CAST
from tests.core.webhooks.receiver import Receiver, receiving


class Clock:
    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return now() + self.ahead


@pytest.fixture(autouse=True)
def _to_loopback(settings: Settings) -> None:
    """As on a developer's machine. The tests of addresses take it back."""
    settings.WEBHOOKS_TO_LOOPBACK = True


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def dispatcher(clock: Clock) -> Iterator[Dispatcher]:
    made = Dispatcher(clock=clock)
    yield made
    made.close()


@pytest.fixture
def register(receiver: Receiver) -> Callable[..., Made]:
    """`register()` makes a webhook for all kinds of changes, with the address of the receiver."""

    def make(path: str = "/hook", **values: object) -> Made:
        about = {"label": "Club app", "address": receiver.url(path), "kinds": list(kinds())}
        return services.create(CAST["admin"], about | values)

    return make
