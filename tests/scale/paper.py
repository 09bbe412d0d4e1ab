"""The tables of docs/scale.md: what is assumed, what people ask for, and the figures that follow."""

import json
from collections.abc import Mapping
from functools import cache
from math import ceil, floor, fsum
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
# A number in the text, and the input or figure that it is.
NAMED_NUMBER = r"([\d,.]+)(\s\(`(\w+)`\))"


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


INPUTS, ASKED = "What is assumed", "What people ask for"
FIGURES, HOT = "What follows", "Which partition comes first"


def inputs() -> dict[str, float]:
    lines = table_in(PAGE, Input, below=INPUTS)
    return {line.name: float(line.value.replace(",", "")) for line in lines}


def asked_lines() -> list[Asked]:
    return table_in(PAGE, Asked, below=ASKED)


def figure_lines() -> list[Figure]:
    return table_in(PAGE, Figure, below=FIGURES)


def hot_lines() -> list[Hot]:
    return table_in(PAGE, Hot, below=HOT)


def figures() -> dict[str, float]:
    """Every figure by its formula, from the inputs, the mix, and the figures above it."""
    known = inputs()
    # Python sums floats more exactly from 3.12 on; fsum is the same everywhere.
    known["reads_a_request"] = fsum(line.share * line.units[0] for line in asked_lines())
    known["writes_a_request"] = fsum(line.share * line.units[1] for line in asked_lines())
    for line in figure_lines():
        functions = {"__builtins__": {}, "ceil": ceil, "floor": floor}
        known[line.name] = float(eval(line.formula, functions, known))  # noqa: S307
    return known


def as_documented(value: float, documented: str) -> str:
    """With as many decimals as the document tells."""
    return f"{value:,.{len(documented.partition('.')[2])}f}"


def loads_of_one_club(meters: Mapping[str, PartitionMeter]) -> Loads:
    """If all of these requests were those of one club, and of one event, game and address."""
    requests = inputs()["requests"]
    asked = {line.request: requests * line.share for line in asked_lines() if line.request in meters}
    return loads.loads(meters, asked)


def hottest(meters: Mapping[str, PartitionMeter], most: int) -> list[Hot]:
    """The keys whose busiest value comes first to its limit then, in order."""
    found = loads_of_one_club(meters)
    touched = [line for line in loads.shared_lines() if any(loads.is_of(line, each) for each in found)]
    loaded = sorted(
        ((loads.tightest(line, found), line) for line in touched), key=lambda each: each[0].headroom
    )
    return [
        Hot(
            f"{line.tables} {line.index}".strip(),
            line.key,
            *load.told()[:2],
            headroom=f"{load.headroom:,.1f}",
        )
        for load, line in loaded[:most]
    ]


def bytes_of_a_record(meters: Mapping[str, PartitionMeter]) -> int:
    """Without the row of its request, which lasts a day."""
    created = meters["create news"].bytes
    return sum(grown for partition, grown in created.items() if not partition.value.startswith("IDEM#"))


@cache
def bench() -> dict[str, Any]:
    pages: dict[str, Any] = json.loads(
        (Path(settings.BASE_DIR) / "docs" / "bench" / "2026-11-19.json").read_text()
    )
    return {**pages["pages"], **pages["operations"]["100000"]["costs"]}
