"""The sweep: expire offers, end claims, and complete quests that both sides have confirmed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.batch import Outcomes
from core.dynamo.errors import Conflict
from core.dynamo.queries import every
from quests import repository
from quests.models import CLAIMED, EXPIRED, OPEN, SUBMITTED, Quest
from quests.services import rewards
from quests.services.lifecycle import end_offer, fields_without_claim

PAGE_SIZE = 100
# A claim without a submission is reported as stale when this little of its time is left.
STALE_MARGIN = timedelta(days=4)

Step = Callable[[str, datetime], None]


@dataclass
class SweepResult(Outcomes):
    expired: list[str] = field(default_factory=list)
    released: list[str] = field(default_factory=list)
    completed: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)


def sweep(*, moment: datetime | None = None, is_dry_run: bool = False) -> SweepResult:
    """Process all due quests; quests that are changed meanwhile are left to the next run.

    Only open quests expire: a performer keeps the time of the claim even if the offer ends earlier.
    """
    moment = moment or now()
    result = SweepResult()

    def end(quest: Quest, step: Step, titles: list[str]) -> None:
        result.carry_out(partial(step, quest.id, moment), quest.title, titles, is_dry_run=is_dry_run)

    for quest in _quests_with_status(OPEN):
        if quest.has_expired(moment):
            end(quest, expire, result.expired)
    for quest in _quests_with_status(CLAIMED):
        if quest.claim_has_expired(moment):
            end(quest, end_claim, result.released)
        elif quest.claim_has_expired(moment + STALE_MARGIN):
            result.stale.append(quest.title)
    for quest in _quests_with_status(SUBMITTED):
        if quest.is_attested():
            end(quest, complete_stuck, result.completed)
    return result


def expire(key: str, moment: datetime) -> None:
    """Expire an open quest that nobody has claimed in time."""
    quest = repository.quests.get(key, strong=True)
    if quest.status != OPEN or not quest.has_expired(moment):
        raise Conflict
    end_offer(quest, {"status": EXPIRED, "expired_at": now()}, actor=SYSTEM, verb="expire")


def end_claim(key: str, moment: datetime) -> None:
    """Open a quest again whose claim has ended."""
    quest = repository.quests.get(key, strong=True)
    if quest.status != CLAIMED or not quest.claim_has_expired(moment):
        raise Conflict
    repository.quests.update(quest, fields_without_claim(quest, moment), actor=SYSTEM, verb="end_claim")


def complete_stuck(key: str, moment: datetime) -> None:
    """Complete a quest that both sides have confirmed. Only other programs leave such quests behind."""
    quest = repository.quests.get(key, strong=True)
    if quest.status != SUBMITTED or not quest.is_attested():
        raise Conflict
    rewards.complete(quest, {}, actor=SYSTEM, verb="complete")


def _quests_with_status(status: str) -> list[Quest]:
    """All quests of a status, read before any of them changes its place in the index."""
    return every(partial(repository.quests.with_status, status), per_request=PAGE_SIZE)
