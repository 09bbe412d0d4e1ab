"""The list of breakages: one file of the list per package, and where in the product each of them is.

A breakage is found by its source text and not by a path, so it survives when files are moved.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).parent
SOURCES = (".py", ".html", ".js")
# Neither the product nor part of the repository.
LEFT_OUT = {".git", ".venv", ".engines", ".data", "node_modules", "staticfiles", "tests", "docs"}


@dataclass(frozen=True)
class Breakage:
    """`old` occurs once in the product, `new` takes its place; `test` is the node id of the test."""

    package: str
    name: str
    old: str
    new: str
    test: str

    def places(self) -> list[Path]:
        """The files that contain the text, each as often as it does."""
        return [path for path, text in sources().items() for _each in range(text.count(self.old))]

    def place(self) -> Path:
        """The file that is broken, below the root of the project."""
        found = self.places()
        if len(found) != 1:
            raise LookupError(f"{self.name}: the text occurs {len(found)} times, not once:\n{self.old}")
        return found[0]

    def broken(self) -> str:
        """The whole file with the breakage."""
        return sources()[self.place()].replace(self.old, self.new)


@cache
def breakages() -> tuple[Breakage, ...]:
    return tuple(
        Breakage(package=path.stem, name=name, **entry)
        for path in sorted(LIST.glob("*.toml"))
        for name, entry in tomllib.loads(path.read_text()).items()
    )


@cache
def sources() -> dict[Path, str]:
    """The source files of the product by their paths below the root."""
    return {
        path.relative_to(ROOT): path.read_text()
        for top in sorted(ROOT.iterdir())
        if top.name not in LEFT_OUT
        for path in ([top] if top.is_file() else sorted(top.rglob("*")))
        if path.suffix in SOURCES
    }
