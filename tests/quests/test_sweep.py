"""What time does to quests: `manage.py quests sweep`."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from core.dynamo import history
from core.dynamo.attributes import now
from core.dynamo.errors import DataError, Unavailable
from core.dynamo.faults import Faults
from core.dynamo.transactions import Transaction
from quests import repository
from quests.models import CLAIMED, COMPLETE, DISPUTED, EXPIRED, OPEN, SUBMITTED, Quest
from quests.services import expiry, lifecycle, rewards
from quests.services.expiry import sweep
from tests.quests.accounts import remove_account
from tests.quests.board import (
    CREATOR,
    PERFORMER,
    TEXT,
    account_of,
    claimed,
    disputed,
    figures,
    ledger_agrees,
    offered,
    open_accounts,
    stored,
    submitted,
)
from tests.racing import at_once

pytestmark = pytest.mark.usefixtures("db")
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _accounts(db):
    open_accounts()


def overdue(**fields):
    return offered(expires_at=now() - timedelta(seconds=1), **fields)


def written_elsewhere(quest: Quest, **fields) -> None:
    """As another program might have left it."""
    repository.quests.update(stored(quest), fields, actor=CREATOR.actor)


def told(**options) -> str:
    out = StringIO()
    call_command("quests", "sweep", stdout=out, **options)
    return out.getvalue()


def test_an_offer_that_is_over_expires_and_its_point_comes_back():
    quest = overdue()
    offered(title="Noch lange offen")
    assert figures(CREATOR) == (8, 0, 0)

    assert sweep() == expiry.SweepResult(expired=["Netz in Halle 2 flicken"])

    assert stored(quest).status == EXPIRED
    assert stored(quest).expired_at is not None
    assert figures(CREATOR) == (9, 0, 0)
    assert int(account_of(CREATOR).quests_created) == 2
    assert ledger_agrees(CREATOR)
    entry = history.entries("quest", quest.id).items[0]
    assert (entry.verb, entry.actor_name) == ("expire", "Fieldhouse")


def test_the_time_promised_with_a_claim_holds_though_the_offer_ends_earlier():
    quest = claimed(expires_at=now() + DAY)

    assert sweep(moment=quest.claim_expires_at - timedelta(milliseconds=1)).expired == []
    assert (stored(quest).status, stored(quest).performer_id) == (CLAIMED, PERFORMER.sub)
    lifecycle.submit(PERFORMER, quest.id, text=TEXT, photos=[])
    assert sweep(moment=now() + 400 * DAY) == expiry.SweepResult()


def test_whoever_is_asked_for_changes_after_the_offer_ended_has_14_days_again():
    quest = submitted(expires_at=now() + DAY)
    lifecycle.request_changes(CREATOR, quest.id, note="Das linke Netz bitte auch.")

    assert sweep(moment=now() + 2 * DAY) == expiry.SweepResult()
    assert (stored(quest).status, stored(quest).submission_text) == (CLAIMED, TEXT)
    assert figures(CREATOR) == (9, 0, 0)


def test_an_offer_that_ended_during_a_claim_expires_once_the_claim_is_over():
    quest = claimed(expires_at=now() + DAY)
    ends = quest.claim_expires_at

    assert sweep(moment=ends) == expiry.SweepResult(released=["Netz in Halle 2 flicken"])
    assert sweep(moment=ends) == expiry.SweepResult(expired=["Netz in Halle 2 flicken"])
    assert figures(CREATOR) == (10, 0, 0)


def test_a_claim_for_which_no_time_was_promised_ends_with_the_offer():
    """Another program wrote it."""
    quest = claimed(expires_at=now() + DAY)
    written_elsewhere(quest, claim_expires_at=None)

    assert sweep(moment=now() + DAY - timedelta(seconds=1)).released == []
    assert sweep(moment=now() + DAY).released == ["Netz in Halle 2 flicken"]


@pytest.mark.parametrize("made", [submitted, disputed])
def test_what_is_submitted_or_disputed_never_expires(made):
    quest = made(expires_at=now() + DAY)

    assert sweep(moment=now() + 400 * DAY) == expiry.SweepResult()
    assert stored(quest).version == quest.version


def test_a_claim_ends_after_14_days_and_others_may_take_the_quest_on():
    quest = claimed()
    assert sweep(moment=quest.claim_expires_at - timedelta(milliseconds=1)).released == []

    assert sweep(moment=quest.claim_expires_at).released == ["Netz in Halle 2 flicken"]

    after = stored(quest)
    assert (after.status, after.performer_id, after.claim_expires_at) == (OPEN, None, None)
    assert after.decision_note is None
    assert history.entries("quest", quest.id).items[0].verb == "end_claim"
    assert figures(CREATOR) == (9, 0, 0)


def test_a_claim_of_which_four_days_are_left_is_told_but_not_changed():
    quest = claimed()
    ends = quest.claim_expires_at

    assert sweep(moment=ends - 4 * DAY - timedelta(seconds=1)).stale == []
    assert sweep(moment=ends - 4 * DAY).stale == ["Netz in Halle 2 flicken"]
    assert stored(quest).version == quest.version


def test_what_both_sides_confirmed_but_nobody_completed_is_completed_and_paid():
    quest = submitted()
    written_elsewhere(quest, has_requestor_attestation=True, has_performer_attestation=True)

    assert sweep().completed == ["Netz in Halle 2 flicken"]
    assert sweep().completed == []

    assert stored(quest).status == COMPLETE
    assert figures(PERFORMER) == (12, 100, 10)
    assert ledger_agrees(PERFORMER)


def test_what_was_paid_already_is_completed_without_paying_it_again():
    quest = submitted()
    paid = Transaction()
    repository.ledger.book(paid, rewards.reward_booking(quest, now()), actor=CREATOR.actor)
    paid.commit()
    written_elsewhere(quest, has_requestor_attestation=True, has_performer_attestation=True)

    assert sweep().completed == ["Netz in Halle 2 flicken"]
    assert stored(quest).status == COMPLETE
    assert figures(PERFORMER) == (12, 100, 10)


def test_one_confirmation_completes_nothing():
    quest = submitted()
    lifecycle.attest(CREATOR, quest.id)

    assert sweep().completed == []
    assert stored(quest).status == SUBMITTED


def test_an_offer_of_somebody_without_an_account_expires_without_a_refund():
    quest = overdue()
    remove_account(CREATOR)

    assert sweep().expired == ["Netz in Halle 2 flicken"]
    assert stored(quest).status == EXPIRED


def test_a_dry_run_tells_the_same_and_changes_nothing():
    quests = [overdue(title="Vorbei"), claimed(title="Gehalten", expires_at=now() + DAY)]
    both = submitted(title="Beide einig")
    written_elsewhere(both, has_requestor_attestation=True, has_performer_attestation=True)
    expected = "“Vorbei”: expired.\n“Beide einig”: completed, because both sides had confirmed.\n"

    assert told(dry_run=True) == expected
    assert [stored(quest).status for quest in quests] == [OPEN, CLAIMED]
    assert stored(both).status == SUBMITTED
    assert figures(CREATOR) == (7, 0, 0)

    assert told() == expected
    assert told() == "Nothing was due.\n"


def test_whoever_was_faster_is_left_alone(monkeypatch):
    """Between the list and the step somebody took the quest on, or submitted it."""
    extended, done = overdue(title="Verlängert"), claimed(title="Abgegeben")
    seen = list(expiry._quests_with_status(OPEN)), list(expiry._quests_with_status(CLAIMED))
    written_elsewhere(extended, expires_at=now() + 30 * DAY)
    lifecycle.submit(PERFORMER, done.id, text=TEXT, photos=[])
    listed = {OPEN: seen[0], CLAIMED: seen[1], SUBMITTED: []}
    monkeypatch.setattr(expiry, "_quests_with_status", lambda status: iter(listed[status]))

    assert sweep(moment=now() + 15 * DAY) == expiry.SweepResult(overtaken=["Verlängert", "Abgegeben"])
    assert (stored(extended).status, stored(done).status) == (OPEN, SUBMITTED)
    assert figures(CREATOR) == (8, 0, 0)


def test_what_was_deleted_meanwhile_is_left_alone(monkeypatch):
    quest = overdue()
    listed = list(expiry._quests_with_status(OPEN))
    lifecycle.delete(CREATOR, quest.id)
    monkeypatch.setattr(expiry, "_quests_with_status", lambda status: iter(listed if status == OPEN else []))

    assert sweep().overtaken == ["Netz in Halle 2 flicken"]
    assert figures(CREATOR) == (10, 0, 0)


def test_8_sweeps_at_once_give_each_point_back_once():
    for _number in range(5):
        overdue()
    at_once(lambda _number: sweep(), threads=8)

    assert figures(CREATOR) == (10, 0, 0)
    assert ledger_agrees(CREATOR)


def test_an_interrupted_sweep_goes_on_with_the_next_run(monkeypatch):
    quests = [overdue(title=f"Nummer {number}") for number in range(3)]
    expire, calls = expiry.expire, []

    def breaks_off(key, moment):
        calls.append(key)
        if len(calls) == 2:
            raise Unavailable
        expire(key, moment)

    monkeypatch.setattr(expiry, "expire", breaks_off)
    with pytest.raises(Unavailable):
        sweep()
    assert sorted(stored(quest).status for quest in quests) == [EXPIRED, OPEN, OPEN]

    assert len(sweep().expired) == 2
    assert figures(CREATOR) == (10, 0, 0)
    assert ledger_agrees(CREATOR)


def test_a_quest_that_cannot_be_changed_keeps_no_other_waiting(monkeypatch):
    quests = [overdue(title=f"Nummer {number}") for number in range(2)]
    expire, refused = expiry.expire, quests[0].id

    def refuses(key, moment):
        if key == refused:
            raise DataError
        expire(key, moment)

    monkeypatch.setattr(expiry, "expire", refuses)
    out = StringIO()
    with pytest.raises(CommandError, match="1 quests could not be changed"):
        call_command("quests", "sweep", stdout=out)

    assert out.getvalue().splitlines()[0] == "“Nummer 1”: expired."
    assert [stored(quest).status for quest in quests] == [OPEN, EXPIRED]


def test_a_refund_whose_answer_was_lost_is_given_once(proxy):
    for _number in range(4):
        overdue()
    # Applied, but the sender never learns it: every request is sent again.
    proxy.faults = Faults(lost_answer=0.3)
    for _attempt in range(12):
        try:
            sweep()
        except Unavailable:
            continue
    proxy.faults = Faults()
    sweep()

    assert figures(CREATOR) == (10, 0, 0)
    assert ledger_agrees(CREATOR)
    assert list(expiry._quests_with_status(OPEN)) == []


def test_more_than_a_page_is_swept(monkeypatch):
    monkeypatch.setattr(expiry, "PAGE_SIZE", 2)
    for _number in range(5):
        overdue()

    assert len(sweep().expired) == 5


def test_what_was_disputed_after_it_was_listed_as_stuck_is_left_alone(monkeypatch):
    quest = submitted()
    written_elsewhere(quest, has_requestor_attestation=True, has_performer_attestation=True)
    listed = list(expiry._quests_with_status(SUBMITTED))
    written_elsewhere(quest, status=DISPUTED)
    monkeypatch.setattr(
        expiry, "_quests_with_status", lambda status: iter(listed if status == SUBMITTED else [])
    )

    assert sweep().overtaken == [quest.title]
    assert stored(quest).status == DISPUTED
    assert figures(PERFORMER) == (10, 0, 0)
