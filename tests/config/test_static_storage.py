"""What `collectstatic` makes of our modules for production."""

import re
from pathlib import Path

from django.templatetags.static import static

from tests.config.processes import ROOT
from tests.static_files import collected  # noqa: F401

IMPORTED = re.compile(r'\b(?:import|from)\s*"(\.{1,2}/[^"]+)"')
HASHED = re.compile(r"\.{1,2}/[\w/-]+\.[0-9a-f]{8}\.js")
MODULES = sorted((ROOT / "static").rglob("*.js"))


def test_modules_import_each_other_by_names_that_change_with_their_content(collected: Path) -> None:  # noqa: F811
    imports = {}
    for module in MODULES:
        own = collected / static(str(module.relative_to(ROOT / "static"))).removeprefix("/static/")
        imports[module.stem] = [(own.parent, name) for name in IMPORTED.findall(own.read_text())]

    names = [each for found in imports.values() for each in found]
    assert [
        name for folder, name in names if not HASHED.fullmatch(name) or not (folder / name).is_file()
    ] == []
    assert len(imports["app"]) > 10
    assert len(imports["scoring"]) == 1


def test_every_module_runs_on_the_pages_that_need_it() -> None:
    """The entry imports all but those that another one imports, and those of a single page."""
    core = ROOT / "static/core"
    entry = {(core / name).resolve() for name in IMPORTED.findall((core / "app.js").read_text())}

    left = {module.name for module in MODULES if module.resolve() not in entry}
    of_the_editor = {"richtext-blocks.js", "richtext-links.js", "richtext-toolbar.js"}
    assert left == {"app.js", "chosen.js", "scoring-rules.js", "pick-board.js"} | of_the_editor
