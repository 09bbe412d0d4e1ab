"""What screens read of the board: quests with the names of their people, one quest with its whole story."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext as _

from core.accounts.user import User
from core.dynamo import history
from core.dynamo.actors import SYSTEM
from core.dynamo.history import HistoryEntry
from core.dynamo.paging import MOST
from quests import repository, rules
from quests.models import CLAIMED, DISPUTED, PERFORMER, REQUESTOR, SUBMITTED, Account, Quest

QUEST = "quest"
# A quest that went back and forth more often than this shows its latest steps.
MOST_STEPS = 100


@dataclass(frozen=True)
class People:
    accounts: Mapping[str, Account] = field(default_factory=dict)
    # As they were called when they did something, for those who have no account.
    names: Mapping[str, str] = field(default_factory=dict)

    def name(self, sub: str | None) -> str:
        """What to call somebody, also without an account."""
        account = self.accounts.get(sub or "")
        return str(account.username) if account else self.names.get(sub or "", _("Somebody"))

    def points(self, sub: str) -> int | None:
        account = self.accounts.get(sub)
        return int(account.points) if account else None


@dataclass(frozen=True)
class Story:
    """One quest, everybody in it, and each step, the newest first."""

    quest: Quest
    people: People
    steps: Sequence[HistoryEntry]


def people(subs: Iterable[str | None]) -> People:
    """One BatchGet for all names of a page."""
    wanted = sorted({sub for sub in subs if sub})
    return People(repository.accounts.get_many(wanted, fields=("username", "points")))


def people_of(quests: Iterable[Quest], *others: str) -> People:
    found = list(quests)
    return people([*(quest.creator_id for quest in found), *(quest.performer_id for quest in found), *others])


def offers_to_confirm(sub: str) -> list[Quest]:
    """Work for somebody's offers that they have not confirmed, the longest waiting first: one request."""
    page = repository.quests.created_with_status(
        sub, SUBMITTED, limit=MOST, keep=lambda quest: not quest.has_attested(REQUESTOR)
    )
    return sorted(page.items, key=_submitted)


def submitted_by(sub: str) -> list[Quest]:
    """Somebody's work that is not completed, the longest waiting first: one request."""
    return sorted(repository.quests.performed_with_status(sub, SUBMITTED, limit=MOST).items, key=_submitted)


def claimed_by(sub: str) -> list[Quest]:
    """What somebody has to do, the most urgent first: one request."""
    page = repository.quests.performed_with_status(sub, CLAIMED, limit=MOST)
    return sorted(page.items, key=lambda quest: quest.claim_expires_at or quest.created_at)


def submitted_or_disputed_by(sub: str) -> list[Quest]:
    """Somebody's work that waits for a confirmation or a decision, the longest waiting first: one request."""
    page = repository.quests.performed_between(sub, DISPUTED, SUBMITTED, limit=MOST)
    return sorted((quest for quest in page.items if quest.status in (DISPUTED, SUBMITTED)), key=_submitted)


def disputes_to_answer(user: User, performed: Iterable[Quest]) -> list[Quest]:
    """Disputes about somebody's offers or work that they did not begin and nobody answered: two requests.

    Indexes do not hold who began a dispute, so these quests are read whole.
    """
    created = repository.quests.created_with_status(user.sub, DISPUTED, limit=MOST).items
    keys = [quest.id for quest in (*performed, *created)]
    found = repository.quests.get_many(keys[:MOST])
    answerable = [quest for quest in found.values() if rules.objection("answer", user, quest) is None]
    return sorted(answerable, key=lambda quest: quest.disputed_at or quest.created_at)


def work_to_confirm(submitted: Iterable[Quest]) -> list[Quest]:
    """Of somebody's own work, what they have not confirmed themselves."""
    return [quest for quest in submitted if not quest.has_attested(PERFORMER)]


def _submitted(quest: Quest) -> datetime:
    at: datetime = quest.submitted_at or quest.created_at
    return at


def story(key: str, quest: Quest | None = None) -> Story:
    """The steps, the quest unless a step has just left it as it is, and the names: a request each."""
    repository.quests.raw_key(key)
    steps = history.entries(QUEST, key, limit=MOST_STEPS, strong=True).items
    quest = quest or repository.quests.get(key, strong=True)
    names = {step.actor: step.actor_name for step in reversed(steps)}
    involved = {*quest.sides(), *names} - {SYSTEM.sub}
    return Story(quest, People(people(involved).accounts, names), steps)
