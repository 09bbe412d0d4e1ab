"""What a day is judged by: refusals outside of the outages, memory, and times."""

import pytest

from core.dynamo.faults.capacity import Source
from tests.bench.documents import as_json
from tests.load import report, results
from tests.load.browser import NO_ANSWER, Journal, Sent
from tests.load.day import Outage, Outcome
from tests.load.settings import SHORT

MACHINE = {"processor": "one"}
OUTAGES = [Outage("the engine", 30.0, 32.0)]
FLAT = {7: [(float(second), 80.0) for second in range(60)]}


def outcome(*sent: Sent, **fields) -> Outcome:
    """A thousand requests went well, one every 60 ms."""
    usual = [Sent("website", number * 0.06, 20.0, 200, is_refusal=False) for number in range(1000)]
    told = {"memory": FLAT, "problems": [], **fields}
    return Outcome(
        SHORT,
        Journal([*usual, *sent], {"form": [[1, "20", 0, 0, ""]]}),
        OUTAGES,
        requests_to_dynamodb={"Query": 3},
        injected={},
        units={Source("vcm-news", None, "read"): 1.5},
        hottest=[],
        **told,
    )


def failing(found: Outcome) -> list[str]:
    return [verdict.found for verdict in results.verdicts(found) if not verdict.holds]


def refused(due: float, status: int = 503, ms: float = 5.0) -> Sent:
    return Sent("website", due, ms, status, is_refusal=True)


def test_everything_holds_where_nothing_was_refused_or_lost() -> None:
    assert failing(outcome()) == []


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(refused(31), id="in the middle"),
        pytest.param(refused(29, NO_ANSWER, 1500), id="under way when it began"),
        pytest.param(refused(36.9), id="soon after it"),
    ],
)
def test_a_refusal_in_an_outage_is_told_apart(sent: Sent) -> None:
    found = outcome(sent)

    kind = results.kinds(found)["website"]
    assert failing(found) == []
    assert (kind.count, kind.refusals) == (1001, {})
    assert kind.in_outages == {"no answer" if sent.status == NO_ANSWER else "503": 1}


@pytest.mark.parametrize("due", [29, 37.1])
def test_two_refusals_of_a_thousand_requests_at_other_times_are_too_many(due: float) -> None:
    assert failing(outcome(refused(due), refused(due, 500))) == ["2 of 1,002 requests"]


def test_what_is_lost_is_told() -> None:
    found = outcome(problems=["The form of team 20 in match 1 is lost."])

    assert failing(found) == ["1 acknowledged, 1 problems"]
    assert "- The form of team 20 in match 1 is lost." in report.as_markdown(found, "2026-11-19", MACHINE)


def test_memory_that_grows_does_not_hold_and_that_of_the_first_quarter_does_not_count() -> None:
    warming_up = {7: [(float(second), 80.0 if second > 10 else 40.0) for second in range(60)]}
    growing = {7: [(float(second), 80.0 + second / 5) for second in range(60)]}

    assert failing(outcome(memory=warming_up)) == []
    assert failing(outcome(memory=growing)) == ["+7.1%"]


def test_a_worker_that_took_the_place_of_a_killed_one_is_not_compared() -> None:
    late = {8: [(float(second), 40.0 + second) for second in range(15, 60)]}

    assert failing(outcome(memory=FLAT | late)) == []
    assert failing(outcome(memory=late)) == ["no worker was there all day"]


def test_slow_ones_of_a_kind_are_told_and_no_reason_for_a_test_to_fail() -> None:
    slow = [Sent("website", 1.0, 900.0, 200, is_refusal=False) for _number in range(60)]
    found = outcome(*slow)

    assert failing(found) == ["45.0 times"]
    assert [verdict for verdict in results.lasting(found) if not verdict.holds] == []


def test_the_page_and_the_json_have_the_same_numbers() -> None:
    found = outcome(refused(31))

    page = report.as_markdown(found, "2026-11-19", MACHINE)

    assert "| website | 1,001 | 20 | 20 | - | 1 of 503 |" in page
    assert "| worker 1 | 80 | 80 |" in page
    assert '"p95_ms": 20.0' in as_json(report.as_values(found, "2026-11-19", MACHINE))
