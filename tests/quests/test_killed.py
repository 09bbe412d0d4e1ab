"""A process that is killed before or after any of its writes: paid exactly once, and the ledger agrees."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import timedelta
from importlib import import_module

import pytest

from config.engines.dynoxide import Dynoxide
from core.dynamo.attributes import now
from core.dynamo.errors import DataError
from quests.models import COMPLETE, EXPIRED
from quests.repository.failed_reward import LEASE
from quests.services import accounts, lifecycle, rewards
from quests.services.expiry import sweep
from tests.config.processes import ROOT
from tests.quests.accounts import remove_account
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    figures,
    ledger_agrees,
    offered,
    open_accounts,
    stored,
    submitted,
)

BEFORE_AND_AFTER = pytest.mark.parametrize("when", ["before", "after"])


def killed(db: Dynoxide, task: str, quest, *, write: int, when: str) -> None:
    """Let another process do it, until it kills itself at this write."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.quests.killed_worker", task, quest.id, str(write), when],
        cwd=ROOT,
        env=os.environ | {"DYNAMODB_ENDPOINT": db.endpoint},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


def goes_on(quest, monkeypatch) -> None:
    """The person presses the button again, and later the commands run."""
    with suppress(DataError):
        lifecycle.attest(PERFORMER, quest.id)
    accounts.open_account(PERFORMER)
    for module in (import_module("quests.repository.failed_reward"), rewards):
        monkeypatch.setattr(module, "now", lambda: now() + LEASE)
    for _run in range(2):
        sweep()
        rewards.reprocess(moment=now() + timedelta(days=1))


def assert_paid_once(quest) -> None:
    assert stored(quest).status == COMPLETE
    assert figures(PERFORMER) == (12, 100, 10)
    assert figures(CREATOR) == (9, 0, 0)
    assert ledger_agrees(PERFORMER)
    assert ledger_agrees(CREATOR)


@pytest.fixture
def half_confirmed(db):
    open_accounts()
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id)
    return quest


@BEFORE_AND_AFTER
def test_around_the_transaction_that_completes(db, half_confirmed, monkeypatch, when):
    killed(db, "attest", half_confirmed, write=1, when=when)
    # Both or neither: there is no completed quest without its reward.
    is_complete = stored(half_confirmed).status == COMPLETE
    assert is_complete == (when == "after")
    assert figures(PERFORMER) == ((12, 100, 10) if is_complete else (10, 0, 0))

    goes_on(half_confirmed, monkeypatch)
    assert_paid_once(half_confirmed)


@pytest.mark.slow
@pytest.mark.parametrize(("write", "when"), [(1, "before"), (1, "after"), (2, "before"), (2, "after")])
def test_around_the_completion_of_somebody_without_an_account(db, half_confirmed, monkeypatch, write, when):
    """The first write is refused, the second keeps the reward as failed."""
    remove_account(PERFORMER)
    killed(db, "attest", half_confirmed, write=write, when=when)

    goes_on(half_confirmed, monkeypatch)
    assert_paid_once(half_confirmed)


@pytest.mark.slow
@pytest.mark.parametrize(("write", "when"), [(1, "before"), (1, "after"), (2, "before"), (2, "after")])
def test_around_the_lease_and_the_booking_of_a_failed_reward(db, half_confirmed, monkeypatch, write, when):
    remove_account(PERFORMER)
    assert lifecycle.attest(PERFORMER, half_confirmed.id).status == COMPLETE
    accounts.open_account(PERFORMER)
    killed(db, "reprocess", half_confirmed, write=write, when=when)
    is_paid = (write, when) == (2, "after")
    assert figures(PERFORMER) == ((12, 100, 10) if is_paid else (10, 0, 0))

    goes_on(half_confirmed, monkeypatch)
    assert_paid_once(half_confirmed)


@BEFORE_AND_AFTER
def test_around_the_refund_of_an_expired_quest(db, when):
    open_accounts()
    quest = offered(expires_at=now() - timedelta(seconds=1))
    killed(db, "sweep", quest, write=1, when=when)
    assert (stored(quest).status == EXPIRED) == (when == "after")

    sweep()
    sweep()

    assert stored(quest).status == EXPIRED
    assert figures(CREATOR) == (10, 0, 0)
    assert ledger_agrees(CREATOR)
