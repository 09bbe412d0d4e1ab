"""`lint-imports` finds an import that the floors of docs/architecture.md forbid."""

import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from tests.config.processes import ROOT

LINT = Path(sys.executable).with_name("lint-imports")
FLOORS, CORE = "The floors of the house", "The floors of the core"
VIEWS, FORMS = "Views are imported by views only", "Services know no forms"
FORBIDDEN = {
    "cms/news/services.py": ("from desk import palette", FLOORS),
    "quests/rules.py": ("from scouting import keys", FLOORS),
    "core/crud/rows.py": ("from cms.news import rules", FLOORS),
    "core/dynamo/paging.py": ("from core.crud import listing", CORE),
    "core/people/services.py": ("from core.media import files", CORE),
    "tracker/roster/services.py": ("from tracker.roster.views import roster", VIEWS),
    "quests/services/lifecycle.py": ("from quests import forms", FORMS),
}


@pytest.fixture
def code(tmp_path: Path) -> Path:
    settings = (ROOT / "pyproject.toml").read_text()
    (tmp_path / "pyproject.toml").write_text(settings)
    for package in tomllib.loads(settings)["tool"]["importlinter"]["root_packages"]:
        copytree(ROOT / package, tmp_path / package, ignore=ignore_patterns("__pycache__"))
    return tmp_path


def lint(code: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([LINT], cwd=code, capture_output=True, text=True)


def test_the_code_keeps_all_contracts(code: Path) -> None:
    assert lint(code).returncode == 0


def test_a_forbidden_import_breaks_its_contract(code: Path) -> None:
    for name, (statement, _contract) in FORBIDDEN.items():
        with (code / name).open("a") as module:
            module.write(f"\n{statement}\n")

    found = lint(code)

    assert found.returncode == 1
    for name, (statement, contract) in FORBIDDEN.items():
        _from, imported, _import, member = statement.split()
        assert f"{contract} BROKEN" in found.stdout
        importer = name.removesuffix(".py").replace("/", ".")
        assert f"{importer} -> {imported}.{member} (" in found.stdout
