"""Many people at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from threading import Barrier
from typing import TypeVar

from django.conf import settings

from dynamo import connection
from dynamo.errors import DataError
from tests.connecting import connected_to

T = TypeVar("T")


def patient() -> AbstractContextManager[None]:
    """However busy the machine is, an answer is waited for: a race is about the order, not about time."""
    return connected_to(settings.DYNAMODB_ENDPOINT, read_seconds=60)


def at_once(work: Callable[[int], T], threads: int) -> list[T | DataError]:
    """Run the work in as many threads, all let go at the same moment; a refusal is an answer too."""
    with patient():
        connection.warm()
        return let_go(work, threads)


def let_go(work: Callable[[int], T], threads: int) -> list[T | DataError]:
    """The same with the connection as it is."""
    start = Barrier(threads)

    def one(number: int) -> T | DataError:
        start.wait()
        try:
            return work(number)
        except DataError as error:
            return error

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(one, range(threads)))
