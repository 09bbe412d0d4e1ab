"""The resource for search and history; quests have their own screens in `quests.views`."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from core.accounts.user import User
from core.crud.display import InWords
from core.crud.fields import PickerField
from core.crud.listing import Column
from core.crud.resource import Resource
from core.dynamo.history import HistoryEntry
from quests import presenters, repository, rules
from quests.forms import QuestForm

DISPUTE_FIELDS = frozenset({"dispute_reason", "dispute_answer", "decision_note"})
RECORD_SCREENS = ("record", "history", "version")


class QuestResource(Resource):
    app = "quests"
    repository = repository.quests
    form = QuestForm
    slug = ""
    icon = "flag"
    singular = gettext_lazy("quest")
    plural = gettext_lazy("Quests")
    new_title = gettext_lazy("New quest")
    lead = gettext_lazy("Jobs for the club, and what you earn for them.")
    columns = (Column("title", gettext_lazy("Title")),)
    titles = {
        "submission_text": gettext_lazy("Work"),
        "booked_xp": gettext_lazy("XP booked"),
        "changes_requested": gettext_lazy("Number of change requests"),
        "change_note": gettext_lazy("Requested changes"),
        "dispute_reason": gettext_lazy("Reason for the dispute"),
        "dispute_answer": gettext_lazy("Answer to the dispute"),
        "decision_note": gettext_lazy("Decision"),
        "expires_at": gettext_lazy("Open until"),
        "claimed_at": gettext_lazy("Claimed at"),
        "claim_expires_at": gettext_lazy("Due by"),
        "submitted_at": gettext_lazy("Submitted at"),
        "completed_at": gettext_lazy("Completed at"),
        "disputed_at": gettext_lazy("Disputed at"),
        "resolved_at": gettext_lazy("Resolved at"),
        "expired_at": gettext_lazy("Expired at"),
    }
    history_fields = {
        "status": forms.ChoiceField(label=gettext_lazy("Status"), choices=list(rules.STATUSES.items())),
        "performer_id": PickerField(to="account", label=gettext_lazy("Claimed by")),
        "attestations": InWords(presenters.attestation_text, label=gettext_lazy("Confirmations")),
    }
    internal = frozenset(
        {
            "attester_ids",
            "has_requestor_attestation",
            "has_performer_attestation",
            "photos",
            "earlier_claims",
            "decided_for",
            "disputed_by",
        }
    )

    def may(self, user: User, verb: str, record: Any = None) -> bool:
        """Changes follow `quests.rules` and never use the generic forms."""
        return verb in ("view", "create") and super().may(user, verb, record)

    def hidden(self, user: User, record: Any, entry: HistoryEntry) -> frozenset[str]:
        """Hide an earlier dispute from a performer who claimed the quest after it."""
        is_performer = record.performer_id == user.sub and bool(record.claimed_at)
        is_older = is_performer and (entry.verb == "claim" or entry.at < record.claimed_at)
        return frozenset() if rules.may_read_dispute(user, record) and not is_older else DISPUTE_FIELDS

    def record_addresses(self, key: str) -> dict[str, str]:
        return {name: self.address(name, key) for name in RECORD_SCREENS}


quests = QuestResource()
