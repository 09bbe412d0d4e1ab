"""The local Cognito and S3, in its own virtual environment because it pins another botocore."""

import os
import platform
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from config.engines.install import FOLDER, PINS, announce, install_once, run
from config.engines.process import HOST, Engine

REQUIREMENTS = PINS / "ministack.txt"


def find_or_install(folder: Path = FOLDER) -> Path:
    """The path of the program, installed by pip the first time; ministack.txt pins versions and hashes."""
    made_with = platform.python_version()
    return install_once(folder / "ministack", REQUIREMENTS, _install, made_with=made_with) / "bin/ministack"


def _install(folder: Path) -> None:
    purpose = "Installing ministack with pip"
    announce("Installing ministack, the local Cognito and S3.")
    # Installed by our own pip: setting up a second one would take longer than installing ministack.
    run([sys.executable, "-m", "venv", "--without-pip", folder], cwd=folder, purpose=purpose)
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", folder / "bin/python"]
    # The list is complete, so no dependencies are resolved; modules are compiled at their first import.
    options = ("--quiet", "--no-deps", "--no-compile", "--require-hashes")
    run([*pip, "install", *options, "-r", REQUIREMENTS], cwd=folder, purpose=purpose)


class Ministack(Engine):
    """Stores its state in `data`; that of Cognito only on a regular stop, not when it is killed."""

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
            # Without it, disabled users can refresh their tokens and private objects are public.
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
