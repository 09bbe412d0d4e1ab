"""What a day has shown, and whether it is what must hold."""

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from tests.bench.documents import Verdict
from tests.load.browser import NO_ANSWER, Sent
from tests.load.day import Outage, Outcome
from tests.load.settings import GRACE_SECONDS

MOST_REFUSALS = 0.001
MOST_P95_OVER_P50 = 5
# What a worker's own memory may grow between the second and the last quarter of the day: caches fill, and the
# allocator keeps a little.
MOST_GROWTH = 0.05


@dataclass
class Kind:
    """One kind of request, outside of the outages."""

    count: int
    p50_ms: float
    p95_ms: float
    # By status; those in an outage are told apart.
    refusals: dict[str, int]
    in_outages: dict[str, int]


@dataclass
class Memory:
    """Medians of one worker's own memory in MB."""

    early: float
    late: float

    @property
    def growth(self) -> float:
        return self.late / self.early - 1


def kinds(outcome: Outcome) -> dict[str, Kind]:
    by_kind: defaultdict[str, list[Sent]] = defaultdict(list)
    for sent in outcome.journal.sent:
        by_kind[sent.kind].append(sent)
    return {kind: _kind(requests, outcome.outages) for kind, requests in sorted(by_kind.items())}


def _kind(requests: list[Sent], outages: list[Outage]) -> Kind:
    apart = [each for each in requests if is_in_outage(each, outages)]
    usual = [each for each in requests if not is_in_outage(each, outages)]
    ms = sorted(each.ms for each in usual) or [0.0]
    return Kind(
        count=len(requests),
        p50_ms=statistics.median(ms),
        p95_ms=ms[math.ceil(0.95 * len(ms)) - 1],
        refusals=_refused(usual),
        in_outages=_refused(apart),
    )


def is_in_outage(sent: Sent, outages: list[Outage]) -> bool:
    """Whether it was under way during an outage, or began soon after it."""
    end = sent.due + sent.ms / 1000
    return any(sent.due < each.end + GRACE_SECONDS and end > each.begin for each in outages)


def _refused(requests: list[Sent]) -> dict[str, int]:
    return dict(Counter(_status(each.status) for each in requests if each.is_refusal))


def _status(status: int) -> str:
    return "no answer" if status == NO_ANSWER else str(status)


def memory(outcome: Outcome) -> dict[int, Memory]:
    """Of the workers that were there all day; in the first quarter they fill what they keep."""
    seconds = outcome.club.seconds
    found = {}
    for pid, samples in outcome.memory.items():
        early = [megabytes for at, megabytes in samples if seconds / 4 <= at < seconds / 2]
        late = [megabytes for at, megabytes in samples if at >= seconds * 3 / 4]
        if early and late and samples[0][0] < seconds / 8:
            found[pid] = Memory(statistics.median(early), statistics.median(late))
    return found


def lasting(outcome: Outcome) -> list[Verdict]:
    """What holds on every machine."""
    return [*_lasting(outcome)]


def verdicts(outcome: Outcome) -> list[Verdict]:
    return [*_lasting(outcome), *_times(outcome)]


def _lasting(outcome: Outcome) -> Iterator[Verdict]:
    acknowledged = sum(map(len, outcome.journal.acknowledged.values()))
    yield Verdict(
        "Nothing that was acknowledged is lost, doubled or wrong",
        not outcome.problems,
        f"{acknowledged} acknowledged, {len(outcome.problems)} problems",
    )
    found = kinds(outcome)
    refused = sum(sum(kind.refusals.values()) for kind in found.values())
    count = sum(kind.count for kind in found.values())
    yield Verdict(
        f"Refusals under {MOST_REFUSALS:.1%} outside of the outages",
        refused < MOST_REFUSALS * count,
        f"{refused} of {count:,} requests",
    )
    grown = {pid: each.growth for pid, each in memory(outcome).items()}
    yield Verdict(
        f"The memory of a worker grows by less than {MOST_GROWTH:.0%} from the second to the last quarter",
        bool(grown) and all(each < MOST_GROWTH for each in grown.values()),
        ", ".join(f"{each:+.1%}" for each in grown.values()) or "no worker was there all day",
    )


def _times(outcome: Outcome) -> Iterator[Verdict]:
    for name, kind in kinds(outcome).items():
        ratio = kind.p95_ms / kind.p50_ms if kind.p50_ms else 0.0
        yield Verdict(
            f"{name}: p95 under {MOST_P95_OVER_P50} times p50",
            ratio < MOST_P95_OVER_P50,
            f"{ratio:.1f} times",
        )
