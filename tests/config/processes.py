"""What tests ask the system about processes."""

import os
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def eventually(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 180
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


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
    return {name: value for name, value in os.environ.items() if not name.startswith(own)} | variables
