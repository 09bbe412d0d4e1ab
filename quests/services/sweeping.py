"""What time does to quests: offers end, claims end, and what was left half done is finished."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, DataError, NotFound, Unavailable
from core.dynamo.paging import StartKey
from quests import repository
from quests.models import CLAIMED, EXPIRED, OPEN, SUBMITTED, Quest
from quests.services import rewards
from quests.services.lifecycle import end_offer, unclaimed

AT_ONCE = 100
# A claim of which so little is left, and nothing was submitted, is worth a word.
STALE_BEFORE_END = timedelta(days=4)

Step = Callable[[str, datetime], None]


@dataclass
class Swept:
    """What was done, or would be done, by the title of the quest; with the reason for what was refused."""

    expired: list[str] = field(default_factory=list)
    released: list[str] = field(default_factory=list)
    completed: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    overtaken: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def sweep(*, moment: datetime | None = None, is_dry_run: bool = False) -> Swept:
    """Carry out what is due. Whatever people change meanwhile is left to the next run.

    Only offers expire: whoever has taken one on has the time that was promised, though it ends later.
    """
    moment = moment or now()
    swept = Swept()
    for quest in _with_status(OPEN):
        if quest.has_expired(moment):
            _do(swept, swept.expired, quest, expire, moment, is_dry_run=is_dry_run)
    for quest in _with_status(CLAIMED):
        if quest.claim_has_expired(moment):
            _do(swept, swept.released, quest, end_claim, moment, is_dry_run=is_dry_run)
        elif quest.claim_has_expired(moment + STALE_BEFORE_END):
            swept.stale.append(quest.title)
    for quest in _with_status(SUBMITTED):
        if quest.is_attested():
            _do(swept, swept.completed, quest, complete_stuck, moment, is_dry_run=is_dry_run)
    return swept


def expire(key: str, moment: datetime) -> None:
    """Nobody has taken it on in time."""
    quest = repository.quests.get(key, strong=True)
    if quest.status != OPEN or not quest.has_expired(moment):
        raise Conflict
    end_offer(quest, {"status": EXPIRED, "expired_at": now()}, actor=SYSTEM, verb="expire")


def end_claim(key: str, moment: datetime) -> None:
    """Somebody held the quest for too long: others may take it on."""
    quest = repository.quests.get(key, strong=True)
    if quest.status != CLAIMED or not quest.claim_has_expired(moment):
        raise Conflict
    repository.quests.update(quest, unclaimed(quest, moment), actor=SYSTEM, verb="end_claim")


def complete_stuck(key: str, moment: datetime) -> None:
    """Both sides have confirmed, but nobody completed it: only what other programs wrote can be so."""
    quest = repository.quests.get(key, strong=True)
    if quest.status != SUBMITTED or not quest.is_attested():
        raise Conflict
    rewards.complete(quest, {}, actor=SYSTEM, verb="complete")


def _do(
    swept: Swept, told: list[str], quest: Quest, step: Step, moment: datetime, *, is_dry_run: bool
) -> None:
    if not is_dry_run:
        try:
            step(quest.id, moment)
        except (Conflict, NotFound):
            told = swept.overtaken
        except Unavailable:
            raise
        except DataError as error:
            # One quest that cannot be changed must not keep all others waiting.
            swept.refused.append(f"{quest.title}: {error}")
            return
    told.append(quest.title)


def _with_status(status: str) -> Iterator[Quest]:
    """All of them, page by page, before any of them changes its place in the index."""
    found: list[Quest] = []
    start: StartKey | None = None
    while True:
        page = repository.quests.with_status(status, limit=AT_ONCE, start=start)
        found += page.items
        start = page.next_key
        if start is None:
            return iter(found)
