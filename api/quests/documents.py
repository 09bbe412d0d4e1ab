"""Quests, accounts, bookings and failed rewards with the fields of their documents."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from api.fields import names_of, photos
from core.accounts.user import User
from core.dynamo.attributes import now
from quests import models, repository, reputation, rules
from quests.levels import level_of
from quests.repository.ledger import BOOKED

# --- Quests -------------------------------------------------------------------------------------------------

QUEST = names_of(models.Quest, "earlier_claims", "decided_for", "refs")
# What lists have: the attributes that their indexes project.
LISTED = {name: QUEST[name] for name in ("questId", *models.QUEST_COLUMNS)}
# Only for the two sides and the stewards.
OF_A_DISPUTE = {"dispute_reason", "disputed_by", "dispute_answer", "decision_note"}
# What the others depend on, in lists and in whole records.
NEEDED = ("status", "category", "creator_id", "performer_id", "expires_at", "version")
SHOWN: Mapping[str, Callable[[Any], Any]] = {
    "photos": photos,
    "attester_ids": lambda stored: sorted(stored or ()),
}


def quest(
    user: User, record: models.Quest, only: Collection[str] = (), names: Mapping[str, str] = QUEST
) -> dict[str, Any]:
    """A quest as this user may see it: everything, or only these fields."""
    values = record.attribute_values
    may_read_dispute = names is LISTED or rules.may_read_dispute(user, record)
    document: dict[str, Any] = {}
    for name, attribute in names.items():
        if only and name not in only:
            continue
        value = values.get(attribute)
        if attribute == "status":
            value = record.current_status
        elif attribute in OF_A_DISPUTE and not may_read_dispute:
            value = None
        document[name] = SHOWN[attribute](value) if attribute in SHOWN else value
    return document


def attributes_of(only: Collection[str], names: Mapping[str, str] = QUEST) -> tuple[str, ...]:
    """The attributes to read for these fields; none for all."""
    if not only:
        return ()
    more = () if names is LISTED else ("decided_for",)
    return tuple(dict.fromkeys([*(names[name] for name in only if name in names), *NEEDED, *more]))


# --- People -------------------------------------------------------------------------------------------------

ACCOUNT = names_of(models.Account, "held_quests", "processed_rewards", "refs", "version")
# Only for the person.
OWN = {"email", "wallet_address"}


def account(user: User, record: models.Account) -> dict[str, Any]:
    """An account as this user may see it; what is private is null."""
    values = record.attribute_values
    document = {name: values.get(attribute) for name, attribute in ACCOUNT.items()}
    if record.id != user.sub:
        document |= {name: None for name, attribute in ACCOUNT.items() if attribute in OWN}
    if not rules.may_see_points(user, record.id):
        document["questCreationPoints"] = None
    booked = repository.ledger.booked(record.id)
    return document | {
        "currentReputation": reputation.current_reputation(booked, now()),
        "level": level_of(int(record.experience)).number,
    }


BOOKING = names_of(models.LedgerRow, "actor_id")


def booking(record: models.LedgerRow) -> dict[str, Any]:
    values = record.attribute_values
    document = {name: values.get(attribute) for name, attribute in BOOKING.items()}
    document["entryId"] = record.entry_id.removeprefix(BOOKED)
    # Who did it is public only where a steward adjusted points.
    document["actorId"] = record.actor_id if record.kind == "adjust" else None
    return document


# --- Failed rewards -----------------------------------------------------------------------------------------

FAILED_REWARD = names_of(models.FailedReward, "refs")


def failed_reward(record: models.FailedReward) -> dict[str, Any]:
    values = record.attribute_values
    return {name: values.get(attribute) for name, attribute in FAILED_REWARD.items()}
