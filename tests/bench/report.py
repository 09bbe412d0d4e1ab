"""A run as Markdown and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from tests.bench import documents
from tests.bench.documents import table, verdicts_in_markdown
from tests.bench.operations import MEASURED, Measured, Outcome
from tests.bench.pages import SHELL
from tests.bench.results import ADMIN, FLOOR, OURS, YARDSTICK_MS, Results

DONE = ("200", "302")


def write(results: Results, folder: Path) -> list[Path]:
    return documents.write(folder, results.date, markdown=as_markdown(results), values=values(results))


def as_json(results: Results) -> str:
    return documents.as_json(values(results))


def values(results: Results) -> object:
    verdicts = [verdict._asdict() for verdict in results.verdicts()]
    return asdict(results) | {"slowness": results.slowness, "verdicts": verdicts}


def as_markdown(results: Results) -> str:
    return "\n".join([*_head(results), *verdicts_in_markdown(results.verdicts()), *_parts(results)])


def _parts(results: Results) -> Iterator[str]:
    for size, outcome in sorted(results.operations.items(), reverse=True):
        yield from _operations(size, outcome)
    yield from _pages(results)
    yield from _start(results)
    yield from _busy(results)


def _head(results: Results) -> Iterator[str]:
    yield f"# Bench of {results.date}"
    yield ""
    yield ", ".join(f"{name} {value}" for name, value in results.machine.items()) + "."
    yield (
        f"The admin's forms take {results.yardstick_ms:.1f} ms of the processor here; where the limits in ms "
        f"were set they took {YARDSTICK_MS}, so the limits are divided by {results.slowness:.1f}."
    )
    yield ""


def _operations(size: int, outcome: Outcome) -> Iterator[str]:
    yield f"## {size:,} articles: median ms with one client; requests a second with eight"
    yield ""
    rows: list[list[str]] = []
    for name, measured in outcome.table.items():
        cells = [_cell(measured.get(operation)) for operation in MEASURED]
        rows.append([name, *cells, f"{sum(outcome.memory[name]):.0f} MB"])
    ours = outcome.table[OURS]
    for other in (ADMIN, FLOOR):
        ratios = [_ratios(ours[name], outcome.table[other].get(name)) for name in MEASURED]
        memory = sum(outcome.memory[OURS]) / sum(outcome.memory[other])
        rows.append([f"Fieldhouse / {other}", *ratios, f"{memory:.1f}"])
    yield from table(("", *MEASURED, "workers (PSS)"), rows)
    yield "Processor ms of the workers per request (SQLite's work is in it, that of DynamoDB is not), and KB:"
    yield ""
    rows = []
    for name, measured in outcome.table.items():
        rows.append([name, *(_processor(measured.get(operation)) for operation in MEASURED)])
    yield from table(("", *MEASURED), rows)
    yield "Requests to DynamoDB and capacity units of ours:"
    yield ""
    costs = [f"{outcome.costs[name].requests}; {outcome.costs[name].units:g}" for name in MEASURED]
    yield from table(("", *MEASURED), [[OURS, *costs]])


def _pages(results: Results) -> Iterator[str]:
    if not results.pages:
        return
    shell = results.pages[SHELL].ms
    yield "## One page on the demo data: processor time (warm, median), requests, units, bytes"
    yield ""
    rows = [
        (
            name,
            f"{cost.ms:.1f}",
            f"{cost.ms / shell:.1f}",
            str(cost.requests),
            f"{cost.units:g}",
            _kb(cost.kilobytes),
        )
        for name, cost in results.pages.items()
    ]
    yield from table(("", "ms", "times the empty shell", "requests", "units", "KB"), rows)


def _start(results: Results) -> Iterator[str]:
    if not results.start:
        return
    yield "## Start of a worker"
    yield ""
    rows = [
        (
            name,
            f"{found.import_processor_seconds:.2f}; {found.import_seconds:.2f}",
            f"{found.import_megabytes:.0f} MB",
            f"{found.modules:.0f}",
            f"{found.seconds_until_ready:.2f}; {found.seconds_until_first_page:.2f}" if name == OURS else "-",
        )
        for name, found in results.start.items()
    ]
    headings = ("", "import: s of the processor; s", "RSS then", "modules", "gunicorn ready; first page, s")
    yield from table(headings, rows)


def _busy(results: Results) -> Iterator[str]:
    found = results.busy
    if found is None:
        return
    yield f"## Every core busy, eight clients for {found.seconds:.0f} s"
    yield ""
    answers = ", ".join(f"{count} of status {status}" for status, count in sorted(found.statuses.items()))
    yield f"Answers: {answers}; median {found.median_ms:.0f} ms, slowest {found.slowest_ms:.0f} ms."
    yield (
        f"Acknowledged: {found.creates} new articles and {found.saves} saves, every fifth sent twice; "
        f"{found.lost} lost, {found.doubled} carried out twice."
    )
    yield ""


def _cell(measured: Measured | None) -> str:
    if measured is None:
        return "-"
    wrong = [
        f"{count} of status {status}" for status, count in measured.statuses.items() if status not in DONE
    ]
    return ", ".join([f"{_short(measured.median_ms)}; {_short(measured.per_second)}", *wrong])


def _ratios(ours: Measured, other: Measured | None) -> str:
    if other is None or not other.median_ms or not other.per_second:
        return "-"
    return f"{ours.median_ms / other.median_ms:.2f}; {ours.per_second / other.per_second:.2f}"


def _processor(measured: Measured | None) -> str:
    if measured is None:
        return "-"
    told = f"{measured.processor_ms:.1f}"
    return f"{told}; {_kb(measured.kilobytes)}" if measured.kilobytes else told


def _short(number: float) -> str:
    return f"{number:.0f}" if number >= 20 else f"{number:.1f}"


def _kb(kilobytes: float) -> str:
    return f"{kilobytes:.1f}"
