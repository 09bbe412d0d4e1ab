"""What many people write at the same moment shares no item, so that no transaction cancels another."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from statistics import median
from threading import Barrier, Event, get_ident, local
from typing import Any

import pytest

from cms.media.repository import media
from cms.sponsors.repository import sponsors
from config.settings import DYNAMODB_REQUEST_SECONDS
from core.accounts.user import User
from core.dynamo import connection, use_counts
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.deadline import FIRST_PAUSE, LONGEST_GROWTH, request_deadline
from core.dynamo.errors import DataError, InUse, Missing, NotFound
from core.dynamo.faults import FaultProxy, Faults
from core.dynamo.idempotency import IdempotencyKey
from core.dynamo.items import Target, new_id
from core.dynamo.transactions import Operation, Transaction
from quests import repository
from quests.models import CLAIMED, Quest
from quests.services import lifecycle
from scouting.events import services as events
from scouting.events.event import NoSuchEvent
from scouting.events.repository import event_infos
from scouting.forms import services as forms
from scouting.forms.models import StandForm
from scouting.forms.repository import stand_forms
from scouting.settings import services as season
from tests.cms.club import make_sponsor
from tests.cms.public import make_picture
from tests.quests.board import CREATOR, open_accounts, stored
from tests.racing import at_once
from tests.scouting import field

MANY, ROUNDS = 30, 20
OVERLAPPING = Faults(overlap=6)
OFFER = {
    "title": "Netz flicken",
    "description": "Garn liegt im Schrank.",
    "expires_at": now() + timedelta(days=30),
}
CROWD = [
    User.of(sub=f"one-{number}", name=f"Person {number}", email="", groups=["scout"])
    for number in range(MANY)
]


def within_requests(work: Callable[[int], Any]) -> list[Any]:
    """30 requests at the same moment, each with the time that a request has."""

    def one(number: int) -> Any:
        with request_deadline():
            return work(number)

    return at_once(one, MANY)


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each thread has sent a transaction."""
    sent: Counter[int] = Counter()
    send_it = connection.SharedConnection._send

    def counted(shared: Any, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        sent[get_ident()] += operation == "TransactWriteItems"
        return send_it(shared, operation, request)

    monkeypatch.setattr(connection.SharedConnection, "_send", counted)
    return sent


def longest(tries: int) -> float:
    """The seconds of so many tries, if each hold and each pause before another try were the longest."""
    pauses = [FIRST_PAUSE * min(LONGEST_GROWTH, 2**number) for number in range(1, tries)]
    return tries * 2 * OVERLAPPING.overlap / 1000 + sum(pauses)


def send(match: int, number: int, event: str = field.KEY) -> StandForm:
    scout = CROWD[number]
    told = {"event": event, "team": str(number + 1), "match": match, "scores": {}}
    once = IdempotencyKey(scout.sub, "scouting:stand", f"match {match}", {"team": number})
    return forms.submit_stand(scout, told, once=once)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Counter[Target]:
    """How many transactions touch each item."""
    touched: Counter[Target] = Counter()
    send_it = Transaction._send

    def counted(self: Transaction, operations: list[Operation]) -> None:
        touched.update(operation.target for operation in operations)
        send_it(self, operations)

    monkeypatch.setattr(Transaction, "_send", counted)
    return touched


def test_the_transactions_of_two_forms_of_an_event_share_no_item_but_a_shard(
    db: object, shared: Counter[Target]
) -> None:
    field.event()
    field.have_shards(field.KEY)
    shared.clear()
    for number in range(MANY):
        send(1, number)

    assert len(shared) > 2 * MANY, "their forms and guards, and the shards"
    several = [target for target, times in shared.items() if times > 1]
    assert 0 < len(several) <= event_infos.use_shards
    assert [target for target in several if "USES#scouted-event#" not in target[1]] == []


def test_forms_of_one_match_are_spread_over_the_shards() -> None:
    sources = [("stand", f"EVENT#{field.KEY}|TEAM#{team}#MATCH#0001") for team in range(1, MANY + 1)]

    assert len({use_counts._shard_of(source, event_infos.use_shards) for source in sources}) >= 12


def test_30_scouts_send_their_forms_of_one_event_at_once_20_times_and_none_is_refused(
    proxy: FaultProxy, tries: Counter[int]
) -> None:
    field.event()
    season.active()
    proxy.faults, conflicts = OVERLAPPING, []
    for match in range(1, ROUNDS + 1):
        proxy.clear()
        tries.clear()
        answers = within_requests(lambda number, match=match: send(match, number))
        assert [answer for answer in answers if isinstance(answer, DataError)] == []
        assert longest(max(tries.values())) <= DYNAMODB_REQUEST_SECONDS
        conflicts.append(proxy.injected["overlap"])
    proxy.faults = Faults()

    kept = stand_forms.at(field.KEY)
    assert len(kept) == len({form.id for form in kept}) == ROUNDS * MANY
    # And two are the settings' own, of this year and of other programs: we are at this event.
    assert event_infos.uses_of(event_infos.parts(field.KEY, strong=True).info) == ROUNDS * MANY + 2
    # Two of 30 often count in the same of 16 shards, and one of them is sent again. On one item it were 90.
    assert median(conflicts) <= 1.5 * MANY


def test_30_people_claim_30_quests_of_one_creator_at_once_20_times_and_none_is_refused(
    proxy: FaultProxy, tries: Counter[int]
) -> None:
    open_accounts(*CROWD)
    # As many as these would cost their creator more points than anybody has.
    quests = [
        repository.quests.create(Quest(id=new_id(), creator_id=CREATOR.sub, **OFFER), actor=CREATOR.actor)
        for _number in range(MANY)
    ]
    conflicts = []
    for _round in range(ROUNDS):
        proxy.clear()
        tries.clear()
        proxy.faults = OVERLAPPING
        answers = within_requests(lambda number: claim(number, quests[number]))
        conflicts.append(proxy.injected["overlap"])
        assert list(tries.values()) == [1] * MANY
        proxy.faults = Faults()
        assert [answer for answer in answers if isinstance(answer, DataError)] == []
        held = [stored(quest) for quest in quests]
        assert {each.status for each in held} == {CLAIMED}
        assert [each.performer_id for each in held] == [person.sub for person in CROWD]
        for number, quest in enumerate(quests):
            lifecycle.release(CROWD[number], quest.id)
    # Different quests share nothing, whoever offers them.
    assert set(conflicts) == {0}


def claim(number: int, quest: Quest) -> Quest:
    once = IdempotencyKey(CROWD[number].sub, "quests:claim", new_id(), {})
    return lifecycle.claim(CROWD[number], quest.id, once=once)


# --- A deletion while others refer to the target ------------------------------------------------------------

# How many of the 30 are done when the deletion is sent; with None, all are sent at the same moment.
DONE_BEFORE = [0, 1, MANY // 2, None, None, None]


class Meeting:
    """30 people refer to a record that somebody deletes; nobody writes before everybody has looked.

    Of the 30 some are done before the deletion is sent, and the others are sent once that is done.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, done_before: int | None) -> None:
        self._done_before = done_before
        self._all_have_looked = Barrier(MANY + 1, timeout=300)
        self._done = [Event() for _number in range(MANY + 1)]
        self._thread = local()
        send_it = Transaction._send

        def in_turn(transaction: Transaction, operations: list[Operation]) -> None:
            self._wait()
            send_it(transaction, operations)

        monkeypatch.setattr(Transaction, "_send", in_turn)

    def run(self, refer: Callable[[int], Any], delete: Callable[[], Any]) -> tuple[list[Any], Any]:
        """What each of the 30 is answered, and the deletion."""

        def work(number: int) -> Any:
            self._thread.number = number
            try:
                return refer(number) if number < MANY else delete()
            finally:
                self._done[number].set()

        *referring, deleting = at_once(work, MANY + 1)
        return referring, deleting

    def _wait(self) -> None:
        if hasattr(self._thread, "has_looked"):
            return
        self._thread.has_looked = True
        self._all_have_looked.wait()
        if self._done_before is None:
            return
        if self._thread.number == MANY:
            for each in self._done[: self._done_before]:
                each.wait()
        elif self._thread.number >= self._done_before:
            self._done[MANY].wait()


@pytest.mark.parametrize("is_counted", [False, True])
@pytest.mark.parametrize("done_before", DONE_BEFORE)
def test_while_30_forms_of_it_are_sent_an_event_is_deleted_or_stays_with_all_of_them(
    proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch, done_before: int | None, is_counted: bool
) -> None:
    season.active()
    key = "2026gone"
    field.exist(key)
    if is_counted:
        field.have_shards(key)
    seen = event_infos.parts(key, strong=True).info.seen_version
    proxy.faults = OVERLAPPING
    sending, deleting = Meeting(monkeypatch, done_before).run(
        lambda number: send(1, number, key), lambda: events.delete(field.LEAD, key, seen_version=seen)
    )
    proxy.faults = Faults()

    sent = stand_forms.at(key)
    try:
        info = event_infos.parts(key, strong=True).info
    except NotFound:
        assert (len(sent), done_before or 0) == (0, 0)
        assert [type(each) for each in sending] == [NoSuchEvent] * MANY
    else:
        assert (len(sent), event_infos.uses_of(info)) == (MANY, MANY)
        assert [each for each in sending if isinstance(each, DataError)] == []
        assert (type(deleting), done_before) == (InUse, done_before or None)


@pytest.mark.parametrize("done_before", DONE_BEFORE)
def test_while_30_sponsors_choose_it_a_picture_is_deleted_or_stays_with_all_of_them(
    proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch, done_before: int | None
) -> None:
    logo = make_picture()
    proxy.faults = OVERLAPPING
    choosing, deleting = Meeting(monkeypatch, done_before).run(
        lambda number: make_sponsor(f"Sponsor {number}", logo_id=logo.id),
        lambda: media.delete(logo, actor=SYSTEM),
    )
    proxy.faults = Faults()

    made = sponsors.by_name(limit=100).items
    try:
        left = media.get(logo.id, strong=True)
    except NotFound:
        assert (len(made), done_before or 0) == (0, 0)
        assert [type(each) for each in choosing] == [Missing] * MANY
    else:
        assert (len(made), media.uses_of(left)) == (MANY, MANY)
        assert (type(deleting), done_before) == (InUse, done_before or None)
