"""What the bench says of its numbers, and that it notices a write that is lost or doubled."""

import json
from types import SimpleNamespace

import pytest

from tests.bench import busy, report
from tests.bench.operations import MEASURED, OPERATIONS, Measured, Outcome
from tests.bench.pages import API_LIST, Cost
from tests.bench.results import ADMIN, FLOOR, OURS, Results
from tests.cms.articles import article

MACHINE = {"processor": "one"}


def outcome(**ours: float) -> Outcome:
    """The admin takes 10 ms for everything, the floor 2 (4 for 100 items), ours 5 unless it is said."""
    table = {
        OURS: {
            name: Measured(median_ms=ours.get(name.replace(" ", "_"), 5.0), per_second=200)
            for name in MEASURED
        },
        ADMIN: {name: Measured(median_ms=10.0, per_second=100, processor_ms=9.5) for name in OPERATIONS},
        FLOOR: {
            name: Measured(median_ms=4.0 if name == API_LIST else 2.0, per_second=500)
            for name in MEASURED
            if name != "search"
        },
    }
    costs = {name: Cost(5, 5, 3, 2.5, 20) for name in MEASURED}
    return Outcome(table, {name: [90.0, 80.0] for name in table}, costs)


def failing(results: Results) -> list[str]:
    return [verdict.what for verdict in results.verdicts() if not verdict.holds]


def test_everything_holds_where_we_are_faster_than_the_admin_and_near_the_floor() -> None:
    assert failing(Results("2026-11-18", MACHINE, 9.5, {1_000: outcome(), 100_000: outcome()})) == []


def test_an_operation_that_is_slower_is_named() -> None:
    results = Results("2026-11-18", MACHINE, 9.5, {100_000: outcome(search=11.0)})

    assert failing(results) == [
        "Faster than Django's admin in all seven operations, one client (100,000 records)",
        "Search: at most 1.5 times the list",
    ]
    assert "| not search |" in report.as_markdown(results)


def test_a_list_of_the_api_that_takes_more_than_one_and_a_half_times_its_query_is_told() -> None:
    results = Results("2026-11-18", MACHINE, 9.5, {100_000: outcome(API_list_of_100=6.1)})

    assert failing(results) == ["API list of 100: at most 1.5 times the bare Query"]


def test_costs_that_grow_with_the_records_do_not_hold() -> None:
    grown = outcome()
    grown.costs["page 40"].units = 3.0

    results = Results("2026-11-18", MACHINE, 9.5, {1_000: outcome(), 100_000: grown})

    assert failing(results) == ["Requests and units are the same with 1,000 and 100,000 records"]


def test_limits_in_ms_are_those_of_a_machine_on_which_the_admin_is_slower() -> None:
    results = Results("2026-11-18", MACHINE, yardstick_ms=9.5)

    assert results.slowness == pytest.approx(3.0)


def test_the_tables_have_what_the_issue_shows_and_the_json_the_same_numbers() -> None:
    results = Results("2026-11-18", MACHINE, 9.5, {100_000: outcome(edit_form=23.4)})
    results.operations[100_000].table[OURS]["save"].statuses = {"302": 9, "503": 2}

    page = report.as_markdown(results)

    assert "| Fieldhouse | 5.0; 200 | 5.0; 200 | 5.0; 200 | 23; 200 | 5.0; 200, 2 of status 503 |" in page
    assert f"| Fieldhouse / {ADMIN} | 0.50; 2.00 |" in page
    assert f"| {FLOOR} | 2.0; 500 | 2.0; 500 | - |" in page
    table = json.loads(report.as_json(results))["operations"]["100000"]["table"]
    assert table[OURS]["edit form"]["median_ms"] == 23.4


@pytest.mark.usefixtures("db")
def test_a_write_that_is_missing_or_there_twice_is_noticed() -> None:
    edited = article("Edited", text="0-1 text", published=True)
    for title in ("Betrieb 0-0", "Betrieb 0-1", "Betrieb 0-1"):
        article(title)

    def compared(titles: dict[int, str], texts: dict[int, str], version: int) -> tuple[int, int]:
        work = SimpleNamespace(key=edited.id, version=version, titles=titles, texts=texts)
        return busy._compare([work], [[*titles, *texts]])  # type: ignore[list-item]

    version = edited.seen_version
    assert compared({0: "Betrieb 0-0"}, {5: "0-1 text"}, version - 1) == (0, 0)
    assert compared({0: "Betrieb 0-0", 1: "Betrieb 0-0"}, {}, version) == (0, 0)
    assert compared({0: "Betrieb 0-2"}, {}, version) == (1, 0)
    assert compared({0: "Betrieb 0-1"}, {}, version) == (0, 1)
    assert compared({}, {5: "0-0 text", 6: "0-2 text"}, version - 1) == (1, 0)
    assert compared({}, {5: "0-0 text", 6: "0-1 text"}, version - 1) == (1, 0)
    assert compared({}, {5: "0-2 text"}, version - 1) == (1, 0)
    assert compared({}, {5: "0-1 text"}, version - 2) == (0, 1)
