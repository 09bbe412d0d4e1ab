"""What a measurement leaves behind: verdicts, the machine, and the same results as Markdown and as JSON."""

import json
import os
import platform
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import django

from config.local import ROOT


class Verdict(NamedTuple):
    what: str
    holds: bool
    found: str


def machine() -> dict[str, str]:
    cpu = next(
        line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")
    )
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, check=False
    ).stdout.decode()
    return {
        "Commit": commit.strip() or "unknown",
        "processor": f"{cpu.partition(':')[2].strip()} ({len(os.sched_getaffinity(0))} cores)",
        "load before": f"{os.getloadavg()[0]:.1f}",
        "Python": platform.python_version(),
        "Django": django.get_version(),
    }


def write(folder: Path, name: str, *, markdown: str, values: object) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}{ending}" for ending in (".md", ".json")]
    for path, text in zip(paths, (markdown, as_json(values)), strict=True):
        path.write_text(text)
    return paths


def as_json(values: object) -> str:
    return json.dumps(_rounded(values), indent=1) + "\n"


def verdicts_in_markdown(verdicts: Iterable[Verdict]) -> Iterator[str]:
    rows = [(each.what, "yes" if each.holds else "**no**", each.found) for each in verdicts]
    yield "## What must hold"
    yield ""
    yield from table(("", "holds", "found"), rows)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(headings)} |"
    yield "|---" * len(headings) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, dict):
        return {str(name): _rounded(each) for name, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list | tuple) else value
