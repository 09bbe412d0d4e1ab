"""The report per category as a file for spreadsheets."""

import csv
from datetime import UTC, datetime
from io import StringIO

import pytest

from core.dynamo import metering
from quests.views import report
from tests.quests.board import claimed, completed, disputed, offered, open_accounts

pytestmark = pytest.mark.usefixtures("db")
ADDRESS = "/quests/report.csv"


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def lines_of(response):
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return list(csv.reader(StringIO(text)))


def test_each_category_has_a_line_with_what_became_of_its_quests(as_role):
    offered(category="social")
    completed(category="social", reward_xp=250)
    disputed(category="technical")
    response = as_role("steward").get(ADDRESS)
    lines = lines_of(response)

    assert response["Content-Disposition"].startswith('attachment; filename="quests-categories-')
    assert lines[0] == [
        *("Category", "Open", "Claimed", "Waiting for confirmation", "Completed", "Disputed", "Expired"),
        *("Cancelled", "All", "Completed (%)", "XP of completed quests"),
    ]
    by_category = {line[0]: line[1:] for line in lines[1:]}
    assert by_category["Social"] == ["1", "0", "0", "1", "0", "0", "0", "2", "50", "250"]
    assert by_category["Technical"] == ["0", "0", "0", "0", "1", "0", "0", "1", "0", "0"]
    assert by_category["General"] == ["0"] * 8 + ["", "0"]
    assert len(lines) == 1 + 6


def test_the_quests_of_one_category_are_listed_with_names(as_role):
    claimed(category="social", title="Kuchen für das Sommerfest")
    offered(category="technical")
    lines = lines_of(as_role("steward").get(ADDRESS, {"category": "social"}))

    assert [line[:7] for line in lines[1:]] == [
        ["Social", "Kuchen für das Sommerfest", "Claimed", "Maya Rosenthal", "Milan Petrov", "100", "10"]
    ]


def test_days_are_those_of_the_club(as_role, monkeypatch):
    monkeypatch.setattr("quests.services.rewards.now", lambda: datetime(2026, 3, 31, 22, 30, tzinfo=UTC))
    completed(category="social")
    lines = lines_of(as_role("steward").get(ADDRESS, {"category": "social"}))

    assert lines[1][-1].startswith("2026-04-01")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", " =", "\uff1d"])
def test_no_title_is_a_formula(as_role, start):
    offered(category="social", title=f'{start}HYPERLINK("http://x.example")')
    lines = lines_of(as_role("steward").get(ADDRESS, {"category": "social"}))

    assert lines[1][1] == f'\'{start}HYPERLINK("http://x.example")'


def test_it_ends_where_a_file_ends_and_says_so(as_role, monkeypatch):
    monkeypatch.setattr(report, "MOST_ROWS", 3)
    for _number in range(5):
        offered(category="social")
    client = as_role("steward")
    with metering.metered() as cost:
        lines = lines_of(client.get(ADDRESS, {"category": "social"}))

    assert len(lines) == 1 + 3 + 1
    assert lines[-1] == ["This file has only the first 3 quests."]
    assert cost.operations.count("Query") == 1


def test_an_outage_on_the_way_is_told_in_the_file(as_role, monkeypatch):
    from core.dynamo.errors import Unavailable

    def broken(*_args, **_options):
        raise Unavailable

    response = as_role("steward").get(ADDRESS)
    monkeypatch.setattr(report.repository.quests, "with_status", broken)

    assert lines_of(response)[-1][0] == "THIS FILE IS INCOMPLETE."


@pytest.mark.parametrize("role", ["member", "moderator"])
def test_it_is_for_stewards(as_role, role):
    assert as_role(role).get(ADDRESS).status_code == 403


def test_the_categories_say_too_that_not_all_quests_were_counted(as_role, monkeypatch):
    monkeypatch.setattr(report, "MOST_ROWS", 2)
    for _number in range(3):
        offered(category="social")
    lines = lines_of(as_role("steward").get(ADDRESS))

    assert lines[-1] == ["This file has only the first 2 quests."]
