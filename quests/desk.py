"""Tasks and deadlines of quests on Home, also those of stewards, and the quest profile of a person."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.user import User
from core.crud.cached_urls import address_of
from core.crud.home import ComingDate, Task, home_source
from core.crud.listing import Badge
from core.dynamo.attributes import now
from core.dynamo.paging import MOST
from core.people.profile import ProfileLink, profile_link
from quests import queries, repository, rules
from quests.models import CLAIMED, DISPUTED, PENDING, PERFORMER, SUBMITTED, Quest
from quests.services.expiry import STALE_MARGIN

QUEST = gettext_lazy("quest")
CLAIM = Badge("active", gettext_lazy("Claimed by you"))
TO_CONFIRM = Badge("waiting", gettext_lazy("Work submitted"))
TO_CHANGE = Badge("waiting", gettext_lazy("Changes requested"))
DISPUTE = Badge("waiting", gettext_lazy("Disputed"))
STALE = Badge("waiting", gettext_lazy("Claim ends soon"))
FAILED = Badge("failed", gettext_lazy("Reward failed"))


@home_source("quests.quest.decide", requests=1, first=True)
def disputes(user: User) -> Iterator[Task]:
    """Disputes that the steward may decide: not those about their own quests."""
    page = repository.quests.with_status(
        DISPUTED, limit=MOST, keep=lambda quest: rules.objection("decide", user, quest) is None
    )
    for quest in page.items:
        address = reverse("quests:desk-decide", args=[quest.id])
        since = quest.disputed_at or quest.updated_at
        yield Task(quest.title, address, QUEST, since, DISPUTE, _("Resolve"))


@home_source("quests.quest.decide", requests=1)
def stale_claims(user: User) -> Iterator[Task]:
    """Claims of others that end soon and have no result."""
    ends = now() + STALE_MARGIN
    page = repository.quests.with_status(
        CLAIMED,
        limit=MOST,
        keep=lambda quest: quest.claim_has_expired(ends) and quest.performer_id != user.sub,
    )
    for quest in page.items:
        yield _task(quest, STALE, _("Check"))


@home_source("quests.reward.update", requests=2)
def rewards(user: User) -> Iterator[Task]:
    """Failed rewards, with the titles of their quests."""
    failed = repository.failed_rewards.with_status(PENDING).items
    titles = repository.quests.get_many({record.quest_id for record in failed}, fields=("title",))
    for record in failed:
        quest = titles.get(record.quest_id)
        title = quest.title if quest else _("Deleted quest")
        yield Task(title, reverse("quests:desk-rewards"), QUEST, record.created_at, FAILED, _("Check"))


@home_source("quests.quest.view", requests=4)
def own_quests(user: User) -> Iterator[Task]:
    """Claimed quests, and disputes that wait for the user's answer as performer or as creator."""
    for quest in queries.claimed_by(user.sub):
        # A claimed quest that was submitted before was handed back for changes.
        badge, action = (TO_CHANGE, _("Revise")) if quest.submitted_at else (CLAIM, _("Submit work"))
        yield _task(quest, badge, action)
    submitted_or_disputed = queries.submitted_or_disputed_by(user.sub)
    for quest in submitted_or_disputed:
        if quest.status == SUBMITTED and not quest.has_attested(PERFORMER):
            yield _task(quest, TO_CONFIRM, _("Confirm"))
    disputed = [quest for quest in submitted_or_disputed if quest.status == DISPUTED]
    for quest in queries.disputes_to_answer(user, disputed):
        yield _task(quest, DISPUTE, _("Answer"))


@home_source("quests.quest.view", requests=1)
def offers(user: User) -> Iterator[Task]:
    """Submitted work that the creator has to confirm."""
    for quest in queries.offers_to_confirm(user.sub):
        yield _task(quest, TO_CONFIRM, _("Confirm"))


@home_source("quests.quest.view", requests=1, at_once=False)
def deadlines(user: User) -> Iterator[ComingDate]:
    """When the user's claims end."""
    for quest in queries.claimed_by(user.sub):
        ends = quest.claim_expires_at or quest.expires_at
        if ends and ends > now():
            address = reverse("quests:quest-record", args=[quest.id])
            yield ComingDate(quest.title, address, _("Quest deadline"), ends)


def _task(quest: Quest, badge: Badge, action: str) -> Task:
    address = reverse("quests:quest-record", args=[quest.id])
    moments = {CLAIMED: quest.claimed_at, SUBMITTED: quest.submitted_at, DISPUTED: quest.disputed_at}
    return Task(quest.title, address, QUEST, moments[quest.status] or quest.created_at, badge, action)


@profile_link
def quest_profile(user: User) -> ProfileLink:
    return ProfileLink(
        "quests",
        gettext_lazy("Quest profile"),
        gettext_lazy("Your level, reputation and points."),
        "flag",
        address_of("quests:person", user.sub),
    )
