"""Example quests in every status, with the demo accounts as their people."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.timezone import localdate

from core.accounts.demo import people as demo_people
from core.accounts.user import User
from core.dynamo import history
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists
from core.dynamo.example_data import fixed_id, moment, read
from quests import repository
from quests.errors import AlreadyBooked
from quests.models import PENDING
from quests.services import accounts, expiry, lifecycle, rewards

STEWARD = "Stellan"
# They have no account any more, so their rewards fail and the stewards' desk has some.
FORMER_MEMBERS = {
    name: User.of(sub=fixed_id("gone", name), name=name, email=email, groups=[])
    for name, email in (("Jonas", "jonas.weber@fieldhouse.example"), ("Pia", "pia.kern@fieldhouse.example"))
}
ABANDONED_REWARD_OF = "Pia"
THANKS_TO, THANKS, THANK_POINTS = "Maya", "Organisation des Sommerfests, das war mehr als ein Quest wert.", 5
# The fields of a quest that are stored as they stand in the file.
FIELDS = ("title", "description", "category", "reward_xp", "reward_reputation")

Entry = dict[str, Any]
People = dict[str, User]
QUESTS: list[Entry] = read(__file__, "quests")


def load() -> None:
    """Load the examples; after an interrupted load each quest continues where its history ends."""
    people = _members()
    if not people:
        return
    for person in people.values():
        accounts.open_account(person)
    for entry in QUESTS:
        _QuestLoader(entry, people | FORMER_MEMBERS).load()
    _abandon_reward(people)
    _adjust_points(people)


def _members() -> People:
    """The demo accounts of members: a guest has no quests."""
    return {name: person for name, person in demo_people().items() if not person.is_guest}


@dataclass(frozen=True)
class _QuestLoader:
    """Creates one quest of `quests.json` and takes its steps."""

    entry: Entry
    people: People

    @property
    def key(self) -> str:
        return fixed_id("quest", self.entry["title"])

    def load(self) -> None:
        with suppress(AlreadyExists, AlreadyBooked):
            self._offer()
        # The creation and every step have one history entry.
        done = len(history.entries("quest", self.key, limit=100, strong=True).items) - 1
        for step in self.entry["steps"][done:]:
            self._take(**step)

    def _offer(self) -> None:
        fields = {name: self.entry[name] for name in FIELDS} | {
            "expires_at": now() + timedelta(days=self.entry["ends_in"]),
            "created_at": now() - timedelta(days=self.entry["days_ago"]),
        }
        lifecycle.create(self.people[self.entry["by"]], fields, key=self.key)

    def _take(self, verb: str, by: str = "", **fields: Any) -> None:
        """A step has the name and the fields of an action, or lets time pass."""
        match verb:
            case "expire":
                expiry.expire(self.key, now())
            case "wait":
                self._let_time_pass()
            case "attest":
                lifecycle.attest(self.people[by], self.key, **fields, moment=self._confirmed_at())
            case _:
                getattr(lifecycle, verb)(self.people[by], self.key, **fields)

    def _confirmed_at(self) -> datetime | None:
        """A time of last month if the example says so, for the leaderboard of that month."""
        if "days_before_this_month" not in self.entry:
            return None
        return moment(1 - localdate().day - self.entry["days_before_this_month"], "18:00")

    def _let_time_pass(self) -> None:
        """Move the claim eleven days back, so that it is almost over."""
        passed = timedelta(days=11)
        quest = repository.quests.get(self.key, strong=True)
        fields = {
            "claimed_at": quest.claimed_at - passed,
            "claim_expires_at": quest.claim_expires_at - passed,
        }
        repository.quests.update(quest, fields, actor=SYSTEM, verb="update")


def _abandon_reward(people: People) -> None:
    """Abandon one of the two failed rewards; the other waits for its next try."""
    for record in repository.failed_rewards.with_status(PENDING).items:
        if record.user_id == FORMER_MEMBERS[ABANDONED_REWARD_OF].sub and STEWARD in people:
            rewards.abandon(people[STEWARD], record.id, seen_version=int(record.version))


def _adjust_points(people: People) -> None:
    thanked = people[THANKS_TO]
    kinds = {row.kind for row in repository.ledger.of_user(thanked.sub, limit=100).items}
    if "adjust" not in kinds:
        accounts.adjust_points(people[STEWARD], thanked.sub, points=THANK_POINTS, note=THANKS)
