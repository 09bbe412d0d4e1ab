"""A run of `manage.py dev` in a process of its own."""

import http.client
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import botocore.session

from config.engines.process import free_port
from tests.awaiting import PATIENCE_SECONDS, assert_eventually
from tests.config.processes import ROOT, clean_environment, descendants, measured_python

REGION = "eu-central-1"


class Run:
    """One `manage.py dev` in its own process, with its output in a file."""

    def __init__(self, data: Path, log: Path, *, before: str = "", **variables: str) -> None:
        self.data = data
        self.port = int(variables.get("PORT") or free_port())
        self._log = log
        # `before` runs in the same process first, to put it on another machine.
        script = log.with_suffix(".py")
        script.write_text(
            f"{before}\nimport runpy, sys; sys.argv = ['manage.py', 'dev']\n"
            "runpy.run_path('manage.py', run_name='__main__')"
        )
        environment = clean_environment(DATA_DIR=str(data), PYTHONPATH=str(ROOT))
        with log.open("w") as output:
            self.process = subprocess.Popen(
                [*measured_python(), script],
                cwd=ROOT,
                env=environment | {"PORT": str(self.port)} | variables,
                stdout=output,
                stderr=output,
            )

    @property
    def output(self) -> str:
        return self._log.read_text()

    @property
    def variables(self) -> dict[str, str]:
        lines = (self.data / "env.sh").read_text().splitlines()
        return dict(line.removeprefix("export ").split("=", 1) for line in lines)

    def get(self, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def client(self, service: str, endpoint: str) -> Any:
        return botocore.session.get_session().create_client(
            service,
            region_name=REGION,
            endpoint_url=endpoint,
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )

    def until_it_serves(self) -> "Run":
        assert_eventually(
            lambda: "Fieldhouse is at" in self.output or self.process.poll() is not None, lambda: self.output
        )
        assert self.process.poll() is None, self.output
        return self

    def until_it_ends(self) -> int:
        return self.process.wait(timeout=PATIENCE_SECONDS)

    def children(self) -> dict[int, str]:
        return descendants(self.process.pid)

    def child(self, words: str) -> int:
        return next(pid for pid, command in sorted(self.children().items()) if words in command)


Start = Callable[..., Run]
