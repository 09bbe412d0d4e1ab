"""A day as Markdown and as values for JSON."""

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from core.dynamo.faults.capacity import Source
from core.dynamo.faults.units import Partition
from tests.bench.documents import table, verdicts_in_markdown
from tests.load import results
from tests.load.day import Outcome
from tests.load.settings import GRACE_SECONDS

MOST_ROWS = 12


def as_values(outcome: Outcome, date: str, machine: Mapping[str, str]) -> object:
    return {
        "date": date,
        "machine": machine,
        "club": asdict(outcome.club),
        "verdicts": [verdict._asdict() for verdict in results.verdicts(outcome)],
        "problems": outcome.problems,
        "kinds": {name: asdict(kind) for name, kind in results.kinds(outcome).items()},
        "acknowledged": {name: len(each) for name, each in outcome.journal.acknowledged.items()},
        "outages": [asdict(each) for each in outcome.outages],
        "requests_to_dynamodb": outcome.requests_to_dynamodb,
        "injected": outcome.injected,
        "units": [{**source._asdict(), "units": units} for source, units in outcome.units.items()],
        "hottest": [
            {**hot.partition._asdict(), "units_in_a_second": hot.units, "share": hot.share}
            for hot in outcome.hottest
        ],
        "memory": outcome.memory,
    }


def as_markdown(outcome: Outcome, date: str, machine: Mapping[str, str]) -> str:
    return "\n".join(_lines(outcome, date, machine))


def _lines(outcome: Outcome, date: str, machine: Mapping[str, str]) -> Iterator[str]:
    club = outcome.club
    yield f"# Load of {date}"
    yield ""
    yield ", ".join(f"{name} {value}" for name, value in machine.items()) + "."
    yield (
        f"{club.seconds} seconds: {club.scouts} scouts, a live game with {club.viewers} viewers, "
        f"{club.editors} editors, {club.readers} readers of the website, {club.claims_a_minute} quests and "
        f"{club.sign_ins_a_minute} sign-ins a minute. Two web workers, the streams' worker, the engine, the "
        "proxy and the crowd share the machine."
    )
    yield ""
    yield from verdicts_in_markdown(results.verdicts(outcome))
    if outcome.problems:
        yield from (f"- {problem}" for problem in outcome.problems)
        yield ""
    yield from _kinds(outcome)
    yield from _dynamodb(outcome)
    yield from _memory(outcome)


def _kinds(outcome: Outcome) -> Iterator[str]:
    yield "## Requests"
    yield ""
    yield (
        "Milliseconds from the moment at which a request was due, outside of the outages. An outage lasts "
        f"from the kill until {GRACE_SECONDS:g} seconds after the process is back: "
        + "; ".join(f"{each.what} from {each.begin:.1f} to {each.end:.1f} s" for each in outcome.outages)
        + "."
    )
    yield ""
    rows = [
        (
            name,
            f"{kind.count:,}",
            _ms(kind.p50_ms),
            _ms(kind.p95_ms),
            _told(kind.refusals),
            _told(kind.in_outages),
        )
        for name, kind in results.kinds(outcome).items()
    ]
    yield from table(("", "count", "p50 ms", "p95 ms", "refusals", "in outages"), rows)
    told = ", ".join(f"{len(each):,} {name}" for name, each in outcome.journal.acknowledged.items())
    yield f"Acknowledged: {told}."
    yield ""


def _dynamodb(outcome: Outcome) -> Iterator[str]:
    yield "## DynamoDB"
    yield ""
    requests = outcome.requests_to_dynamodb
    yield (
        f"{sum(requests.values()):,} requests, {requests.get('TransactWriteItems', 0):,} of them writing "
        "transactions; "
        f"{outcome.injected.get('overlap', 0)} were refused because they met another one and "
        f"{outcome.injected.get('capacity', 0)} because a partition had no capacity, and sent again. "
        f"{_units(outcome, 'read'):,.0f} read units, {_units(outcome, 'write'):,.0f} write units."
    )
    yield ""
    most = list(outcome.units.items())[:MOST_ROWS]
    rows = [(*_named(source), f"{units:,.0f}") for source, units in most]
    yield from table(("units of all partitions", "index", "", "units"), rows)
    rows = [
        (*_named(hot.partition), f"`{hot.partition.key}`", f"{hot.units:.0f}", f"{hot.share:.1%}")
        for hot in outcome.hottest
    ]
    yield from table(
        ("hottest partitions", "index", "", "key", "units in a second", "of what AWS gives"), rows
    )


def _units(outcome: Outcome, kind: str) -> float:
    return sum(units for source, units in outcome.units.items() if source.kind == kind)


def _named(source: Source | Partition) -> tuple[str, str, str]:
    return source.table, source.index_name or "-", source.kind


def _memory(outcome: Outcome) -> Iterator[str]:
    yield "## Memory of the web workers"
    yield ""
    yield (
        "Anonymous memory (what a process does not share and no file backs), in MB, measured every second; "
        "medians of tenths of the day. A worker that was killed is replaced by another one."
    )
    yield ""
    tenths = outcome.club.seconds / 10
    rows = []
    for samples in outcome.memory.values():
        cells = [
            [megabytes for at, megabytes in samples if number * tenths <= at < (number + 1) * tenths]
            for number in range(10)
        ]
        rows.append(
            [
                f"worker {len(rows) + 1}",
                *(f"{statistics.median(each):.0f}" if each else "-" for each in cells),
            ]
        )
    yield from table(("", *(f"{number + 1}" for number in range(10))), rows)


def _ms(milliseconds: float) -> str:
    """Nothing where all requests of a kind were in outages."""
    return f"{milliseconds:.0f}" if milliseconds else "-"


def _told(refusals: Mapping[str, int]) -> str:
    return ", ".join(f"{count} of {status}" for status, count in refusals.items()) or "-"
