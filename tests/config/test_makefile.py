"""Which Python the Makefile takes, and what `make run` says first."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.processes import ROOT

NONE_FOUND = "make: Python 3.11 to 3.14 with pip is needed. PYTHON=... says which one to take.\n"
# As pyenv answers for a version that is installed but not active.
INACTIVE = "echo 'pyenv: command not found' >&2; exit 127"
# Stands for a Python: `-c` judges its version by the real one, and making an environment leaves one that can
# tell its version.
FAKE = """
case "$1 $2" in
"-c "*) exec {real} -c "import sys; sys.version_info = ({version},); $2" ;;
"--version ") echo "Python {dotted}" ;;
"-m venv") mkdir -p "$4/bin"; cp "$0" "$4/bin/python"; echo "$@" >"$4/made" ;;
esac
"""


def command(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def python(folder: Path, name: str, *version: int) -> None:
    numbers, dotted = ", ".join(map(str, version)), ".".join(map(str, version))
    command(folder, name, FAKE.format(real=sys.executable, version=numbers, dotted=dotted))


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """The only folder of commands that make finds; no Python is in it."""
    folder = tmp_path / "commands"
    folder.mkdir()
    for name in ("make", "sh", "sed", "mkdir", "cp", "echo", "touch", "find"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    for version in (11, 12, 13, 14):
        command(folder, f"python3.{version}", INACTIVE)
    command(folder, "python3", INACTIVE)
    return folder


def make(commands: Path, *arguments: str, goal: str = "") -> subprocess.CompletedProcess[str]:
    """`make .venv/bin/python`, or another goal, with a .venv in the folder beside the commands."""
    venv = commands.parent / ".venv"
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHON", "MAKEFLAGS")}
    environment["PATH"] = str(commands)
    return subprocess.run(
        ["make", "--no-print-directory", f"VENV={venv}", *arguments, goal or f"{venv}/bin/python"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_newest_python_that_runs_makes_the_environment(commands: Path) -> None:
    python(commands, "python3.11", 3, 11, 7)
    python(commands, "python3.12", 3, 12, 1)

    done = make(commands)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"Making {commands.parent}/.venv with Python 3.12.1.\n"


def test_a_python3_without_a_number_in_its_name_will_do(commands: Path) -> None:
    python(commands, "python3", 3, 14, 0)
    assert make(commands).stdout == f"Making {commands.parent}/.venv with Python 3.14.0.\n"


@pytest.mark.parametrize("version", [(3, 10, 13), (3, 15, 0)])
def test_a_python_outside_the_range_is_refused_in_one_sentence(
    commands: Path, version: tuple[int, ...]
) -> None:
    python(commands, "python3", *version)
    for arguments in ((), ("PYTHON=python3",)):
        done = make(commands, *arguments)
        assert done.returncode == 2
        assert done.stderr.startswith(NONE_FOUND)
        assert not (commands.parent / ".venv").exists()


def test_without_any_python_one_sentence_says_so(commands: Path) -> None:
    done = make(commands)
    assert done.returncode == 2
    assert done.stderr.startswith(NONE_FOUND)
    assert done.stdout == ""


def test_a_given_python_is_taken_and_replaces_an_environment_of_another_version(commands: Path) -> None:
    python(commands, "python3.11", 3, 11, 7)
    python(commands, "python3.13", 3, 13, 0)
    make(commands)

    other = make(commands, "PYTHON=python3.11")
    assert other.stdout == f"Making {commands.parent}/.venv with Python 3.11.7.\n"
    assert (commands.parent / ".venv/made").read_text() == f"-m venv --clear {commands.parent}/.venv\n"
    assert "up to date" in make(commands, "PYTHON=python3.11").stdout
    assert "up to date" in make(commands).stdout, "without PYTHON it stays as it is"


def test_make_run_says_what_it_does_from_its_first_second(commands: Path) -> None:
    python(commands, "python3.12", 3, 12, 1)
    done = make(commands, goal="run")
    assert done.stdout.splitlines() == [
        f"Making {commands.parent}/.venv with Python 3.12.1.",
        "Installing the packages of requirements.txt: a minute or less, and only this time.",
        "Starting Fieldhouse.",
    ]
