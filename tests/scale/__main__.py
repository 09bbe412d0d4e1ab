"""`python -m tests.scale` measures anew and writes what it found into both documents."""

import os
import re
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from django.conf import settings  # noqa: E402 - after the settings
from django.test.utils import override_settings, setup_test_environment  # noqa: E402

from config.engines.dynoxide import Dynoxide  # noqa: E402
from tests import engine_tables  # noqa: E402
from tests.connecting import connected_to  # noqa: E402
from tests.core.accounts.issuer import Issuer  # noqa: E402
from tests.scale import costs, loads, measuring, paper, shared_items  # noqa: E402
from tests.scale.loads import Shared  # noqa: E402
from tests.scale.measuring import Measured, Meters  # noqa: E402
from tests.scale.shared_items import SharedItem  # noqa: E402

Rows = list[list[str]]


def main() -> None:
    found = measured()
    meters = found.first
    rewrite(loads.PAGE, costs.WRITES, lambda _rows: cells(costs.costs(meters)))
    rewrite(loads.PAGE, costs.PAGES, lambda _rows: cells(found.pages))
    for heading, lines in shared_items.found((found.first, found.second)).items():
        rewrite(loads.PAGE, heading, partial(items, lines))
    rewrite(loads.PAGE, loads.SHARED, lambda rows: shared(rows, meters))
    rewrite(paper.PAGE, paper.INPUTS, lambda rows: inputs(rows, meters))
    rewrite(paper.PAGE, paper.ASKED, lambda rows: asked(rows, meters))
    rewrite(paper.PAGE, paper.HOT, lambda rows: hot(rows, meters))
    rewrite(paper.PAGE, paper.FIGURES, figures)
    path = path_of(paper.PAGE)
    path.write_text(with_numbers(path.read_text()))


def measured() -> Measured:
    setup_test_environment()
    with (
        tempfile.TemporaryDirectory() as folder,
        Dynoxide(db_path=Path(folder) / "dynamodb.sqlite") as engine,
        connected_to(engine.endpoint),
        Issuer(issuer=settings.COGNITO_ISSUER, client_id=settings.COGNITO_CLIENT_ID) as issuer,
        override_settings(
            COGNITO_DOCUMENTS=issuer.documents,
            COGNITO_JWKS_URL=issuer.jwks_address,
            COGNITO_DOMAIN=issuer.endpoint,
        ),
    ):
        engine_tables.make(engine)
        return measuring.measured(issuer)


def cells(lines: Iterable[tuple[str, ...]]) -> Rows:
    return [list(line) for line in lines]


def items(lines: list[SharedItem], rows: Rows) -> Rows:
    """With what the document says that follows; a line of which it says nothing yet is to be completed."""
    told = {(row[0], row[1].strip("`")): row[5] for row in rows}
    return [
        [line.table, f"`{line.item}`", *line[2:5], told.get((line.table, line.item), line.follows)]
        for line in lines
    ]


def shared(rows: Rows, meters: Meters) -> Rows:
    """With what is measured, the key that is closest to its limit first."""
    found = loads.loads(meters, loads.rates())
    loaded = [(loads.tightest(Shared(*(cell.strip("`") for cell in row)), found), row) for row in rows]
    ordered = sorted(loaded, key=lambda each: int(each[0].headroom))
    return [[*row[:4], *load.told()] for load, row in ordered]


def inputs(rows: Rows, meters: Meters) -> Rows:
    size = f"{round(paper.bytes_of_a_record(meters), -2):,}"
    return [[row[0], size, *row[2:]] if row[0] == "bytes_a_record" else row for row in rows]


def asked(rows: Rows, meters: Meters) -> Rows:
    def units(row: list[str]) -> list[str]:
        if row[4] != paper.MEASURED:
            return row[2:4]
        meter = meters[row[0]]
        return [f"{meter.told_reads:g}", f"{meter.told_writes:g}"]

    return [[*row[:2], *units(row), row[4]] for row in rows]


def hot(rows: Rows, meters: Meters) -> Rows:
    return [[line[0], f"`{line[1]}`", *line[2:]] for line in paper.hottest(meters, len(rows))]


def figures(rows: Rows) -> Rows:
    known = paper.figures()
    return [[row[0], paper.as_documented(known[row[0]], row[1]), *row[2:]] for row in rows]


def with_numbers(text: str) -> str:
    """With each number in the text that names an input or a figure."""
    known = paper.figures()
    return re.sub(
        paper.NAMED_NUMBER, lambda told: f"{paper.as_documented(known[told[3]], told[1])}{told[2]}", text
    )


def rewrite(page: str, heading: str, change: Callable[[Rows], Rows]) -> None:
    """Write other rows into the first table below a heading."""
    text = path_of(page).read_text()
    start = text.index("\n| ", text.index(f"# {heading}\n")) + 1
    end = text.find("\n\n", start)
    head, line, *rows = text[start:end].rstrip().split("\n")
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    written = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in change(cells)]
    path_of(page).write_text(text[:start] + "\n".join([head, line, *written]) + text[end:])


def path_of(page: str) -> Path:
    return Path(settings.BASE_DIR) / "docs" / page


if __name__ == "__main__":
    main()
