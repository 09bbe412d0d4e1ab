"""The table of access patterns in docs/quests.md is true and complete: each costs the requests it says."""

import inspect
from datetime import timedelta
from typing import NamedTuple

import pytest

from core.accounts.user import User
from core.dynamo import metering
from core.dynamo.attributes import now
from core.dynamo.items import new_id
from quests import repository
from quests.models import CLAIMED, OPEN, PENDING, SUBMITTED
from quests.months import month_of
from quests.repository.ledger import Booking
from quests.services import accounts, expiry, lifecycle, rewards
from tests.other_programs import store
from tests.pattern_tables import table_in, verbs_in
from tests.quests import other_program
from tests.quests.accounts import remove_account
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    STEWARD,
    TEXT,
    claimed,
    completed,
    disputed,
    offered,
    open_accounts,
    submitted,
)

NEWCOMER = User.of(sub="newcomer", name="Neu Hier", email="neu@fieldhouse.example", groups=[])
REASON = "Das Netz hat noch immer zwei Löcher."


class Line(NamedTuple):
    table: str
    about: str
    requests: str
    index: str
    method: str


LINES = table_in("quests.md", Line)


def failed():
    quest = submitted()
    remove_account(PERFORMER)
    lifecycle.attest(CREATOR, quest.id)
    lifecycle.attest(PERFORMER, quest.id)
    accounts.open_account(PERFORMER)
    return repository.failed_rewards.with_status(PENDING).items[0]


def leased():
    record = failed()
    repository.failed_rewards.lease(record, "me")
    return record


def given_up():
    record = failed()
    return rewards.abandon(STEWARD, record.id, seen_version=int(record.version))


def half_confirmed():
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id)
    return quest


def overdue():
    return offered(expires_at=now() - timedelta(seconds=1))


FIELDS = {"title": "Netz flicken", "description": "Drei Löcher im linken Netz, Garn liegt bereit."}


def of_another_program():
    store(other_program.TABLES["user"], [other_program.user(1)])
    return repository.accounts.get("user-01", strong=True)


# What is sent within the transaction of a step.
PARTS_OF_A_WRITE = {
    *("failed_rewards.held_by", "failed_rewards.is_free", "ledger.book", "ledger.row"),
    *("failed_rewards.leased_update", "quests.unchanged_condition"),
    *("accounts.adopted_with", "accounts.unchanged_condition", "quests.adopted_with"),
    *("accounts.add_held_quest", "accounts.replace_held_quests", "ledger.add_pair_xp"),
}
# What each pattern needs to be there, and how it is called with it.
CALLS = {
    "accounts.get": (None, lambda _: repository.accounts.get(CREATOR.sub)),
    "accounts.get_many": (None, lambda _: repository.accounts.get_many([CREATOR.sub, PERFORMER.sub])),
    "services.accounts.create_account": (None, lambda _: accounts.create_account(NEWCOMER)),
    "services.accounts.set_wallet": (None, lambda _: accounts.set_wallet(CREATOR, "0x" + "0" * 40)),
    "services.accounts.adjust_points": (
        None,
        lambda _: accounts.adjust_points(STEWARD, CREATOR.sub, points=1, note=REASON),
    ),
    "quests.get": (offered, lambda quest: repository.quests.get(quest.id)),
    "quests.with_status": (offered, lambda _: repository.quests.with_status(OPEN)),
    "quests.by_reward": (offered, lambda _: repository.quests.by_reward(OPEN)),
    "quests.created_by": (offered, lambda _: repository.quests.created_by(CREATOR.sub)),
    "quests.performed_by": (claimed, lambda _: repository.quests.performed_by(PERFORMER.sub)),
    "quests.created_with_status": (
        offered,
        lambda _: repository.quests.created_with_status(CREATOR.sub, OPEN),
    ),
    "quests.performed_with_status": (
        claimed,
        lambda _: repository.quests.performed_with_status(PERFORMER.sub, CLAIMED),
    ),
    "quests.performed_between": (
        claimed,
        lambda _: repository.quests.performed_between(PERFORMER.sub, CLAIMED, SUBMITTED),
    ),
    "services.lifecycle.create": (None, lambda _: lifecycle.create(CREATOR, FIELDS, key=new_id())),
    "services.lifecycle.edit": (
        offered,
        lambda quest: lifecycle.edit(CREATOR, quest.id, FIELDS, seen_version=int(quest.version)),
    ),
    "services.lifecycle.delete": (offered, lambda quest: lifecycle.delete(CREATOR, quest.id)),
    "services.lifecycle.claim": (offered, lambda quest: lifecycle.claim(PERFORMER, quest.id)),
    "services.lifecycle.release": (claimed, lambda quest: lifecycle.release(PERFORMER, quest.id)),
    "services.lifecycle.recall": (claimed, lambda quest: lifecycle.recall(STEWARD, quest.id, note=REASON)),
    "services.lifecycle.take_down": (
        offered,
        lambda quest: lifecycle.take_down(STEWARD, quest.id, note=REASON),
    ),
    "services.lifecycle.submit": (
        claimed,
        lambda quest: lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[]),
    ),
    "services.lifecycle.request_changes": (
        submitted,
        lambda quest: lifecycle.request_changes(CREATOR, quest.id, note=REASON),
    ),
    "services.lifecycle.attest": (half_confirmed, lambda quest: lifecycle.attest(PERFORMER, quest.id)),
    "services.lifecycle.dispute": (
        submitted,
        lambda quest: lifecycle.dispute(CREATOR, quest.id, reason=REASON),
    ),
    "services.lifecycle.answer": (
        disputed,
        lambda quest: lifecycle.answer(PERFORMER, quest.id, text=REASON),
    ),
    "services.lifecycle.decide": (
        disputed,
        lambda quest: lifecycle.decide(STEWARD, quest.id, decision="complete", note=REASON),
    ),
    "services.expiry.expire": (overdue, lambda quest: expiry.expire(quest.id, now())),
    "ledger.of_user": (completed, lambda _: repository.ledger.of_user(PERFORMER.sub, limit=20)),
    "ledger.get": (None, lambda _: repository.ledger.get(CREATOR.sub, "START")),
    "ledger.leaders": (completed, lambda _: repository.ledger.leaders(month_of(now()), limit=50)),
    "ledger.pair_xp": (
        completed,
        lambda quest: repository.ledger.pair_xp(rewards.reward_booking(quest, now()), CREATOR.sub),
    ),
    "ledger.sums": (completed, lambda _: repository.ledger.sums(PERFORMER.sub)),
    "ledger.booked": (completed, lambda _: repository.ledger.booked(PERFORMER.sub)),
    "ledger.scores": (completed, lambda _: repository.ledger.scores(PERFORMER.sub)),
    "ledger.adopted": (of_another_program, lambda account: list(repository.ledger.adopted(account))),
    "ledger.counted": (
        None,
        lambda _: list(repository.ledger.counted(Booking(PERFORMER.sub, "CREATE#theirs", "create"))),
    ),
    "failed_rewards.with_status": (failed, lambda _: repository.failed_rewards.with_status(PENDING)),
    "failed_rewards.all_with_status": (
        failed,
        lambda _: list(repository.failed_rewards.all_with_status(PENDING)),
    ),
    "failed_rewards.lease": (failed, lambda record: repository.failed_rewards.lease(record, "me")),
    "failed_rewards.release": (leased, lambda record: repository.failed_rewards.release(record, "me")),
    "services.rewards.retry_now": (failed, lambda record: rewards.retry_now(STEWARD, record.id)),
    "services.rewards.abandon": (
        failed,
        lambda record: rewards.abandon(STEWARD, record.id, seen_version=int(record.version)),
    ),
    "services.rewards.reopen": (
        given_up,
        lambda record: rewards.reopen(STEWARD, record.id, seen_version=int(record.version)),
    ),
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.method)
def test_it_costs_the_requests_that_the_table_says(db, line):
    open_accounts()
    needed, call = CALLS[line.method]
    record = needed() if needed else None
    with metering.metered() as cost:
        assert call(record) != []

    assert ", ".join(cost.operations) == line.requests
    assert [call.index for call in cost.calls if call.index] == ([line.index] if line.index else [])


def test_every_pattern_is_in_the_table():
    """What a repository of the board adds to the usual ones, and every verb of a quest."""
    own = {
        f"{name}.{method}"
        for name in repository.__all__
        for method in vars(type(getattr(repository, name)))
        if inspect.isfunction(getattr(type(getattr(repository, name)), method)) and not method.startswith("_")
    } - PARTS_OF_A_WRITE
    verbs = verbs_in([lifecycle], but={"get_if_allowed", "end_offer"})
    listed = [line.method for line in LINES]

    assert (own | verbs) - set(listed) == set()
    assert sorted(listed) == sorted(CALLS)
