"""Breaking a copy of the project and asking a test whether it notices."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.breakages.catalogue import ROOT, Breakage

# Installed once and the same for every copy.
SHARED = (".venv", ".engines", ".data")
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0"]
TEST_FAILED = 1
NO_TEST_COLLECTED = 5
LAST_LINES = 15


@dataclass(frozen=True)
class Verdict:
    breakage: Breakage
    noticed_by: str
    # What pytest said last, for whoever wants to know why nothing was noticed.
    output: str

    def __str__(self) -> str:
        if self.noticed_by:
            return f"{self.breakage.name}: noticed by {self.noticed_by}"
        return f"{self.breakage.name}: NOT NOTICED by {self.breakage.test}\n{self.output}"


def judge(breakage: Breakage, folder: Path) -> Verdict:
    """Only a test that fails has noticed something; one that cannot be run has not."""
    place = breakage.place()
    (folder / place).write_text(breakage.broken())
    run = _run(folder, "-x", breakage.test)
    # With its old time, so that Python does not take the bytecode of the broken file for that of this one.
    shutil.copy2(ROOT / place, folder / place)
    failed = re.search(r"^FAILED (.+?)(?: - .*)?$", run.stdout, re.MULTILINE)
    noticed = failed is not None and run.returncode == TEST_FAILED
    return Verdict(breakage, failed[1] if failed and noticed else "", _end_of(run.stdout))


def failures_without_breakage(tests: Iterable[str], folder: Path) -> str:
    """What fails anyway, and so can notice nothing; empty if all is well."""
    run = _run(folder, *dict.fromkeys(tests))
    return _end_of(run.stdout) if run.returncode else ""


def run_by_make_test(tests: Iterable[str]) -> set[str]:
    """Those of these tests that `make test` runs; `make test-full` runs all."""
    marks = re.search(r"^QUICK := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    if marks is None:
        raise LookupError("The Makefile no longer says in QUICK what `make test` runs.")
    run = _run(ROOT, "--collect-only", "-m", marks[1], *dict.fromkeys(tests))
    if run.returncode not in (0, NO_TEST_COLLECTED):
        raise LookupError(_end_of(run.stdout))
    return {line.partition("[")[0] for line in run.stdout.splitlines() if "::" in line}


@contextmanager
def copied_project() -> Iterator[Path]:
    """The files of the repository as they are now, and what is installed beside them."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
    )
    with TemporaryDirectory(prefix="breakage-") as temporary:
        folder = Path(temporary)
        for name in listed.stdout.decode().split("\0"):
            if name and name not in SHARED and (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        for name in SHARED:
            if (ROOT / name).exists():
                (folder / name).symlink_to((ROOT / name).resolve())
        yield folder


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PYTEST, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def _end_of(output: str) -> str:
    return "\n".join(output.splitlines()[-LAST_LINES:])
