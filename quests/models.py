"""Items of the quest board: accounts, quests, ledger rows, month scores and failed rewards."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from core.dynamo.attributes import JSONListAttribute, TimestampAttribute, now
from core.dynamo.indexes import ALWAYS, index
from core.dynamo.items import Item, StoredModel, new_id, table_name

OPEN, CLAIMED, SUBMITTED, COMPLETE = "OPEN", "CLAIMED", "SUBMITTED", "COMPLETE"
DISPUTED, EXPIRED, CANCELLED = "DISPUTED", "EXPIRED", "CANCELLED"
REQUESTOR, PERFORMER = "requestor", "performer"
PENDING, PAID, ABANDONED = "pending", "completed", "abandoned"

QUEST_COLUMNS = (
    *ALWAYS,
    *("title", "category", "creatorId", "performerId", "rewardXp", "rewardReputation", "status"),
    *("expiresAt", "claimedAt", "claimExpiresAt", "submittedAt", "completedAt", "disputedAt"),
    *("hasRequestorAttestation", "hasPerformerAttestation", "createdAt"),
)


class Account(Item):
    """A member's account. Points, XP, reputation and counts change only together with a ledger row."""

    id = UnicodeAttribute(hash_key=True, attr_name="userId")
    username = UnicodeAttribute()
    email = UnicodeAttribute(null=True)
    wallet_address = UnicodeAttribute(attr_name="walletAddress", null=True)
    experience = NumberAttribute(default=0)
    reputation = NumberAttribute(default=0)
    points = NumberAttribute(attr_name="questCreationPoints", default=0)
    quests_created = NumberAttribute(attr_name="questsCreated", default=0)
    quests_completed = NumberAttribute(attr_name="questsCompleted", default=0)
    # Ids of claimed quests; ended ones are removed only when the set is full.
    held_quests = UnicodeSetAttribute(attr_name="heldQuests", null=True)

    counters = (
        *Item.counters,
        *("experience", "reputation", "points", "quests_created", "quests_completed"),
    )

    class Meta:
        table_name = table_name("civicforge-users", variable="USERS_TABLE")


class Quest(Item):
    """A task for the club, from its creation to its reward."""

    id = UnicodeAttribute(hash_key=True, attr_name="questId", default_for_new=new_id)
    title = UnicodeAttribute()
    description = UnicodeAttribute()
    category = UnicodeAttribute(default="general")
    status = UnicodeAttribute(default=OPEN)
    creator_id = UnicodeAttribute(attr_name="creatorId")
    # Absent without a performer: an index key cannot be empty.
    performer_id = UnicodeAttribute(attr_name="performerId", null=True)
    reward_xp = NumberAttribute(attr_name="rewardXp", default=100)
    reward_reputation = NumberAttribute(attr_name="rewardReputation", default=10)
    # The XP that were booked, if fewer than `reward_xp`.
    booked_xp = NumberAttribute(attr_name="bookedXp", null=True)
    attestations = JSONListAttribute(default_for_new=list)
    has_requestor_attestation = BooleanAttribute(attr_name="hasRequestorAttestation", default=False)
    has_performer_attestation = BooleanAttribute(attr_name="hasPerformerAttestation", default=False)
    attester_ids = UnicodeSetAttribute(attr_name="attesterIds", null=True)
    submission_text = UnicodeAttribute(attr_name="submissionText", null=True)
    # As `core.media.private_photos` describes them.
    photos = JSONListAttribute(default_for_new=list)
    changes_requested = NumberAttribute(attr_name="changesRequested", default=0)
    change_note = UnicodeAttribute(attr_name="changeNote", null=True)
    dispute_reason = UnicodeAttribute(attr_name="disputeReason", null=True)
    disputed_by = UnicodeAttribute(attr_name="disputedBy", null=True)
    dispute_answer = UnicodeAttribute(attr_name="disputeAnswer", null=True)
    decision_note = UnicodeAttribute(attr_name="decisionNote", null=True)
    # The people to whom `decision_note` is addressed: a reopened quest has no performer.
    decided_for = JSONListAttribute(attr_name="decidedFor", default_for_new=list)
    expires_at = TimestampAttribute(attr_name="expiresAt", null=True)
    claimed_at = TimestampAttribute(attr_name="claimedAt", null=True)
    claim_expires_at = TimestampAttribute(attr_name="claimExpiresAt", null=True)
    submitted_at = TimestampAttribute(attr_name="submittedAt", null=True)
    completed_at = TimestampAttribute(attr_name="completedAt", null=True)
    disputed_at = TimestampAttribute(attr_name="disputedAt", null=True)
    resolved_at = TimestampAttribute(attr_name="resolvedAt", null=True)
    expired_at = TimestampAttribute(attr_name="expiredAt", null=True)
    # Earlier claims: `user_id`, `seconds` left, and number of requested `changes`.
    earlier_claims = JSONListAttribute(attr_name="earlierClaims", default_for_new=list)
    by_status = index("StatusIndex", "status", "createdAt", columns=QUEST_COLUMNS)
    by_status_and_reward = index("RewardIndex", "status", "rewardXp", columns=QUEST_COLUMNS, is_number=True)
    by_creator = index("CreatorIndex", "creatorId", "createdAt", columns=QUEST_COLUMNS)
    by_performer = index("PerformerIndex", "performerId", "createdAt", columns=QUEST_COLUMNS)
    by_creator_and_status = index("CreatorStatusIndex", "creatorId", "status", columns=QUEST_COLUMNS)
    by_performer_and_status = index("PerformerStatusIndex", "performerId", "status", columns=QUEST_COLUMNS)

    class Meta:
        table_name = table_name("civicforge-quests", variable="QUESTS_TABLE")
        stream_view_type = "NEW_AND_OLD_IMAGES"

    def role_of(self, user_id: str) -> str | None:
        """REQUESTOR, PERFORMER or None."""
        if user_id == self.creator_id:
            return REQUESTOR
        return PERFORMER if self.performer_id and user_id == self.performer_id else None

    def sides(self) -> list[str]:
        return [side for side in (self.creator_id, self.performer_id) if side]

    def earlier_claim_of(self, user_id: str) -> Mapping[str, Any] | None:
        return next((each for each in self.earlier_claims or () if each["user_id"] == user_id), None)

    def has_attested(self, role: str | None) -> bool:
        return bool(self.has_requestor_attestation if role == REQUESTOR else self.has_performer_attestation)

    def is_attested(self) -> bool:
        return bool(self.has_requestor_attestation and self.has_performer_attestation)

    def has_expired(self, moment: datetime | None = None) -> bool:
        return bool(self.expires_at) and self.expires_at <= (moment or now())

    @property
    def current_status(self) -> str:
        """The status shown to people: an open quest past its end is expired before the sweep stores it."""
        return EXPIRED if self.status == OPEN and self.has_expired() else str(self.status)

    def claim_has_expired(self, moment: datetime | None = None) -> bool:
        """Whether the claim has ended; without `claim_expires_at`, which other programs may omit, it ends
        with the offer."""
        ends = self.claim_expires_at or self.expires_at
        return bool(ends) and ends <= (moment or now())


class LedgerRow(StoredModel):
    """One change of an account. `entry_id` identifies its cause, so that nothing is booked twice."""

    user_id = UnicodeAttribute(hash_key=True, attr_name="userId")
    entry_id = UnicodeAttribute(range_key=True, attr_name="entryId")
    kind = UnicodeAttribute()
    points = NumberAttribute(default=0)
    experience = NumberAttribute(default=0)
    reputation = NumberAttribute(default=0)
    quest_id = UnicodeAttribute(attr_name="questId", null=True)
    note = UnicodeAttribute(null=True)
    actor_id = UnicodeAttribute(attr_name="actorId", null=True)
    quests_created = NumberAttribute(attr_name="questsCreated", default=0)
    quests_completed = NumberAttribute(attr_name="questsCompleted", default=0)
    at = TimestampAttribute()
    # When a reward was earned, which decides its month; it may be booked later.
    earned_at = TimestampAttribute(attr_name="earnedAt", null=True)
    by_time = index("TimeIndex", "userId", "at")

    class Meta:
        table_name = table_name("civicforge-ledger", variable="LEDGER_TABLE")


class MonthScore(StoredModel):
    """A user's XP and completed quests in a month, for the leaderboard; can be recomputed from the ledger."""

    user_id = UnicodeAttribute(hash_key=True, attr_name="userId")
    entry_id = UnicodeAttribute(range_key=True, attr_name="entryId")
    month = UnicodeAttribute()
    experience = NumberAttribute(default=0)
    quests_completed = NumberAttribute(attr_name="questsCompleted", default=0)
    by_month = index("MonthIndex", "month", "experience", columns=["questsCompleted"], is_number=True)

    class Meta:
        table_name = LedgerRow.Meta.table_name


class FailedReward(Item):
    """A reward that could not be booked; a steward or the next run retries it."""

    id = UnicodeAttribute(hash_key=True, attr_name="recordId")
    user_id = UnicodeAttribute(attr_name="userId")
    quest_id = UnicodeAttribute(attr_name="questId")
    xp = NumberAttribute(default=0)
    reputation = NumberAttribute(default=0)
    quest_points = NumberAttribute(attr_name="questPoints", default=0)
    error = UnicodeAttribute()
    status = UnicodeAttribute(default=PENDING)
    retry_count = NumberAttribute(attr_name="retryCount", default=0)
    lease_owner = UnicodeAttribute(attr_name="leaseOwner", null=True)
    lease_expires_at = TimestampAttribute(attr_name="leaseExpiresAt", null=True)
    last_retry_at = TimestampAttribute(attr_name="lastRetryAt", null=True)
    completed_at = TimestampAttribute(attr_name="completedAt", null=True)
    by_status = index("status-createdAt-index", "status", "createdAt")

    class Meta:
        table_name = table_name("civicforge-failed-rewards", variable="FAILED_REWARDS_TABLE")

    def is_leased(self, moment: datetime) -> bool:
        return bool(self.lease_owner and self.lease_expires_at and self.lease_expires_at > moment)
