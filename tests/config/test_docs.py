"""The guides lead nowhere wrong: every link and picture is there, and the pictures are small and all used."""

import re
from pathlib import Path

import pytest

from tests.config.processes import ROOT

GUIDES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
PICTURES = ROOT / "docs" / "pictures"
LINK = re.compile(r"""\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)\"""")
# A path from the root, as a guide names it in backticks.
PATH = re.compile(
    r"`((?:config|api|desk|cms|scouting|quests|tracker|core|templates|static|tests|docs)/[\w./-]*|\.ci/run|pyproject\.toml)"
    r"(?:::\w+)?`"
)
# A file, as comments and docstrings name it.
FILE = re.compile(
    r"\b(?:config|api|desk|cms|scouting|quests|tracker|core|templates|static|tests|docs)/[\w/-]+\.(?:py|js|html|md|json)\b"
)
PACKAGES = ("config", "api", "desk", "cms", "scouting", "quests", "tracker", "core", "static", "tests")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
MOST_PICTURES_OF_A_GUIDE, LARGEST = 10, 120_000


def links_of(guide: Path) -> list[str]:
    """Where it leads within the repository."""
    found = [markdown or html for markdown, html in LINK.findall(CODE.sub("", guide.read_text()))]
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def anchors_of(guide: Path) -> set[str]:
    """What its headings are called in addresses."""
    headings = re.findall(r"^#+ (.+)$", guide.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("guide", [*GUIDES, *DECISIONS], ids=lambda guide: guide.name)
def test_every_link_leads_to_something(guide: Path) -> None:
    for link in links_of(guide):
        path, _, anchor = link.partition("#")
        target = (guide.parent / path) if path else guide
        assert target.exists(), link
        assert not anchor or anchor in anchors_of(target), link


@pytest.mark.parametrize("guide", [*GUIDES, *DECISIONS], ids=lambda guide: guide.name)
def test_every_path_that_is_named_exists(guide: Path) -> None:
    # The changes of earlier versions name what was there then.
    named = set() if guide.name == "CHANGELOG.md" else set(PATH.findall(guide.read_text()))

    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_that_code_names_exists(package: str) -> None:
    modules = [path for kind in ("py", "js") for path in (ROOT / package).rglob(f"*.{kind}")]
    named = {file for module in modules for file in FILE.findall(module.read_text())}
    places = (ROOT, ROOT / "templates", ROOT / "static", ROOT / "docs")

    lost = {file for file in named if not any((place / file).exists() for place in places)}
    # The description of the API is at an address, not in a file; and tests make up modules, but no tests.
    lost -= {"api/v1/openapi.json", *(file for file in lost if package == "tests" and file[:6] != "tests/")}
    assert lost == set()


def test_every_decision_is_listed() -> None:
    listed = {(DECISIONS[0].parent / link).resolve() for page in DECISIONS for link in links_of(page)}

    assert len(DECISIONS) > 5
    assert {page for page in DECISIONS if page.name != "README.md"} <= listed


def pictures_of(guide: Path) -> set[Path]:
    return {(guide.parent / link).resolve() for link in links_of(guide) if link.endswith(".png")}


def test_every_picture_is_shown_somewhere_and_small() -> None:
    shown = [pictures_of(guide) for guide in GUIDES]

    assert set().union(*shown) == set(PICTURES.iterdir())
    assert all(len(pictures) <= MOST_PICTURES_OF_A_GUIDE for pictures in shown)
    assert all(picture.stat().st_size < LARGEST for picture in PICTURES.iterdir())


def test_every_guide_is_found_from_the_readme() -> None:
    in_readme = {(ROOT / link).resolve() for link in links_of(ROOT / "README.md")}

    assert {guide for guide in GUIDES if guide.parent.name == "docs"} <= in_readme


@pytest.mark.parametrize(("name", "says"), [("LICENSE", "MIT License"), ("SECURITY.md", "Report a problem")])
def test_licence_and_security_policy_are_there_and_found_from_the_readme(name: str, says: str) -> None:
    assert says in (ROOT / name).read_text()
    assert name in links_of(ROOT / "README.md")


def test_every_package_of_the_tree_in_contributing_has_code() -> None:
    tree = (ROOT / "CONTRIBUTING.md").read_text().split("```")[1]
    lines = re.findall(r"^( *)((?:\w+/ *)+)", tree, re.MULTILINE)
    folders = [ROOT / ("core" if indent else "") / name for indent, names in lines for name in names.split()]

    assert len(folders) > 10
    for folder in folders:
        assert any(path.name != "__init__.py" for path in folder.iterdir()), folder
