"""The list of breakages as a page of the documentation."""

from pathlib import Path

from tests.breakages import running
from tests.breakages.catalogue import ROOT, Breakage, breakages

PAGE = ROOT / "docs" / "breakages.md"
HEAD = """# Breakages that the tests notice

`make breakages` breaks a copy of the product in each of these ways and expects the test beside it to fail.
The list is in `tests/breakages`; `python -m tests.breakages --write` writes this page once all of them were
noticed.
"""


def write() -> Path:
    PAGE.write_text(as_markdown(running.run_by_make_test(each.test for each in breakages())))
    return PAGE.relative_to(ROOT)


def as_markdown(quick: set[str]) -> str:
    rows = ["| Breakage | Package | Noticed by | Run by |", "| --- | --- | --- | --- |"]
    for each in breakages():
        run_by = "make test" if each.test in quick else "make test-full"
        rows.append(f"{row_of(each)} `{run_by}` |")
    return "\n".join([HEAD, *rows, ""])


def row_of(breakage: Breakage) -> str:
    """Its row, up to who runs the test."""
    return f"| {breakage.name} | {breakage.package} | `{breakage.test}` |"
