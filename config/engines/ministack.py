"""The local Cognito and S3, in its own virtual environment because it pins another botocore."""

import os
import platform
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from config.engines.install import FOLDER, PINS, install_once, run, tell
from config.engines.process import HOST, Engine

REQUIREMENTS = PINS / "ministack.txt"


def find_or_install(folder: Path = FOLDER) -> Path:
    """The program, installed by pip the first time; its packages are pinned with hashes in ministack.txt."""
    made_with = platform.python_version()
    return install_once(folder / "ministack", REQUIREMENTS, _install, made_with=made_with) / "bin/ministack"


def _install(folder: Path) -> None:
    purpose = "Installing ministack with pip"
    tell("Installing ministack, the local Cognito and S3.")
    # Our own pip installs into it: a second one would take longer to set up than ministack.
    run([sys.executable, "-m", "venv", "--without-pip", folder], cwd=folder, purpose=purpose)
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", folder / "bin/python"]
    # The list is complete, so nothing is resolved; modules are compiled when they are first imported.
    options = ("--quiet", "--no-deps", "--no-compile", "--require-hashes")
    run([*pip, "install", *options, "-r", REQUIREMENTS], cwd=folder, purpose=purpose)


class Ministack(Engine):
    """Keeps its state in `data`; Cognito's part is written only when it is stopped, not when it is killed."""

    name = "ministack (Cognito and S3)"
    health_path = "/_ministack/health"
    death_signal = signal.SIGTERM

    def __init__(
        self,
        *,
        data: Path,
        region: str,
        with_dynamodb: bool = False,
        program: Path | None = None,
        port: int | None = None,
        start_seconds: float = 60,
    ) -> None:
        super().__init__(port=port, start_seconds=start_seconds)
        self._data = data
        self._region = region
        self._services = "s3,cognito-idp,sts" + (",dynamodb" if with_dynamodb else "")
        self._program = program or find_or_install()

    def has_saved_accounts(self) -> bool:
        return (self._data / "state/cognito.json").is_file()

    def command(self) -> list[str | Path]:
        return [self._program]

    def environment(self) -> Mapping[str, str]:
        return os.environ | {
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "BIND_HOST": HOST,
            "GATEWAY_PORT": str(self.port),
            "MINISTACK_HOST": HOST,
            "MINISTACK_REGION": self._region,
            "SERVICES": self._services,
            # Without it disabled users keep refreshing and private objects are public.
            "AUTH": "true",
            "IOT_MTLS_ENABLED": "0",
            "SFTP_ENABLED": "0",
            "PERSIST_STATE": "1",
            "STATE_DIR": str(self._data / "state"),
            "S3_PERSIST": "1",
            "S3_DATA_DIR": str(self._data / "s3"),
            "TMPDIR": str(self._data),
            "LOG_LEVEL": "WARNING",
        }
