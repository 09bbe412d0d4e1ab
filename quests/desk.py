"""What waits for people on the quest board: the next step of their own quests, and what stewards decide."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.user import User
from core.crud.listing import Badge
from core.crud.todo import Task, waiting
from core.dynamo.attributes import now
from core.dynamo.paging import MOST
from quests import reading, repository, rules
from quests.models import CLAIMED, DISPUTED, PENDING, PERFORMER, SUBMITTED, Quest
from quests.services.sweeping import STALE_BEFORE_END

QUEST = gettext_lazy("quest")
TO_CONFIRM = Badge("waiting", gettext_lazy("Confirm the work"))
TO_DO = Badge("waiting", gettext_lazy("Do it and submit your work"))
TO_CHANGE = Badge("waiting", gettext_lazy("Changes requested"))
TO_ANSWER = Badge("waiting", gettext_lazy("Answer the dispute"))
TO_DECIDE = Badge("waiting", gettext_lazy("Dispute to decide"))
STALE = Badge("waiting", gettext_lazy("The claim ends soon"))
FAILED = Badge("failed", gettext_lazy("Reward failed"))


@waiting(requests=1, right="quests.quest.view")
def offers(user: User) -> Iterator[Task]:
    """Work for somebody's offers, to be confirmed."""
    for quest in reading.offers_to_confirm(user.sub):
        yield _task(quest, TO_CONFIRM)


@waiting(requests=1, right="quests.quest.decide")
def disputes(user: User) -> Iterator[Task]:
    """Disputes that a steward can decide: not those about an own quest."""
    page = repository.quests.with_status(
        DISPUTED, limit=MOST, keep=lambda quest: rules.objection("decide", user, quest) is None
    )
    for quest in page.items:
        address = reverse("quests:desk-decide", args=[quest.id])
        yield Task(quest.title, address, QUEST, quest.disputed_at or quest.updated_at, TO_DECIDE)


@waiting(requests=1, right="quests.quest.decide")
def stale_claims(user: User) -> Iterator[Task]:
    """What others hold without a result, shortly before their claims end by themselves."""
    ends = now() + STALE_BEFORE_END
    page = repository.quests.with_status(
        CLAIMED,
        limit=MOST,
        keep=lambda quest: quest.claim_has_expired(ends) and quest.performer_id != user.sub,
    )
    for quest in page.items:
        yield _task(quest, STALE)


@waiting(requests=2, right="quests.reward.update")
def rewards(user: User) -> Iterator[Task]:
    """Rewards that could not be booked, with the names of their quests."""
    failed = repository.failed_rewards.with_status(PENDING).items
    named = repository.quests.get_many({record.quest_id for record in failed}, fields=("title",))
    for record in failed:
        quest = named.get(record.quest_id)
        title = quest.title if quest else _("A quest that was deleted")
        yield Task(title, reverse("quests:desk-rewards"), QUEST, record.created_at, FAILED)


@waiting(requests=4, right="quests.quest.view")
def own_quests(user: User) -> Iterator[Task]:
    """What somebody has taken on, and disputes that wait for their answer, as performer or as creator."""
    for quest in reading.claimed_by(user.sub):
        # Only work that was handed back is claimed and has been submitted.
        yield _task(quest, TO_CHANGE if quest.submitted_at else TO_DO)
    going_on = reading.submitted_or_disputed_by(user.sub)
    for quest in going_on:
        if quest.status == SUBMITTED and not quest.has_attested(PERFORMER):
            yield _task(quest, TO_CONFIRM)
    disputed = [quest for quest in going_on if quest.status == DISPUTED]
    for quest in reading.disputes_to_answer(user, disputed):
        yield _task(quest, TO_ANSWER)


def _task(quest: Quest, badge: Badge) -> Task:
    address = reverse("quests:quest-record", args=[quest.id])
    moments = {CLAIMED: quest.claimed_at, SUBMITTED: quest.submitted_at, DISPUTED: quest.disputed_at}
    return Task(quest.title, address, QUEST, moments[quest.status] or quest.created_at, badge)
