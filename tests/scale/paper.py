"""The tables of docs/scale.md: what is assumed, what people ask for, and the figures that follow."""

import json
from collections.abc import Mapping
from functools import cache
from math import ceil, floor
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings

from tests.pattern_tables import table_in
from tests.scale import loads
from tests.scale.loads import Loads
from tests.scale.partition_meter import PartitionMeter

PAGE = "scale.md"
BENCH = "bench: "
MEASURED = "measured"


class Input(NamedTuple):
    name: str
    value: str
    source: str


class Asked(NamedTuple):
    """One kind of request, its share in all of them, and its units."""

    request: str
    per_cent: str
    reads: str
    writes: str
    source: str

    @property
    def share(self) -> float:
        return float(self.per_cent) / 100

    @property
    def units(self) -> tuple[float, float]:
        return float(self.reads), float(self.writes)


class Figure(NamedTuple):
    name: str
    value: str
    formula: str
    about: str


class Hot(NamedTuple):
    tables: str
    key: str
    writes: str
    reads: str
    headroom: str


INPUTS = table_in(PAGE, Input, below="What is assumed")
ASKED = table_in(PAGE, Asked, below="What people ask for")
FIGURES = table_in(PAGE, Figure, below="What follows")
HOT = table_in(PAGE, Hot, below="Which partition comes first")


def inputs() -> dict[str, float]:
    return {line.name: float(line.value.replace(",", "")) for line in INPUTS}


def figures() -> dict[str, float]:
    """Every figure by its formula, from the inputs, the mix, and the figures above it."""
    known = inputs()
    known["reads_a_request"] = sum(line.share * line.units[0] for line in ASKED)
    known["writes_a_request"] = sum(line.share * line.units[1] for line in ASKED)
    for line in FIGURES:
        functions = {"__builtins__": {}, "ceil": ceil, "floor": floor}
        known[line.name] = float(eval(line.formula, functions, known))  # noqa: S307
    return known


def as_documented(value: float, documented: str) -> str:
    """With as many decimals as the document tells."""
    return f"{value:,.{len(documented.partition('.')[2])}f}"


def loads_of_one_club(meters: Mapping[str, PartitionMeter]) -> Loads:
    """If all of these requests were those of one club, and of one event, game and address."""
    requests = inputs()["requests"]
    asked = {line.request: requests * line.share for line in ASKED if line.request in meters}
    return loads.loads(meters, asked)


@cache
def bench() -> dict[str, Any]:
    pages: dict[str, Any] = json.loads(
        (Path(settings.BASE_DIR) / "docs" / "bench" / "2026-11-18.json").read_text()
    )
    return {**pages["pages"], **pages["operations"]["100000"]["costs"]}
