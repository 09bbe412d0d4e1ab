"""The example of a scorekeeper in docs/api.md does what the guide says."""

import os
import subprocess
import sys

from pytest_django.live_server_helper import LiveServer

from tests.api.test_guide import examples
from tests.api.tracker.conftest import OWNER
from tests.tracker.scorebook import Played


def test_a_program_of_a_scorekeeper(team, token_of):
    (example,) = (each for each in examples("python") if "/tracker/" in each)
    played = Played(OWNER, team=team)
    server = LiveServer("localhost", start=False)
    server.start()
    known = {"SITE": str(server), "TOKEN": token_of("official"), "GAME": played.id}
    try:
        done = subprocess.run(
            [sys.executable, "-c", example],
            env=os.environ | known,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        server.stop()
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "1 0 1B",
        "1 0 2B",
        "1 0 K",
        "409 Someone else has recorded something in the meantime. Check it before you continue.",
        "1 run",
        "Ada 1 0 1.0",
        "Bea 1 1 1.0",
        "Cem 0 0 0.0",
    ]
    assert played.results() == ["1B", "2B", "K"]
