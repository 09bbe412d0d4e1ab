"""The sweep: expire offers, end claims, and complete quests that both sides have confirmed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import now
from core.dynamo.errors import Conflict, DataError, NotFound, Unavailable
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
class SweepResult:
    """Titles of quests by what was (or would be) done; `refused` has the error too."""

    expired: list[str] = field(default_factory=list)
    released: list[str] = field(default_factory=list)
    completed: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    overtaken: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def sweep(*, moment: datetime | None = None, is_dry_run: bool = False) -> SweepResult:
    """Process all due quests; quests that are changed meanwhile are left to the next run.

    Only open quests expire: a performer keeps the time of the claim even if the offer ends earlier.
    """
    moment = moment or now()
    result = SweepResult()
    apply = partial(_apply, result, moment=moment, is_dry_run=is_dry_run)
    for quest in _quests_with_status(OPEN):
        if quest.has_expired(moment):
            apply(result.expired, quest, expire)
    for quest in _quests_with_status(CLAIMED):
        if quest.claim_has_expired(moment):
            apply(result.released, quest, end_claim)
        elif quest.claim_has_expired(moment + STALE_MARGIN):
            result.stale.append(quest.title)
    for quest in _quests_with_status(SUBMITTED):
        if quest.is_attested():
            apply(result.completed, quest, complete_stuck)
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


def _apply(
    result: SweepResult, titles: list[str], quest: Quest, step: Step, *, moment: datetime, is_dry_run: bool
) -> None:
    if not is_dry_run:
        try:
            step(quest.id, moment)
        except (Conflict, NotFound):
            titles = result.overtaken
        except Unavailable:
            raise
        except DataError as error:
            # An error of one quest must not stop the run.
            result.refused.append(f"{quest.title}: {error}")
            return
    titles.append(quest.title)


def _quests_with_status(status: str) -> list[Quest]:
    """All quests of a status, read before any of them changes its place in the index."""
    return every(partial(repository.quests.with_status, status), per_request=PAGE_SIZE)
