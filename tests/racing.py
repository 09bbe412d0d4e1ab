"""Many people at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from core.dynamo import connection
from core.dynamo.errors import DataError

T = TypeVar("T")


def at_once(work: Callable[[int], T], threads: int) -> list[T | DataError]:
    """Run the work in as many threads, all let go at the same moment; a refusal is an answer too."""
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
