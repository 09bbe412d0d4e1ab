"""What a run found, and whether it is what must hold."""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.bench.busy import Outcome as BusyOutcome
from tests.bench.documents import Verdict
from tests.bench.operations import MEASURED, OPERATIONS, YARDSTICK, Outcome
from tests.bench.pages import API_LIST, Costs
from tests.bench.start import Started

OURS, ADMIN, FLOOR = "Fieldhouse", "Django admin, SQLite", "bare botocore call + template"
# Where the limits in milliseconds were set, the two forms of the admin took this long.
YARDSTICK_MS = 28.5
MOST_OVER_FLOOR = 3
MOST_SEARCH_OVER_LIST = 1.5
MOST_API_OVER_QUERY = 1.5
MOST_PROCESSOR_MS = {
    20: ("news list", "save", "quest board"),
    25: ("edit form", "stand form", "search"),
    30: ("Home",),
    45: ("calendar", "analysis", "compare", "selection"),
}
MOST_KILOBYTES = {"news list": 30, "search": 35}
MOST_IMPORT_SECONDS = 1.2
MOST_WORKER_MEGABYTES = 110


@dataclass
class Results:
    """By size the operations; what was not asked for is empty."""

    date: str
    machine: dict[str, str]
    yardstick_ms: float = 0.0
    operations: dict[int, Outcome] = field(default_factory=dict)
    pages: Costs = field(default_factory=dict)
    start: dict[str, Started] = field(default_factory=dict)
    busy: BusyOutcome | None = None

    @property
    def slowness(self) -> float:
        """How slow the machine is on which the limits were set, compared with this one."""
        return YARDSTICK_MS / self.yardstick_ms if self.yardstick_ms else 1.0

    def verdicts(self) -> list[Verdict]:
        return [
            *self._operations(),
            *self._pages(),
            *self._start(),
            *self._busy(),
        ]

    # --- What must hold -----------------------------------------------------------------------------------

    def _operations(self) -> Iterator[Verdict]:
        if not self.operations:
            return
        size = max(self.operations)
        outcome = self.operations[size]
        ours, admin, floor = (outcome.table[name] for name in (OURS, ADMIN, FLOOR))
        slower = [name for name in OPERATIONS if ours[name].median_ms >= admin[name].median_ms]
        yield Verdict(
            f"Faster than Django's admin in all seven operations, one client ({size:,} records)",
            not slower,
            _all_but(slower, "faster"),
        )
        fewer = [name for name in OPERATIONS if ours[name].per_second <= admin[name].per_second]
        yield Verdict("More requests a second than it with eight clients", not fewer, _all_but(fewer, "more"))
        for name in ("list", "page 40", "edit form", "save", "create"):
            ratio = ours[name].median_ms / floor[name].median_ms
            yield Verdict(
                f"{name}: at most {MOST_OVER_FLOOR} times the bare floor",
                ratio <= MOST_OVER_FLOOR,
                f"{ratio:.1f} times",
            )
        ratio = ours["search"].median_ms / ours["list"].median_ms
        yield Verdict(
            f"Search: at most {MOST_SEARCH_OVER_LIST} times the list",
            ratio <= MOST_SEARCH_OVER_LIST,
            f"{ratio:.1f} times",
        )
        ratio = ours[API_LIST].median_ms / floor[API_LIST].median_ms
        yield Verdict(
            f"{API_LIST}: at most {MOST_API_OVER_QUERY} times the bare Query",
            ratio <= MOST_API_OVER_QUERY,
            f"{ratio:.1f} times",
        )
        errors = sum(
            found.table[OURS][name].errors for found in self.operations.values() for name in MEASURED
        )
        yield Verdict("No error with eight clients", not errors, f"{errors} errors")
        yield from self._sizes()
        most = max(outcome.memory[OURS])
        yield Verdict(
            f"A worker stays under {MOST_WORKER_MEGABYTES} MB after the contest",
            most < MOST_WORKER_MEGABYTES,
            f"{most:.0f} MB (PSS)",
        )

    def _sizes(self) -> Iterator[Verdict]:
        if len(self.operations) < 2:
            return
        found = [
            {name: (cost.requests, cost.units) for name, cost in outcome.costs.items()}
            for outcome in self.operations.values()
        ]
        different = [name for name in MEASURED if len({costs[name] for costs in found}) > 1]
        sizes = " and ".join(f"{size:,}" for size in self.operations)
        yield Verdict(
            f"Requests and units are the same with {sizes} records",
            not different,
            _all_but(different, "same"),
        )

    def _pages(self) -> Iterator[Verdict]:
        if not self.pages:
            return
        for most, names in MOST_PROCESSOR_MS.items():
            for name in names:
                here = most / self.slowness
                yield Verdict(
                    f"{name}: at most {most} ms of the processor, {here:.1f} on this machine",
                    self.pages[name].ms <= here,
                    f"{self.pages[name].ms:.1f} ms",
                )
        for name, kilobytes in MOST_KILOBYTES.items():
            size = self.pages[name].kilobytes
            yield Verdict(f"{name}: at most {kilobytes} KB", size <= kilobytes, f"{size:.1f} KB")

    def _start(self) -> Iterator[Verdict]:
        if not self.start:
            return
        here = MOST_IMPORT_SECONDS / self.slowness
        took = self.start[OURS].import_processor_seconds
        yield Verdict(
            f"A worker imports in {MOST_IMPORT_SECONDS} s, {here:.2f} on this machine",
            took <= here,
            f"{took:.2f} s of the processor",
        )

    def _busy(self) -> Iterator[Verdict]:
        if self.busy is None:
            return
        wrong = {
            status: count for status, count in self.busy.statuses.items() if status not in ("200", "302")
        }
        yield Verdict(
            "Every core busy: no 503 nor any other error with eight clients",
            not wrong,
            ", ".join(f"{count} of status {status}" for status, count in wrong.items()) or "none",
        )
        yield Verdict(
            "Every core busy: every acknowledged write is there exactly once",
            not self.busy.lost and not self.busy.doubled,
            f"{self.busy.creates + self.busy.saves} writes, {self.busy.lost} lost, {self.busy.doubled} twice",
        )


def yardstick_of(outcome: Outcome) -> float:
    return statistics.mean(outcome.table[ADMIN][name].processor_ms for name in YARDSTICK)


def _all_but(others: list[str], word: str) -> str:
    return f"not {', '.join(others)}" if others else f"all {word}"
