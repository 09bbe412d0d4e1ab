"""The leaderboard of a month."""

from datetime import UTC, datetime
from importlib import import_module

import pytest

from core.accounts.user import User
from core.dynamo import metering
from core.dynamo.actors import SYSTEM
from core.dynamo.transactions import Transaction
from quests import queries
from quests.repository import ledger
from quests.repository.ledger import Booking
from quests.services import accounts, lifecycle, rewards
from tests.quests.accounts import remove_account
from tests.quests.board import CREATOR, PERFORMER, completed, open_accounts, submitted

pytestmark = pytest.mark.usefixtures("db")
ADDRESS = "/quests/leaders/"


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def earned(monkeypatch, person, experience, month, number=1):
    """Book a reward as if it had been earned in that month."""
    moment = datetime.fromisoformat(f"{month}-15T12:00:00").replace(tzinfo=UTC)
    monkeypatch.setattr(import_module("quests.repository.ledger"), "now", lambda: moment)
    transaction = Transaction()
    booking = Booking(
        person.sub, f"REWARD#{month}-{number}", "reward", experience=experience, quests_completed=1
    )
    ledger.book(transaction, booking, actor=SYSTEM)
    transaction.commit()


def shown(response):
    return [(leader.place, leader.name, leader.experience) for leader in response.context["leaders"]]


def test_whoever_earned_most_in_the_month_leads(as_role, monkeypatch):
    earned(monkeypatch, CREATOR, 150, "2026-03")
    earned(monkeypatch, PERFORMER, 100, "2026-03", 1)
    earned(monkeypatch, PERFORMER, 100, "2026-03", 2)
    earned(monkeypatch, CREATOR, 900, "2026-02")

    assert shown(as_role("member").get(ADDRESS, {"month": "2026-03"})) == [
        (1, "Milan Petrov", 200),
        (2, "Maya Rosenthal", 150),
    ]


def test_the_same_xp_is_the_same_place_and_the_next_place_is_left_out(as_role, monkeypatch):
    third = User.of(sub="third", name="Ada Arendt", email="ada@fieldhouse.example", groups=[])
    open_accounts(third)
    for person, experience in ((CREATOR, 100), (PERFORMER, 100), (third, 50)):
        earned(monkeypatch, person, experience, "2026-03")

    assert shown(as_role("member").get(ADDRESS, {"month": "2026-03"})) == [
        (1, "Maya Rosenthal", 100),
        (1, "Milan Petrov", 100),
        (3, "Ada Arendt", 50),
    ]


def test_this_month_is_shown_first_and_no_month_to_come(as_role):
    completed()
    client = as_role("member")
    page = client.get(ADDRESS)

    assert shown(page) == [(1, "Milan Petrov", 100)]
    assert page.context["later"] is None
    for month in ("2099-01", "2026-13", "0000-01", "2026-1", "'"):
        assert client.get(ADDRESS, {"month": month}).context["is_this_month"]


def clock_at(monkeypatch, moment):
    """Every service and the ledger see this moment as now."""
    fixed = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    for module in ("repository.ledger", "services.lifecycle", "services.rewards", "views.people"):
        monkeypatch.setattr(import_module(f"quests.{module}"), "now", lambda: fixed)


def test_a_month_begins_at_midnight_of_the_club(as_role, monkeypatch):
    client = as_role("member")
    # In Berlin it is half past midnight on the first of April, and half an hour before May.
    for moment in ("2026-03-31T22:30", "2026-04-30T21:30"):
        clock_at(monkeypatch, moment)
        completed(expires_at=datetime(2027, 1, 1, tzinfo=UTC))
        assert f"{client.get(ADDRESS).context['month']:%Y-%m}" == "2026-04"

    assert shown(client.get(ADDRESS, {"month": "2026-04"})) == [(1, "Milan Petrov", 200)]
    assert shown(client.get(ADDRESS, {"month": "2026-03"})) == []


def test_a_reward_that_is_booked_later_counts_for_the_month_of_the_completion(as_role, monkeypatch):
    quest = submitted(expires_at=datetime(2027, 1, 1, tzinfo=UTC))
    remove_account(PERFORMER)
    clock_at(monkeypatch, "2026-03-31T21:59")
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)
    clock_at(monkeypatch, "2026-05-02T12:00")
    accounts.open_account(PERFORMER)
    assert rewards.reprocess().succeeded == 1

    client = as_role("member")
    assert shown(client.get(ADDRESS, {"month": "2026-03"})) == [(1, "Milan Petrov", 100)]
    assert shown(client.get(ADDRESS, {"month": "2026-05"})) == []


def test_an_empty_month_says_so(as_role):
    page = as_role("member").get(ADDRESS, {"month": "2026-01"}).content.decode()

    assert "No quests completed in this month." in page


def test_somebody_without_an_account_is_somebody(as_role, monkeypatch):
    earned(monkeypatch, PERFORMER, 100, "2026-03")
    remove_account(PERFORMER)

    assert shown(as_role("member").get(ADDRESS, {"month": "2026-03"})) == [(1, "Someone", 100)]


def test_it_costs_three_requests_with_many_people(as_role, monkeypatch):
    for number in range(queries.MOST_LEADERS + 5):
        person = User.of(sub=f"p{number}", name=f"P {number}", email=f"p{number}@x.example", groups=[])
        open_accounts(person)
        earned(monkeypatch, person, number + 1, "2026-03")
    client = as_role("member")
    with metering.metered() as cost:
        page = client.get(ADDRESS, {"month": "2026-03"})

    assert cost.operations == ["GetItem", "Query", "BatchGetItem"]
    assert len(page.context["leaders"]) == queries.MOST_LEADERS
    assert ledger.leaders("2026-03", limit=1)[0].user_id == f"p{queries.MOST_LEADERS + 4}"
