"""What `collectstatic` makes of our modules for production."""

import re
from pathlib import Path

from django.templatetags.static import static

from tests.config.processes import ROOT
from tests.static_files import collected  # noqa: F401

IMPORTED = re.compile(r'\b(?:import|from)\s*"(\./[^"]+)"')
HASHED = re.compile(r"\./[\w-]+\.[0-9a-f]{12}\.js")


def test_modules_import_each_other_by_names_that_change_with_their_content(collected: Path) -> None:  # noqa: F811
    imports = {}
    for module in sorted((ROOT / "static").glob("*.js")):
        own = collected / static(module.name).removeprefix("/static/")
        imports[module.stem] = IMPORTED.findall(own.read_text())

    names = [name for found in imports.values() for name in found]
    assert [name for name in names if not HASHED.fullmatch(name) or not (collected / name).is_file()] == []
    assert len(imports["app"]) > 10
    assert len(imports["scoring"]) == 1


def test_every_module_runs_on_the_pages_that_need_it() -> None:
    """The entry imports all but those that another one imports, and those of a single page."""
    entry = IMPORTED.findall((ROOT / "static/app.js").read_text())
    modules = {f"./{module.name}" for module in (ROOT / "static").glob("*.js")}

    assert modules - {*entry} == {"./app.js", "./scoring-rules.js", "./pick-board.js"}
