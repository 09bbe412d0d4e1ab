"""What runs in a thread beside the worker of the streams, such as sending what its handlers queued."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from core.dynamo.streams.handlers import discover


class Task(Protocol):
    """Until the event is set; with `once`, until there is nothing more to do."""

    def __call__(self, stop: threading.Event, *, once: bool) -> None: ...


_tasks: list[Task] = []


def in_background(task: Task) -> Task:
    """Run the function beside the worker; it must survive its own errors."""
    _tasks.append(task)
    return task


@contextmanager
def running(stop: threading.Event, *, once: bool) -> Iterator[None]:
    """With `once`, the tasks run after the worker, whose handlers made their work."""
    discover()
    if once:
        yield
        for task in _tasks:
            task(stop, once=True)
        return
    threads = [threading.Thread(target=_run, args=(task, stop), name=task.__module__) for task in _tasks]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _run(task: Callable[..., None], stop: threading.Event) -> None:
    task(stop, once=False)
