"""What searches, the first page and the history know of quests; their screens are in `quests.views`."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.user import User
from crud import waiting
from crud.fields import PickerField
from crud.listing import Badge, Column
from crud.resource import Resource
from crud.showing import InWords
from crud.waiting import Task
from quests import repository, rules, telling
from quests.forms import QuestForm
from quests.models import SUBMITTED, Quest

RECORD_SCREENS = ("record", "history", "version")
# How many that wait for their two sides are looked through for those of one person.
LOOKED_THROUGH = 12


class QuestResource(Resource):
    app = "quests"
    repository = repository.quests
    form = QuestForm
    slug = ""
    icon = "flag"
    singular = gettext_lazy("quest")
    plural = gettext_lazy("Quests")
    lead = gettext_lazy("Things to do for the club, and what they earn you.")
    columns = (Column("title", gettext_lazy("Title")),)
    titles = {
        "submission_text": gettext_lazy("Work"),
        "changes_requested": gettext_lazy("How often changes were asked for"),
        "change_note": gettext_lazy("Asked for"),
        "dispute_reason": gettext_lazy("Reason of the dispute"),
        "decision_note": gettext_lazy("Decision"),
        "expires_at": gettext_lazy("Open until"),
        "claimed_at": gettext_lazy("Taken on at"),
        "claim_expires_at": gettext_lazy("To be done by"),
        "submitted_at": gettext_lazy("Submitted at"),
        "completed_at": gettext_lazy("Completed at"),
        "disputed_at": gettext_lazy("Disputed at"),
        "resolved_at": gettext_lazy("Decided at"),
        "expired_at": gettext_lazy("Expired at"),
    }
    shown = {
        "status": forms.ChoiceField(label=gettext_lazy("Status"), choices=list(rules.STATUSES.items())),
        "performer_id": PickerField(to="account", label=gettext_lazy("Taken on by")),
        "attestations": InWords(telling.confirmed, label=gettext_lazy("Confirmations")),
    }
    internal = frozenset({"attester_ids", "has_requestor_attestation", "has_performer_attestation", "photos"})

    def may(self, user: User, verb: str, record: Any = None) -> bool:
        """What can be done to a quest is in `quests.rules`: none of it is done by the usual forms."""
        return verb in ("view", "create") and super().may(user, verb, record)

    def record_addresses(self, key: str) -> dict[str, str]:
        return {name: self.address(name, key) for name in RECORD_SCREENS}


quests = QuestResource()


def waits_for(user: User, quest: Quest) -> bool:
    """Whether the next step of a submitted quest is this person's confirmation."""
    role = quest.role_of(user.sub)
    return quest.status == SUBMITTED and role is not None and not quest.has_attested(role)


@waiting.waiting(requests=1)
def to_confirm(user: User) -> Iterator[Task]:
    """Work that one of its two sides has not confirmed, the longest waiting first."""
    page = repository.quests.with_status(
        SUBMITTED, limit=LOOKED_THROUGH, keep=lambda quest: waits_for(user, quest)
    )
    for quest in page.items:
        title = _("Confirm “%(title)s”") % {"title": quest.title}
        badge = Badge("waiting", gettext_lazy("Waits for you"))
        yield Task(title, quests.record_address(quest.id), quests.singular, quest.submitted_at, badge)
