"""Install a pinned engine once under `.engines/`, also when several processes ask at the same moment."""

import fcntl
import hashlib
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

PINS = Path(__file__).resolve().parent
FOLDER = PINS.parent.parent / ".engines"


class EngineError(Exception):
    """An engine cannot be installed or started; the text is one sentence for the operator."""


def install_once(folder: Path, pins: Path, install: Callable[[Path], None]) -> Path:
    """Fill `folder` by `install(folder)` unless it already holds what `pins` says."""
    stamp = folder / ".installed"
    wanted = hashlib.sha256(pins.read_bytes()).hexdigest()
    with _writable(folder.parent), _lock(folder.with_suffix(".lock")):
        if not (stamp.is_file() and stamp.read_text() == wanted):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            install(folder)
            stamp.write_text(wanted)
    return folder


def run(command: list[str | Path], *, cwd: Path, purpose: str, env: Mapping[str, str] | None = None) -> None:
    """Run a command to its end; its last line of complaint becomes part of the one sentence."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["it gave no reason"]
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
