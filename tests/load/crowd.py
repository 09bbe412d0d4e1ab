"""Everybody at once, in a process of its own, so that their work is not that of the servers.

The plan goes to its standard input. It answers with the moment at which the day begins, and at the end with
the journal: what was sent, and what was acknowledged.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.load.browser import Clock, Journal, Sent
from tests.load.people import Crowd, Plan


@dataclass
class Running:
    """The crowd while it is there."""

    process: "subprocess.Popen[bytes]"
    # By the clock that all processes share (time.monotonic).
    begin: float

    def journal(self) -> Journal:
        """Wait for the end of the day."""
        answer = self.process.communicate()[0]
        assert self.process.returncode == 0, "The crowd has failed; see above."
        told = json.loads(answer)
        return Journal([Sent(*each) for each in told["sent"]], told["acknowledged"])


@contextmanager
def coming(plan: Plan) -> Iterator[Running]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.load.crowd"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(plan).encode() + b"\n")
            process.stdin.flush()
            yield Running(process, float(process.stdout.readline()))
        finally:
            process.kill()


async def _day(plan: Plan) -> Journal:
    clock, journal = Clock(plan["seconds"]), Journal()
    print(clock.begin, flush=True)  # noqa: T201 - what `coming` waits for
    await asyncio.gather(*Crowd(plan, clock, journal).everybody())
    return journal


if __name__ == "__main__":
    json.dump(vars(asyncio.run(_day(json.loads(sys.stdin.readline())))), sys.stdout)
