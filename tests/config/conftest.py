"""Runs of `manage.py dev` that end with their test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.dev import Run, Start


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    runs: list[Run] = []

    def start_one(**variables: str) -> Run:
        runs.append(Run(tmp_path / "data", tmp_path / f"log{len(runs)}", **variables))
        return runs[-1]

    yield start_one
    for run in runs:
        run.process.terminate()
        run.until_it_ends()
