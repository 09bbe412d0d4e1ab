"""The environment of a developer's machine, which `manage.py dev` needs before it loads the settings."""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.engines.install import EngineError

ROOT = Path(__file__).resolve().parent.parent


def data_folder() -> Path:
    return ROOT / (os.environ.get("DATA_DIR") or ".data")


def prepare_environment() -> None:
    """Set DEBUG, and a secret key that is stored with the data so that sessions survive a restart."""
    if not os.environ.get("DEBUG"):
        os.environ["DEBUG"] = "true"
    if not os.environ.get("SECRET_KEY"):
        os.environ["SECRET_KEY"] = _kept_secret_key(data_folder())


def _kept_secret_key(folder: Path) -> str:
    kept = folder / "secret_key"
    draft = folder / f"secret_key.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not kept.exists():
            draft.touch(mode=0o600)
            draft.write_text(secrets.token_urlsafe(64))
            draft.replace(kept)
        return kept.read_text()
    except OSError as error:
        raise EngineError(f"Data cannot be kept in {folder}: {error.strerror}.") from error


@contextmanager
def owned(folder: Path) -> Iterator[Path]:
    """Lock the data folder: two engines on the same folder would corrupt it."""
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise EngineError(
                f"Another `make run` is using {folder}: stop it, or set DATA_DIR to another folder."
            ) from error
        yield folder
