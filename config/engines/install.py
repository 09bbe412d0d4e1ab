"""Installs a pinned engine once under `.engines/`; safe for concurrent processes."""

import fcntl
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

PINS = Path(__file__).resolve().parent
FOLDER = PINS.parent.parent / ".engines"


class EngineError(Exception):
    """An engine cannot be installed or started; the message is one sentence for the operator."""


def install_once(folder: Path, pins: Path, install: Callable[[Path], None], *, made_with: str = "") -> Path:
    """Call `install(folder)`, unless it was done before with the same `pins` file and `made_with`."""
    stamp = folder / ".installed"
    wanted = hashlib.sha256(pins.read_bytes()).hexdigest() + made_with
    with _writable(folder.parent), _lock(folder.with_suffix(".lock")):
        if not (stamp.is_file() and stamp.read_text() == wanted):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            install(folder)
            stamp.write_text(wanted)
    return folder


def announce(text: str) -> None:
    """Print a line and flush, before something that takes long."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def run(
    command: list[str | Path],
    *,
    cwd: Path,
    purpose: str,
    env: Mapping[str, str] | None = None,
    shows_output: bool = False,
) -> None:
    """Run a command; raises EngineError with the last line of its stderr if it fails."""
    stdout = None if shows_output else subprocess.PIPE
    done = subprocess.run(  # noqa: S603
        command, cwd=cwd, env=env, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        lines = (done.stderr or done.stdout or "").strip().splitlines() or ["it gave no reason"]
        raise EngineError(f"{purpose} failed: {lines[-1].strip()}")


@contextmanager
def _writable(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise EngineError(f"The engines cannot be installed in {folder}: {error.strerror}.") from error


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
