"""The audit of rewards names each figure that is not what was booked."""

from importlib import import_module
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from core.dynamo import transactions
from core.dynamo.attributes import now
from core.dynamo.errors import NotFound
from quests import repository
from quests.models import Account, MonthScore
from quests.months import month_of
from quests.services import accounts, audit
from tests.quests.board import CREATOR, PERFORMER, STEWARD, completed, figures, ledger_agrees, open_accounts

pytestmark = pytest.mark.usefixtures("db")


def audited():
    """What the audit says, line by line; the last one is its error."""
    out = StringIO()
    try:
        call_command("quests", "audit", stdout=out)
    except CommandError as error:
        return [*out.getvalue().splitlines(), str(error)]
    return out.getvalue().splitlines()


def test_the_audit_names_each_figure_that_is_wrong():
    open_accounts()
    assert audited() == ["All 4 accounts agree with the ledger."]

    wrong = [Account.points.set(99), Account.quests_created.set(3)]
    transactions.send(transactions.update(Account, {"userId": {"S": CREATOR.sub}}, wrong))

    assert audited() == [
        "Maya Rosenthal has 99 points, but the ledger says 10.",
        "Maya Rosenthal has 3 quests offered, but the ledger says 0.",
        "2 figures of 4 accounts do not agree with the ledger.",
    ]


def test_the_audit_names_each_month_that_is_wrong():
    open_accounts()
    completed()
    assert audited() == ["All 4 accounts agree with the ledger."]

    month = month_of(now())
    for person, key, score in ((PERFORMER, month, 70), (CREATOR, "2025-02", 500)):
        place = {"userId": {"S": person.sub}, "entryId": {"S": f"MONTH#{key}"}}
        wrong = [MonthScore.month.set(key), MonthScore.experience.set(score)]
        transactions.send(transactions.update(MonthScore, place, wrong))

    told = audited()
    assert sorted(told[:-1]) == [
        "Maya Rosenthal has 500 XP on the leaderboard of 2025-02, but the ledger says 0.",
        f"Milan Petrov has 70 XP on the leaderboard of {month}, but the ledger says 100.",
    ]
    assert told[-1] == "2 figures of 4 accounts do not agree with the ledger."


def test_the_audit_misses_a_month_that_is_not_there():
    open_accounts()
    completed()
    month = month_of(now())
    place = {"userId": {"S": PERFORMER.sub}, "entryId": {"S": f"MONTH#{month}"}}
    transactions.send(transactions.delete(MonthScore, place))

    assert audited()[:-1] == [
        f"Milan Petrov has 0 XP on the leaderboard of {month}, but the ledger says 100.",
        f"Milan Petrov has 0 quests on the leaderboard of {month}, but the ledger says 1.",
    ]


def test_the_audit_is_not_misled_by_what_is_booked_while_it_reads(monkeypatch):
    open_accounts()
    booked, done = repository.ledger.booked, []

    def meanwhile(user_id):
        if user_id == PERFORMER.sub and not done:
            done.append(completed())
        return booked(user_id)

    monkeypatch.setattr(repository.ledger, "booked", meanwhile)

    assert audited() == ["All 4 accounts agree with the ledger."]


def test_what_was_never_booked_is_not_in_the_ledger():
    open_accounts()
    with pytest.raises(NotFound):
        repository.ledger.get(PERFORMER.sub, "REWARD#none:performer")


def test_a_ledger_of_more_than_a_page_is_summed_up_whole(monkeypatch):
    monkeypatch.setattr(import_module("quests.repository.ledger"), "PAGE_SIZE", 2)
    open_accounts()
    for _number in range(3):
        completed()

    assert figures(PERFORMER) == (16, 300, 30)
    assert ledger_agrees(PERFORMER)


def test_an_audit_ends_though_the_account_changes_all_the_time(monkeypatch):
    open_accounts()
    wrong = Account.points.set(99)
    transactions.send(transactions.update(Account, {"userId": {"S": PERFORMER.sub}}, [wrong]))
    booked, reads = repository.ledger.booked, []

    def booked_while_it_changes(key):
        reads.append(key)
        accounts.adjust_points(STEWARD, key, points=1, note="Noch ein Punkt")
        return booked(key)

    monkeypatch.setattr(repository.ledger, "booked", booked_while_it_changes)

    assert audit.audited(PERFORMER.sub).differences != []
    assert len(reads) == audit.MOST_READS
