"""`python -m tests.scale` measures anew and writes what it found into both documents."""

import os
import re
import tempfile
from collections.abc import Callable
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
from tests.scale import loads, paper  # noqa: E402
from tests.scale.loads import Shared, SharedItem  # noqa: E402
from tests.scale.partition_meter import PartitionMeter  # noqa: E402

Meters = dict[str, PartitionMeter]
Rows = list[list[str]]


def main() -> None:
    meters = measured()
    rewrite(loads.PAGE, loads.SHARED, lambda rows: shared(rows, meters))
    rewrite(loads.PAGE, loads.ITEMS, lambda rows: items(rows, meters))
    rewrite(paper.PAGE, paper.INPUTS, lambda rows: inputs(rows, meters))
    rewrite(paper.PAGE, paper.ASKED, lambda rows: asked(rows, meters))
    rewrite(paper.PAGE, paper.HOT, lambda rows: hot(rows, meters))
    rewrite(paper.PAGE, paper.FIGURES, figures)
    path = path_of(paper.PAGE)
    path.write_text(with_numbers(path.read_text()))


def measured() -> Meters:
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
        return loads.measured(issuer)


def shared(rows: Rows, meters: Meters) -> Rows:
    """With what is measured, the key that is closest to its limit first."""
    found = loads.loads(meters, loads.rates())
    loaded = [(loads.tightest(Shared(*(cell.strip("`") for cell in row)), found), row) for row in rows]
    ordered = sorted(loaded, key=lambda each: int(each[0].headroom))
    return [[*row[:4], *load.told()] for load, row in ordered]


def items(rows: Rows, meters: Meters) -> Rows:
    """With the writes that touch them, and how often they do."""
    found = loads.shared_items(meters)

    def written(row: list[str]) -> list[str]:
        names = loads.touching(SharedItem(*(cell.strip("`") for cell in row)), found)
        return [*row[:2], ", ".join(names), loads.times_of(names), row[4]]

    return list(map(written, rows))


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
