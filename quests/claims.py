"""The fields that are cleared when a quest is handed back or opens again."""

from datetime import datetime
from typing import Any

from quests import rules
from quests.models import OPEN, Quest

# How many earlier claims a quest keeps.
MOST_EARLIER_CLAIMS = 50
# Cleared when the work is done again: the confirmations were of the earlier work.
WITHOUT_ATTESTATIONS: dict[str, Any] = {
    "attestations": [],
    "attester_ids": None,
    "has_requestor_attestation": False,
    "has_performer_attestation": False,
}
# Cleared when the quest is open again.
WITHOUT_CLAIM: dict[str, Any] = {
    **WITHOUT_ATTESTATIONS,
    "status": OPEN,
    "performer_id": None,
    "claimed_at": None,
    "claim_expires_at": None,
    "submitted_at": None,
    "submission_text": None,
    "photos": [],
    "changes_requested": 0,
    "change_note": None,
    "dispute_reason": None,
    "disputed_by": None,
    "dispute_answer": None,
    "disputed_at": None,
    "decision_note": None,
    "resolved_at": None,
}


def fields_without_claim(quest: Quest, moment: datetime) -> dict[str, Any]:
    """The fields that reopen a quest. `earlier_claims` gets the performer's time left and change requests."""
    ends = quest.claim_expires_at or (quest.claimed_at or moment) + rules.CLAIM_LASTS
    claim = {
        "user_id": quest.performer_id,
        "seconds": max(0, int((ends - moment).total_seconds())),
        "changes": int(quest.changes_requested or 0),
    }
    others = [each for each in quest.earlier_claims or () if each["user_id"] != quest.performer_id]
    return WITHOUT_CLAIM | {"earlier_claims": [*others, claim][-MOST_EARLIER_CLAIMS:]}
