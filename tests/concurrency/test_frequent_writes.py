"""What many people write at the same moment shares no item, so that no transaction cancels another."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from cms.media.repository import media
from cms.sponsors.repository import sponsors
from core.accounts.user import User
from core.dynamo import use_counts
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.deadline import request_deadline
from core.dynamo.errors import DataError, NotFound
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

    assert len({use_counts._shard_of(source, 16) for source in sources}) >= 12


def test_30_scouts_send_their_forms_of_one_event_at_once_20_times_and_none_is_refused(
    proxy: FaultProxy, record_property: Callable[[str, object], None]
) -> None:
    field.event()
    season.active()
    proxy.faults, conflicts = OVERLAPPING, []
    for match in range(1, ROUNDS + 1):
        proxy.clear()
        answers = within_requests(lambda number, match=match: send(match, number))
        assert [answer for answer in answers if isinstance(answer, DataError)] == []
        conflicts.append(proxy.injected["overlap"])
    proxy.faults = Faults()

    kept = stand_forms.at(field.KEY)
    assert len(kept) == len({form.id for form in kept}) == ROUNDS * MANY
    # And two are the settings' own, of this year and of other programs: we are at this event.
    assert event_infos.uses_of(event_infos.parts(field.KEY, strong=True).info) == ROUNDS * MANY + 2
    # Two of 30 often count in the same of 16 shards, and one of them is sent again.
    record_property("conflicts", conflicts)


def test_30_people_claim_30_quests_of_one_creator_at_once_20_times_and_none_is_refused(
    proxy: FaultProxy,
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
        proxy.faults = OVERLAPPING
        answers = within_requests(lambda number: claim(number, quests[number]))
        conflicts.append(proxy.injected["overlap"])
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


@pytest.mark.parametrize("attempt", range(4))
def test_while_30_forms_of_it_are_sent_an_event_is_deleted_or_stays_with_all_of_them(
    proxy: FaultProxy, attempt: int
) -> None:
    season.active()
    key = f"2026gone{attempt}"
    field.exist(key)
    seen = event_infos.parts(key, strong=True).info.seen_version
    for number in range(MANY if attempt % 2 else 0):
        # The counts of the event are there already.
        stand_forms.delete(send(1, number, key), actor=SYSTEM)
    proxy.faults = OVERLAPPING

    def work(number: int) -> Any:
        if number == MANY:
            return events.delete(field.LEAD, key, seen_version=seen)
        return send(2, number, key)

    answers = at_once(work, MANY + 1)
    proxy.faults = Faults()

    sent, refused = stand_forms.at(key), [each for each in answers if isinstance(each, DataError)]
    try:
        info = event_infos.parts(key, strong=True).info
    except NotFound:
        assert sent == []
        assert [type(each) for each in refused] == [NoSuchEvent] * MANY
    else:
        assert (len(sent), event_infos.uses_of(info), len(refused)) == (MANY, MANY, 1)


@pytest.mark.parametrize("attempt", range(4))
def test_while_30_sponsors_choose_it_a_picture_is_deleted_or_stays_with_all_of_them(
    proxy: FaultProxy, attempt: int
) -> None:
    logo = make_picture()
    proxy.faults = Faults(overlap=2)

    def work(number: int) -> Any:
        if number == MANY:
            return media.delete(logo, actor=SYSTEM)
        return make_sponsor(f"Sponsor {number}", logo_id=logo.id)

    answers = at_once(work, MANY + 1)
    proxy.faults = Faults()

    made = sponsors.by_name(limit=100).items
    refused = [each for each in answers if isinstance(each, DataError)]
    try:
        left = media.get(logo.id, strong=True)
    except NotFound:
        assert (list(made), len(refused)) == ([], MANY)
    else:
        assert len(made) == media.uses_of(left)
        assert isinstance(answers[MANY], DataError)
