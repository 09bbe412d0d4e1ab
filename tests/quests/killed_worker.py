"""One process of test_killed.py: does its task and kills itself at one of its writes.

python -m tests.quests.killed_worker <task> <key of a quest> <number of the write> before|after
"""

import os
import signal
import sys
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django

from core.dynamo import connection
from quests.services import expiry, lifecycle, rewards
from tests.quests.board import PERFORMER

TASKS = {
    "attest": lambda key: lifecycle.attest(PERFORMER, key),
    "reprocess": lambda _key: rewards.reprocess(),
    "sweep": lambda _key: expiry.sweep(),
}
WRITES = {"TransactWriteItems", "UpdateItem", "PutItem", "DeleteItem"}
send = connection.SharedConnection._send
writes = 0


def kill_at(number: int, when: str) -> None:
    def sent(shared: connection.SharedConnection, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        global writes
        writes += operation in WRITES
        is_it = operation in WRITES and writes == number
        if is_it and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        try:
            return send(shared, operation, request)
        finally:
            if is_it:
                os.kill(os.getpid(), signal.SIGKILL)

    connection.SharedConnection._send = sent  # type: ignore[method-assign]


if __name__ == "__main__":
    task, key, number, when = sys.argv[1:]
    django.setup()
    kill_at(int(number), when)
    TASKS[task](key)
