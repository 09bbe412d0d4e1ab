"""The local DynamoDB: a static binary on SQLite, durable after kill -9."""

import platform
import shutil
import sys
from pathlib import Path

from config.engines.install import FOLDER, PINS, EngineError, install_once, run
from config.engines.process import HOST, Engine

LOCK_FILE = PINS / "package-lock.json"
SUPPORTED = ("linux", "x86_64")


def find_or_install(folder: Path = FOLDER) -> Path:
    """The binary, installed by npm the first time; its integrity is pinned in package-lock.json."""
    if (sys.platform, platform.machine()) != SUPPORTED:
        raise EngineError(
            f"dynoxide is published for Linux on x86-64, not for {sys.platform} on {platform.machine()}."
        )
    installed = install_once(folder / "dynoxide", LOCK_FILE, _install)
    return installed / "node_modules/@dynoxide/linux-x64/dynoxide"


def _install(folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise EngineError("npm is needed to install the local DynamoDB engine (dynoxide) and was not found.")
    for pin in (LOCK_FILE, PINS / "package.json"):
        shutil.copy(pin, folder)
    run(
        [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        cwd=folder,
        purpose="Installing dynoxide with npm",
    )


class Dynoxide(Engine):
    """In memory, or durable in the SQLite file `db_path`."""

    name = "dynoxide (DynamoDB)"

    def __init__(
        self,
        *,
        db_path: Path | None = None,
        binary: Path | None = None,
        port: int | None = None,
        start_seconds: float = 30,
    ) -> None:
        super().__init__(port=port, start_seconds=start_seconds)
        self._db_path = db_path
        self._binary = binary or find_or_install()

    def command(self) -> list[str | Path]:
        where: list[str | Path] = ["--db-path", self._db_path] if self._db_path else []
        return [self._binary, "serve", "--host", HOST, "--port", str(self.port), *where]
