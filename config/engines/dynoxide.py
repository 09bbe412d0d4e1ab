"""The local DynamoDB: a static binary on SQLite, durable after kill -9."""

import http.client
import json
import os
import platform
import secrets
import shutil
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

from config.engines.install import FOLDER, PINS, EngineError, announce, install_once, run
from config.engines.process import HOST, Engine, free_port

LOCK_FILE = PINS / "package-lock.json"
SUPPORTED = ("linux", "x86_64")
# For each write to a table with a stream, dynoxide queries the highest sequence number among all stream
# records, which it never deletes: with 3,300 of them that takes 0.7 ms without this index.
STREAM_INDEX = """
CREATE INDEX IF NOT EXISTS fieldhouse_stream_records
ON _stream_records (table_name, CAST(sequence_number AS INTEGER))
"""


def find_or_install(folder: Path = FOLDER) -> Path:
    """The path of the binary, installed by npm the first time; package-lock.json pins its integrity."""
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
    announce("Fetching dynoxide, the local DynamoDB.")
    for pin in (LOCK_FILE, PINS / "package.json"):
        shutil.copy(pin, folder)
    run(
        [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
        cwd=folder,
        purpose="Installing dynoxide with npm",
    )


class Dynoxide(Engine):
    """In memory, or durable in the SQLite file `db_path`. `can_sweep` enables `sweep`."""

    name = "dynoxide (DynamoDB)"

    def __init__(
        self,
        *,
        db_path: Path | None = None,
        binary: Path | None = None,
        port: int | None = None,
        start_seconds: float = 30,
        can_sweep: bool = False,
    ) -> None:
        super().__init__(port=port, start_seconds=start_seconds)
        self.db_path = db_path
        self._can_sweep = can_sweep
        self._sweep_port = 0
        self._sweep_token = secrets.token_urlsafe()
        self._binary = binary or find_or_install()

    def command(self) -> list[str | Path]:
        where: list[str | Path] = ["--db-path", self.db_path] if self.db_path else []
        sweeping: list[str | Path] = []
        if self._can_sweep:
            self._sweep_port = free_port()
            sweeping = ["--mcp", "--mcp-host", HOST, "--mcp-port", str(self._sweep_port)]
        return [self._binary, "serve", "--host", HOST, "--port", str(self.port), *where, *sweeping]

    def _start_on(self, port: int) -> None:
        super()._start_on(port)
        if self.db_path is not None:
            # The index is only an optimization.
            with suppress(sqlite3.OperationalError), closing(sqlite3.connect(self.db_path)) as database:
                database.execute(STREAM_INDEX)

    def environment(self) -> Mapping[str, str]:
        return os.environ | {"DYNOXIDE_MCP_AUTH_TOKEN": self._sweep_token}

    def sweep(self) -> int:
        """Delete items whose TTL expired, with stream records as in AWS; returns the number of items."""
        call = {"name": "sweep_ttl", "arguments": {}}
        headers = {
            "Authorization": f"Bearer {self._sweep_token}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }
        connection = http.client.HTTPConnection(HOST, self._sweep_port, timeout=60)
        try:
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
            connection.request("POST", "/mcp", json.dumps(body), headers)
            answer = json.loads(connection.getresponse().read())
            return int(json.loads(answer["result"]["content"][0]["text"])["items_deleted"])
        except (OSError, http.client.HTTPException, ValueError, LookupError) as error:
            raise EngineError(f"{self.name} did not remove what has expired: {error}") from error
        finally:
            connection.close()
