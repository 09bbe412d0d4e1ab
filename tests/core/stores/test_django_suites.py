"""Django's own suites as an outside judge: 54 tests of cache backends and 65 of session engines."""

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import django
import pytest

from config.engines.dynoxide import Dynoxide
from config.engines.install import FOLDER, EngineError, install_once, run
from tests.config.processes import ROOT

VERSION = django.get_version()


@pytest.fixture(scope="module")
def django_tests() -> Path:
    """The tests of the Django in use, from its source distribution, checked against our hashes."""
    try:
        folder = install_once(FOLDER / "django-source", Path(django.__file__), _fetch)
    except EngineError as error:
        missing = f"Django's source distribution cannot be had: {error}"
        if os.environ.get("FORBID_DJANGO_SUITES_SKIP") == "1":
            pytest.fail(f"{missing} FORBID_DJANGO_SUITES_SKIP=1 does not allow to go without it.")
        pytest.skip(missing)
    return folder / f"django-{VERSION}" / "tests"


def _fetch(folder: Path) -> None:
    pin = rf"^django=={re.escape(VERSION)}(?: \\\n +--hash=\S+)+$"
    pinned = re.search(pin, (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert pinned is not None, "requirements.txt pins the Django in use"
    (folder / "pin.txt").write_text(pinned[0])
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "django"]
    run([*pip, "--require-hashes", "-r", "pin.txt"], cwd=folder, purpose="Fetching Django's tests")
    (source,) = folder.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suite", "summary"),
    [("CacheTests", r"Ran 54 tests .*\n\nOK \(skipped=3\)"), ("SessionTests", r"Ran 65 tests .*\n\nOK")],
)
def test_our_backends_pass_djangos_own_tests(
    django_tests: Path, db: Dynoxide, suite: str, summary: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.stores.django_suites", django_tests, suite],
        cwd=ROOT,
        env=os.environ | {"DYNAMODB_ENDPOINT": db.endpoint},
        capture_output=True,
        text=True,
        check=False,
    )

    assert re.search(summary, done.stderr), done.stderr
    assert done.returncode == 0
