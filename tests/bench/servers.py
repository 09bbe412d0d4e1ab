"""The three contestants as servers: the same gunicorn, two workers with four threads each."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from config.engines.process import HOST, Engine
from config.local import ROOT
from tests.bench.records import admin_environment

WORKERS, THREADS = 2, 4
# Never asked, but without them nobody could sign in, and the settings say so.
COGNITO = {name: os.environ[name] for name in ("COGNITO_USER_POOL_ID", "COGNITO_CLIENT_ID", "COGNITO_DOMAIN")}


class Gunicorn(Engine):
    """One application behind gunicorn."""

    health_path = "/healthz"
    death_signal = signal.SIGTERM

    def __init__(
        self,
        name: str,
        application: str,
        environment: Mapping[str, str],
        *,
        config: str = "tests/bench/gunicorn.py",
        workers: int = WORKERS,
    ) -> None:
        super().__init__(start_seconds=60)
        self.name = name  # type: ignore[misc]
        self._application, self._config, self._environment = application, config, environment
        self._count = workers

    def command(self) -> list[str | Path]:
        gunicorn: list[str | Path] = [
            sys.executable,
            "-m",
            "gunicorn",
            "--chdir",
            ROOT,
            "--no-control-socket",
        ]
        return [*gunicorn, "--config", self._config, self._application]

    def environment(self) -> Mapping[str, str]:
        return {
            **self._environment,
            "BIND": f"{HOST}:{self.port}",
            "WEB_WORKERS": str(self._count),
            "WEB_THREADS": str(THREADS),
        }

    def processor_seconds(self) -> float:
        """Of all workers since they began."""
        stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in self.workers()]
        return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> list[float]:
        """The proportional set size of each worker, in MB: what processes share is counted once."""
        return [memory_of(pid, "Pss") for pid in self.workers()]

    def workers(self) -> list[int]:
        return list(map(int, Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()))


def memory_of(pid: int, kind: str) -> float:
    """The memory of a process in MB, of a kind that the kernel tells, such as `Pss` or `Anonymous`."""
    told = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.findall(rf"^{kind}: +(\d+) kB", told, re.MULTILINE)[0]) / 1000


def fieldhouse_environment(dynamodb: str) -> dict[str, str]:
    """Our production settings, with the keys that this process has too."""
    return {
        **os.environ,
        **COGNITO,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DEBUG": "false",
        "ALLOWED_HOSTS": HOST,
        "BEHIND_PROXY": "true",
        "DYNAMODB_ENDPOINT": dynamodb,
        # As `make serve` does.
        "MALLOC_ARENA_MAX": "2",
    }


def fieldhouse(dynamodb: str, *, workers: int = WORKERS, **variables: str) -> Gunicorn:
    return Gunicorn(
        "Fieldhouse",
        "config.wsgi",
        fieldhouse_environment(dynamodb) | variables,
        config="config/gunicorn.py",
        workers=workers,
    )


def admin(database: Path) -> Gunicorn:
    return Gunicorn("Django admin, SQLite", "tests.bench.admin.wsgi", admin_environment(database))


def floor(dynamodb: str, *, table: str) -> Gunicorn:
    environment = {**os.environ, "DYNAMODB_ENDPOINT": dynamodb, "BENCH_TABLE": table}
    return Gunicorn("bare botocore call + template", "tests.bench.floor.wsgi", environment)


def collect_static(environment: Mapping[str, str]) -> None:
    command = [sys.executable, "-m", "django", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(command, env=environment, cwd=ROOT, check=True)
