"""Our own gunicorn for the others: the same workers, threads and logs, without what only ours needs."""

from typing import Any

from config.backlog import THREADS
from config.gunicorn import *  # noqa: F403

# Ours has more, of which as many work at once; the others wait or refuse.
threads = THREADS


def post_worker_init(worker: Any) -> None:
    """They open what they need by themselves."""
