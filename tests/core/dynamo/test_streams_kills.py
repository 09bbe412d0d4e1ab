"""`manage.py streams`: a worker that is killed or stopped, wherever it is, loses nothing."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config.engines.dynoxide import Dynoxide
from core.dynamo.actors import Actor
from tests.awaiting import eventually
from tests.config.processes import ROOT, clean_environment
from tests.core.dynamo.streamed_changes import create, run

pytestmark = pytest.mark.usefixtures("no_other_handlers", "streaming")

SCRIPT = """
import os, sys, django
django.setup()
from core.dynamo.streams import failures, handlers, on, positions, reader
from datetime import timedelta
from django.core.management import call_command
from tests.core.dynamo import streamed

positions.LEASE = timedelta(seconds=0.2)
failures.FIRST_PAUSE = 0.001
handlers.discover()
log, deadly, patch, *arguments = sys.argv[1:]

def die(*arguments, **options):
    os.kill(os.getpid(), 9)

def put_aside_and_die(*arguments, put_aside=failures._put_aside):
    put_aside(*arguments)
    die()

@on("notice", "INSERT")
def insert(change):
    key = change.image["id"]["S"]
    with open(log, "a") as file:
        file.write(key)
    if key == deadly:
        die()
    if key == "x":
        raise ValueError("x")

def mend():
    handlers._on.clear()

    @on("notice", "INSERT")
    def insert(change):
        with open(log, "a") as file:
            file.write("!")

exec(patch)
call_command("streams", *arguments)
"""


def start(
    streaming: Dynoxide, log: Path, *arguments: str, deadly: str = "nobody", patch: str = ""
) -> subprocess.Popen[bytes]:
    environment = clean_environment(
        DJANGO_SETTINGS_MODULE="tests.settings",
        DYNAMODB_ENDPOINT=streaming.endpoint,
        AWS_ENDPOINT_URL_DYNAMODB_STREAMS=streaming.endpoint,
        PYTHONPATH=str(ROOT),
    )
    command = [sys.executable, "-c", SCRIPT, str(log), deadly, patch, *arguments]
    return subprocess.Popen(command, cwd=ROOT, env=environment)


def run_to_the_end(streaming: Dynoxide, log: Path) -> None:
    assert start(streaming, log, "--once").wait(timeout=300) == 0


def test_within_a_batch_leaves_the_whole_batch_to_the_next(
    streaming: Dynoxide, alice: Actor, tmp_path: Path
) -> None:
    create(alice, "a", "b", "c")
    log = tmp_path / "handled"

    assert start(streaming, log, "--once", deadly="b").wait(timeout=300) == -signal.SIGKILL
    assert log.read_text() == "ab"
    run_to_the_end(streaming, log)

    assert log.read_text() == "ab" + "abc"


@pytest.mark.parametrize(
    ("patch", "handled"),
    [
        pytest.param("positions.take_lease = die", "", id="before the first change"),
        pytest.param(
            "positions.save_checkpoint = die", "abc", id="between the last change and the checkpoint"
        ),
    ],
)
def test_before_the_checkpoint_leaves_all_to_the_next(
    streaming: Dynoxide, alice: Actor, tmp_path: Path, patch: str, handled: str
) -> None:
    create(alice, "a", "b", "c")
    log = tmp_path / "handled"
    log.touch()

    assert start(streaming, log, "--once", patch=patch).wait(timeout=300) == -signal.SIGKILL
    assert log.read_text() == handled
    run_to_the_end(streaming, log)
    run_to_the_end(streaming, log)

    assert log.read_text() == handled + "abc"


def test_between_putting_aside_and_the_checkpoint_puts_it_aside_once(
    streaming: Dynoxide, alice: Actor, tmp_path: Path
) -> None:
    create(alice, "a", "x", "c")
    log = tmp_path / "handled"

    killed = start(streaming, log, "--once", patch="failures._put_aside = put_aside_and_die")
    assert killed.wait(timeout=300) == -signal.SIGKILL
    run_to_the_end(streaming, log)

    assert log.read_text() == "axxxxx" + "axxxxxc"
    assert run("failed").endswith(": ValueError: x\n1 changes were put aside.\n")


def test_between_a_retry_and_its_end_leaves_the_change_for_another_retry(
    streaming: Dynoxide, alice: Actor, tmp_path: Path
) -> None:
    create(alice, "x")
    log = tmp_path / "handled"
    run_to_the_end(streaming, log)

    killed = start(streaming, log, "retry", patch="mend(); failures.transactions.commit = die")
    assert killed.wait(timeout=300) == -signal.SIGKILL
    assert run("failed").endswith("1 changes were put aside.\n")
    assert start(streaming, log, "retry", patch="mend()").wait(timeout=300) == 0

    assert log.read_text() == "xxxxx" + "!!"
    assert run("failed") == "0 changes were put aside.\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_without_a_complaint(
    streaming: Dynoxide, alice: Actor, tmp_path: Path, number: signal.Signals
) -> None:
    log = tmp_path / "handled"
    process = start(streaming, log)
    create(alice, "a")
    eventually(log.exists, bool)
    process.send_signal(number)
    assert process.wait(timeout=300) == 0
