"""Reads for screens: lists of quests, the names of their people, a quest with its history."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _

from core.accounts.user import User
from core.dynamo import history
from core.dynamo.actors import SYSTEM
from core.dynamo.history import HistoryEntry
from core.dynamo.paging import DEFAULT_LIMIT, MOST, Page, StartKey
from quests import repository, rules
from quests.models import CLAIMED, DISPUTED, REQUESTOR, SUBMITTED, Account, Quest
from quests.repository.quest import QuestOptions

# A quest with a longer history shows only its latest entries.
MOST_ENTRIES = 100
# How many people are on the leaderboard of a month.
MOST_LEADERS = 50


@dataclass(frozen=True)
class Participants:
    accounts: Mapping[str, Account] = field(default_factory=dict)
    # Names from the history, for people without an account.
    names: Mapping[str, str] = field(default_factory=dict)

    def name(self, sub: str | None) -> str:
        """The name of a person, also without an account."""
        account = self.accounts.get(sub or "")
        return str(account.username) if account else self.names.get(sub or "", _("Someone"))

    def points(self, sub: str) -> int | None:
        account = self.accounts.get(sub)
        return int(account.points) if account else None


@dataclass(frozen=True)
class QuestDetails:
    """A quest with the names of its people and its history, the newest entry first."""

    quest: Quest
    participants: Participants
    history: Sequence[HistoryEntry]


class Leader(NamedTuple):
    place: int
    key: str
    name: str
    experience: int
    completed: int


def board_page(
    status: str,
    category: str = "",
    *,
    is_by_reward: bool = False,
    limit: int = DEFAULT_LIMIT,
    start: StartKey | None = None,
    fields: Sequence[str] = (),
) -> Page[Quest]:
    """A page of the board: one Query, the newest or the highest reward first.

    A category filter reads at most 200 quests of the status. If the page has expired offers that no sweep
    has ended yet, a second Query filters them out.
    """

    def matches(quest: Quest) -> bool:
        return category in ("", quest.category) and quest.current_status == status

    read = repository.quests.by_reward if is_by_reward else repository.quests.with_status
    options: QuestOptions = {
        "newest_first": True,
        "limit": limit,
        "start": start,
        "fields": fields,
        "keep": matches if category else None,
    }
    page = read(status, **options)
    if not all(map(matches, page.items)):
        page = read(status, **(options | {"keep": matches}))
    return page


def quests_of(
    user_id: str,
    *,
    is_creator: bool,
    status: str | None = None,
    limit: int = DEFAULT_LIMIT,
    start: StartKey | None = None,
    fields: Sequence[str] = (),
) -> Page[Quest]:
    """What a person offers or has taken on: the newest first, or those of a status in no particular order."""
    quests = repository.quests
    options: QuestOptions = {"limit": limit, "start": start, "fields": fields}
    if status is None:
        read = quests.created_by if is_creator else quests.performed_by
        return read(user_id, **(options | {"newest_first": True}))
    read_status = quests.created_with_status if is_creator else quests.performed_with_status
    return read_status(user_id, status, **(options | {"keep": lambda quest: quest.current_status == status}))


def participants(subs: Iterable[str | None]) -> Participants:
    """The names of all people of a page, by one BatchGet."""
    keys = sorted({sub for sub in subs if sub})
    return Participants(repository.accounts.get_many(keys, fields=("username", "points")))


def participants_of(quests: Iterable[Quest], *others: str) -> Participants:
    sides = (side for quest in quests for side in quest.sides())
    return participants([*sides, *others])


def offers_to_confirm(sub: str) -> list[Quest]:
    """Submitted work that the creator has not confirmed, the longest waiting first: one request."""
    page = repository.quests.created_with_status(
        sub, SUBMITTED, limit=MOST, keep=lambda quest: not quest.has_attested(REQUESTOR)
    )
    return sorted(page.items, key=_submission_time)


def submitted_by(sub: str) -> list[Quest]:
    """A performer's submitted quests, the longest waiting first: one request."""
    return sorted(
        repository.quests.performed_with_status(sub, SUBMITTED, limit=MOST).items, key=_submission_time
    )


def claimed_by(sub: str) -> list[Quest]:
    """A performer's claimed quests, the most urgent first: one request."""
    page = repository.quests.performed_with_status(sub, CLAIMED, limit=MOST)
    return sorted(page.items, key=lambda quest: quest.claim_expires_at or quest.created_at)


def submitted_or_disputed_by(sub: str) -> list[Quest]:
    """A performer's submitted and disputed quests, the longest waiting first: one request."""
    page = repository.quests.performed_between(sub, DISPUTED, SUBMITTED, limit=MOST)
    return sorted(
        (quest for quest in page.items if quest.status in (DISPUTED, SUBMITTED)), key=_submission_time
    )


def disputes_to_answer(user: User, performed: Iterable[Quest]) -> list[Quest]:
    """Unanswered disputes that the other side opened, about the user's offers or work: two requests.

    The indexes do not hold who opened a dispute, so these quests are read in full.
    """
    created = repository.quests.created_with_status(user.sub, DISPUTED, limit=MOST).items
    keys = [quest.id for quest in (*performed, *created)]
    found = repository.quests.get_many(keys[:MOST])
    answerable = [quest for quest in found.values() if rules.objection("answer", user, quest) is None]
    return sorted(answerable, key=lambda quest: quest.disputed_at or quest.created_at)


def leaders(month: str) -> list[Leader]:
    """The leaderboard of a month. Equal XP means equal place; these are ordered by completed quests, then
    by name."""
    scores = repository.ledger.leaders(month, limit=MOST_LEADERS)
    people = participants(score.user_id for score in scores)
    ordered = sorted(
        scores,
        key=lambda score: (-score.experience, -score.quests_completed, people.name(score.user_id)),
    )
    totals = [score.experience for score in ordered]
    return [
        Leader(
            place=totals.index(score.experience) + 1,
            key=score.user_id,
            name=people.name(score.user_id),
            experience=int(score.experience),
            completed=int(score.quests_completed),
        )
        for score in ordered
    ]


def _submission_time(quest: Quest) -> datetime:
    at: datetime = quest.submitted_at or quest.created_at
    return at


def quest_details(key: str, quest: Quest | None = None) -> QuestDetails:
    """Read the history, the quest (unless it was just written) and the names: one request each."""
    repository.quests.raw_key(key)
    entries = history.entries(repository.quests.entity, key, limit=MOST_ENTRIES, strong=True).items
    quest = quest or repository.quests.get(key, strong=True)
    names = {entry.actor: entry.actor_name for entry in reversed(entries)}
    involved = {*quest.sides(), *names} - {SYSTEM.sub}
    return QuestDetails(quest, Participants(participants(involved).accounts, names), entries)
