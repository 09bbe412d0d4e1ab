"""The bodies and answers of the quest board. The Django forms of the pages check what is sent."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from api.fields import SENT, Day, Moment, Number, Photo, limits_of, whole
from api.lists import PageOf
from core.common.http import MOST_DIGITS
from quests import forms, rules
from quests.models import ABANDONED, PAID, PENDING

Status = Literal["OPEN", "CLAIMED", "SUBMITTED", "COMPLETE", "DISPUTED", "EXPIRED", "CANCELLED"]
Category = Literal["civic", "environmental", "social", "educational", "technical", "general"]
Decision = Literal["complete", "reopen", "cancel"]
RewardStatus = Literal["pending", "completed", "abandoned"]
assert set(Status.__args__) == rules.STATUSES.keys()  # type: ignore[attr-defined]  # noqa: S101
assert set(Category.__args__) == rules.CATEGORIES.keys()  # type: ignore[attr-defined]  # noqa: S101
assert Decision.__args__ == tuple(name for name, _label in forms.DECISIONS)  # type: ignore[attr-defined]  # noqa: S101
assert {PENDING, PAID, ABANDONED} == set(RewardStatus.__args__)  # type: ignore[attr-defined]  # noqa: S101


class ListedQuest(BaseModel):
    """A quest in a list. With `fields=`, an answer has only those."""

    questId: str | None = None
    title: str | None = None
    category: str | None = None
    status: Annotated[str | None, Field(description="An offer whose time is over is EXPIRED.")] = None
    creatorId: str | None = None
    performerId: str | None = None
    rewardXp: Number | None = None
    rewardReputation: Number | None = None
    hasRequestorAttestation: bool | None = None
    hasPerformerAttestation: bool | None = None
    expiresAt: Moment | None = None
    claimedAt: Moment | None = None
    claimExpiresAt: Moment | None = None
    submittedAt: Moment | None = None
    completedAt: Moment | None = None
    disputedAt: Moment | None = None
    createdAt: Moment | None = None
    updatedAt: Moment | None = None
    version: Annotated[int | None, Field(description="The ETag is this number in quotes.")] = None


class Quest(ListedQuest):
    """A quest. The texts of a dispute are null except for its two sides and the stewards."""

    description: str | None = None
    attestations: list[dict[str, Any]] | None = None
    attesterIds: list[str] | None = None
    bookedXp: Annotated[Number | None, Field(description="The XP that were booked, if fewer.")] = None
    submissionText: str | None = None
    photos: list[Photo] | None = None
    changesRequested: Number | None = None
    changeNote: str | None = None
    disputeReason: str | None = None
    disputedBy: str | None = None
    disputeAnswer: str | None = None
    decisionNote: str | None = None
    resolvedAt: Moment | None = None
    expiredAt: Moment | None = None


class OwnQuests(BaseModel):
    """The two lists of a person, each with a token of its own."""

    created: PageOf[ListedQuest]
    performed: PageOf[ListedQuest]


class QuestChange(BaseModel):
    """What is left out stays."""

    model_config = SENT
    title: Annotated[str, limits_of(forms.QuestForm, "title")] = ""
    description: Annotated[str, limits_of(forms.QuestForm, "description")] = ""
    category: Category = "general"
    rewardXp: Annotated[int, limits_of(forms.QuestForm, "reward_xp"), BeforeValidator(whole)] = forms.USUAL_XP
    rewardReputation: Annotated[
        int, limits_of(forms.QuestForm, "reward_reputation"), BeforeValidator(whole)
    ] = forms.USUAL_REPUTATION
    openUntil: Annotated[
        Day | None, Field(description="The last day: from tomorrow on, at most 365 days ahead.")
    ] = None


class QuestBody(QuestChange):
    """A new quest: without `openUntil` it is open for 30 days."""

    title: Annotated[str, limits_of(forms.QuestForm, "title")]
    description: Annotated[str, limits_of(forms.QuestForm, "description")]


class ClaimBody(BaseModel):
    model_config = SENT
    version: Annotated[
        int | None,
        Field(ge=0, lt=10**MOST_DIGITS, description="That you have read: 409 if it was changed since."),
        BeforeValidator(whole),
    ] = None


class SubmitBody(BaseModel):
    """The work, without photos: those are added on the page of the quest."""

    model_config = SENT
    text: Annotated[str, limits_of(forms.SubmitForm, "text")]


class AttestBody(BaseModel):
    model_config = SENT
    notes: Annotated[str, limits_of(forms.AttestForm, "notes")] = ""
    submittedAt: Annotated[
        Annotated[Moment, limits_of(forms.AttestForm, "seen")] | None,
        Field(description="Of the work that you have read: 409 if there is other work."),
    ] = None


class ChangesBody(BaseModel):
    model_config = SENT
    note: Annotated[str, limits_of(forms.ChangesForm, "note")]


class DisputeBody(BaseModel):
    model_config = SENT
    reason: Annotated[str, limits_of(forms.DisputeForm, "reason")]


class AnswerBody(BaseModel):
    model_config = SENT
    text: Annotated[str, limits_of(forms.AnswerForm, "text")]


class StewardBody(BaseModel):
    """A reason, which the people concerned can read."""

    model_config = SENT
    note: Annotated[str, limits_of(forms.RecallForm, "note")]


class DecisionBody(StewardBody):
    decision: Decision


class Account(BaseModel):
    """A person of the board. E-mail and wallet are null except for oneself, points also for stewards."""

    userId: str
    username: str
    email: str | None
    walletAddress: str | None
    experience: Number
    level: int
    reputation: Annotated[Number, Field(description="All that was ever earned.")]
    currentReputation: Annotated[Number, Field(description="What is left of it: it fades with time.")]
    questCreationPoints: Number | None
    questsCreated: Number
    questsCompleted: Number
    createdAt: Moment | None
    updatedAt: Moment | None


class WalletBody(BaseModel):
    model_config = SENT
    walletAddress: Annotated[
        str,
        Field(
            pattern=r"^(0x[0-9a-fA-F]{40})?$",
            description="Mixed capitals are a checksum (EIP-55); empty to remove it.",
        ),
    ]


class AdjustBody(BaseModel):
    """Points to give, or below 0 to take, with a reason that the person can read."""

    model_config = SENT
    points: Annotated[
        int,
        limits_of(forms.AdjustPointsForm, "points"),
        Field(json_schema_extra={"not": {"const": 0}}),
        BeforeValidator(whole),
    ]
    note: Annotated[str, limits_of(forms.AdjustPointsForm, "note")]


class Booking(BaseModel):
    """A change of points, XP or reputation."""

    userId: str
    entryId: Annotated[str, Field(description="Its cause, such as REWARD#…:performer.")]
    kind: Annotated[
        str, Field(description="start, create, refund, reward, adjust, opening, elsewhere or settled.")
    ]
    points: Number
    experience: Number
    reputation: Number
    questsCreated: Number
    questsCompleted: Number
    questId: str | None
    note: str | None
    actorId: Annotated[str | None, Field(description="The steward who adjusted points.")]
    at: Moment
    earnedAt: Moment | None


class Leader(BaseModel):
    place: int
    userId: str
    username: str
    experience: int
    questsCompleted: int


class FailedReward(BaseModel):
    """A reward that could not be booked."""

    recordId: str
    userId: str
    questId: str
    xp: Number
    reputation: Number
    questPoints: Number
    error: str
    status: RewardStatus
    retryCount: Number
    leaseOwner: str | None
    leaseExpiresAt: Moment | None
    lastRetryAt: Moment | None
    completedAt: Moment | None
    createdAt: Moment | None
    updatedAt: Moment | None
    version: int | None
