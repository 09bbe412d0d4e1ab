"""Example quests of a club that does not exist, in every state, told by people who could live there."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from django.utils.timezone import get_default_timezone

from core.accounts.demo import people as demo_people
from core.accounts.user import User
from core.dynamo import history
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists
from quests import repository
from quests.demo_texts import QUESTS, Told
from quests.errors import AlreadyBooked
from quests.models import PENDING
from quests.months import first_day_of
from quests.services import accounts, lifecycle, rewards, sweeping

STEWARD = "Stellan"
# Took part and has left since: their rewards cannot be booked, which the stewards see on their desk.
GONE = {
    name: User.of(sub=str(uuid5(NAMESPACE_URL, f"gone/{name}")), name=name, email=email, groups=[])
    for name, email in (("Jonas", "jonas.weber@fieldhouse.example"), ("Pia", "pia.kern@fieldhouse.example"))
}
GIVEN_UP = "Pia"
THANKS_TO, THANKS, THANK_POINTS = "Maya", "Organisation des Sommerfests, das war mehr als ein Quest wert.", 5

People = dict[str, User]


def load() -> None:
    """A load that was interrupted is repeated: each quest goes on where its history ends."""
    people = _cast()
    if not people:
        return
    for person in people.values():
        accounts.open_account(person)
    for told in QUESTS:
        _Story(told, people | GONE).tell()
    _give_up(people)
    _thank(people)


def _cast() -> People:
    """The demo accounts, without the guest, who has nothing to do with the club's quests."""
    return {name: person for name, person in demo_people().items() if not person.is_guest}


@dataclass
class _Story:
    """One quest on its way to the state in which the demo leaves it."""

    told: Told
    people: People
    key: str = field(init=False)

    def __post_init__(self) -> None:
        self.key = str(uuid5(NAMESPACE_URL, f"quest/{self.told.title}"))

    def tell(self) -> None:
        with suppress(AlreadyExists, AlreadyBooked):
            self._offer()
        # Every step leaves one entry, and so did the offer.
        done = len(history.entries("quest", self.key, limit=100, strong=True).items) - 1
        for step in self.told.steps[done:]:
            self._take(step)

    def _offer(self) -> None:
        fields: dict[str, Any] = {
            "title": self.told.title,
            "description": self.told.description,
            "category": self.told.category,
            "reward_xp": self.told.xp,
            "reward_reputation": self.told.reputation,
            "expires_at": now() + timedelta(days=self.told.ends_in),
            "created_at": now() - timedelta(days=self.told.age),
        }
        lifecycle.create(self.people[self.told.by], fields, key=self.key)

    def _take(self, step: Sequence[str]) -> None:
        verb, *words = step
        match verb:
            case "expire":
                sweeping.expire(self.key, now())
            case "wait":
                self._let_time_pass()
            case _:
                self._do(verb, *words)

    def _do(self, verb: str, name: str, text: str = "", decision: str = "") -> None:
        person = self.people[name]
        match verb:
            case "claim" | "release":
                getattr(lifecycle, verb)(person, self.key)
            case "submit":
                lifecycle.submit(person, self.key, text=text, photos=[])
            case "attest":
                lifecycle.attest(person, self.key, notes=text, moment=self._confirmed_at())
            case "dispute":
                lifecycle.dispute(person, self.key, reason=text)
            case "request_changes":
                lifecycle.request_changes(person, self.key, note=text)
            case "decide":
                lifecycle.decide(person, self.key, decision=decision, note=text)

    def _confirmed_at(self) -> datetime | None:
        """Last month has its leaders too, whatever day it is today."""
        if self.told.last_month is None:
            return None
        midnight = datetime.combine(first_day_of(now()), time(), tzinfo=get_default_timezone())
        return midnight - timedelta(days=self.told.last_month) + timedelta(hours=18)

    def _let_time_pass(self) -> None:
        """The claim is almost over, as if eleven days had passed."""
        passed = timedelta(days=11)
        quest = repository.quests.get(self.key, strong=True)
        fields = {
            "claimed_at": quest.claimed_at - passed,
            "claim_expires_at": quest.claim_expires_at - passed,
        }
        repository.quests.update(quest, fields, actor=SYSTEM, verb="update")


def _give_up(people: People) -> None:
    """One failed reward waits for its next try, the other was given up."""
    for record in repository.failed_rewards.with_status(PENDING).items:
        if record.user_id == GONE[GIVEN_UP].sub and STEWARD in people:
            rewards.abandon(people[STEWARD], record.id, seen_version=int(record.version))


def _thank(people: People) -> None:
    thanked = people[THANKS_TO]
    kinds = {row.kind for row in repository.ledger.of_user(thanked.sub, limit=100).items}
    if "adjust" not in kinds:
        accounts.adjust_points(people[STEWARD], thanked.sub, points=THANK_POINTS, note=THANKS)
