"""What tests ask the system about processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from config.engines.process import answers
from tests.awaiting import assert_eventually

ROOT = Path(__file__).resolve().parents[2]


def is_running(pid: int) -> bool:
    """A zombie whose parent has not looked yet counts as gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def descendants(pid: int) -> dict[int, str]:
    """The command lines of everything this process started, and of what they started."""
    found: dict[int, str] = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found[child] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ").strip()
            found |= descendants(child)
    return found


def clean_environment(**variables: str) -> dict[str, str]:
    """Ours without what the test settings put there, so that a command starts as in a new terminal."""
    own = ("AWS_", "COGNITO_", "DYNAMODB_", "DJANGO_", "DEBUG", "SECRET_KEY", "ALLOWED_HOSTS", "MEDIA_")
    ours = {name: value for name, value in os.environ.items() if not name.startswith((*own, "SLIPCOVER_"))}
    return ours | variables


def measured_python() -> list[str]:
    """Python for a script of its own; where coverage is measured, what the script runs of `config` counts."""
    folder = os.environ.get("SLIPCOVER_COVERAGE_DIR")
    if folder is None:
        return [sys.executable]
    # Slipcover's plugin adds up all files that are called like those of pytest's workers.
    out = f"{folder}/coverage-gw-{uuid4()}.json"
    options = ["--json", "--out", out, "--source", "config", "--dont-wrap-pytest"]
    return [sys.executable, "-m", "slipcover", *options]


@contextmanager
def serving(port: int, log: Path, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """gunicorn with the production settings, as `make serve` runs it; stops when the block ends."""
    environment = clean_environment(
        **{
            "SECRET_KEY": "only-for-this-test-" + "0123456789" * 5,
            "ALLOWED_HOSTS": "127.0.0.1",
            "BEHIND_PROXY": "true",
            "CLUB_LANGUAGE": "en",
            "BIND": f"127.0.0.1:{port}",
            "COGNITO_USER_POOL_ID": "eu-central-1_Test",
            "COGNITO_CLIENT_ID": "test",
            "COGNITO_DOMAIN": "https://login.fieldhouse.example",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            **variables,
        }
    )
    command = [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    try:
        assert_eventually(
            lambda: answers(port, "/healthz") or server.poll() is not None, "gunicorn does not answer"
        )
        assert server.poll() is None, log.read_text()
        yield server
    finally:
        server.terminate()
        assert server.wait(timeout=300) == 0
