"""The actions on a quest. Each is one transaction, conditional on the quest as it was read."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo.actors import Actor
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import Conflict, DataError, NotFound
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.transactions import Operation, Transaction
from quests import repository, rules
from quests.errors import AlreadyBooked, NoAccount, StatusChanged, TooManyClaims, WrongStatus
from quests.models import CANCELLED, CLAIMED, DISPUTED, OPEN, REQUESTOR, SUBMITTED, Quest
from quests.repository.ledger import Booking
from quests.services import rewards
from quests.services.accounts import open_account

# Few people change a quest at once: after this many conflicts the error is shown.
MOST_TRIES = 4
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
    **dict.fromkeys(("performer_id", "claimed_at", "claim_expires_at", "submitted_at", "submission_text")),
    "photos": [],
    "changes_requested": 0,
    **dict.fromkeys(("change_note", "dispute_reason", "disputed_by", "dispute_answer", "disputed_at")),
    **dict.fromkeys(("decision_note", "resolved_at")),
}
Change = Callable[[Quest], Quest]


def create(user: User, fields: Mapping[str, Any], *, key: str, once: IdempotencyKey | None = None) -> Quest:
    """Create the quest and book its cost, in one transaction."""
    ensure(user, "quests.quest.create")
    quest = Quest(id=key, creator_id=user.sub, **fields)
    quest.expires_at = quest.expires_at or now() + rules.QUEST_LASTS
    try:
        return _create_and_charge(user, quest, once)
    except NoAccount:
        open_account(user)
        return _create_and_charge(user, quest, once)


def edit(
    user: User, key: str, fields: Mapping[str, Any], *, seen_version: int, once: IdempotencyKey | None = None
) -> Quest:
    quest = get_if_allowed(user, key, "edit", once)
    return repository.quests.update(quest, fields, actor=user.actor, seen_version=seen_version, once=once)


def delete(user: User, key: str, *, once: IdempotencyKey | None = None) -> Quest:
    """Delete an unclaimed quest and refund its cost."""

    def change(quest: Quest) -> Quest:
        transaction = Transaction()
        deleted = repository.quests.delete(quest, actor=user.actor, transaction=transaction, once=once)
        repository.ledger.book(transaction, refund_booking(quest, offered=-1), actor=user.actor)
        transaction.commit()
        return deleted

    return _change_with_retry(user, key, "delete", change, once)


def take_down(user: User, key: str, *, note: str, once: IdempotencyKey | None = None) -> Quest:
    """Cancel an unclaimed quest as a steward and refund its cost."""

    def change(quest: Quest) -> Quest:
        fields = _steward_note(quest, note) | {"status": CANCELLED, "resolved_at": now()}
        return end_offer(quest, fields, actor=user.actor, verb="take_down", once=once)

    return _change_with_retry(user, key, "take_down", change, once)


def claim(user: User, key: str, *, seen: str = "", once: IdempotencyKey | None = None) -> Quest:
    """Claim a quest. An earlier claim of the user continues with its time left and its change requests."""
    moment = now()

    def change(quest: Quest) -> Quest:
        write = partial(_write_claim, user, quest, moment, once)
        try:
            return write(
                repository.accounts.add_held_quest(user.sub, quest.id, most=settings.QUEST_MOST_CLAIMS)
            )
        except NoAccount:
            # Without an account (not opened at sign-in, or removed) the claim is not counted.
            return write()
        except TooManyClaims:
            return write(_hold_in_cleaned_set(user, quest))

    return _change_with_retry(user, key, "claim", change, once, seen)


def _write_claim(
    user: User, quest: Quest, moment: datetime, once: IdempotencyKey | None, *account_operations: Operation
) -> Quest:
    earlier = quest.earlier_claim_of(user.sub)
    lasts = timedelta(seconds=int(earlier["seconds"])) if earlier else rules.CLAIM_LASTS
    fields = {
        "status": CLAIMED,
        "performer_id": user.sub,
        "claimed_at": moment,
        "claim_expires_at": moment + lasts,
        "changes_requested": int(earlier["changes"]) if earlier else 0,
        # A steward's earlier note was not for this performer.
        "decision_note": None,
        "decided_for": [],
        "resolved_at": None,
    }
    transaction = Transaction()
    claimed = repository.quests.update(
        quest, fields, actor=user.actor, verb="claim", transaction=transaction, once=once
    )
    transaction.add(*account_operations)
    transaction.commit()
    return claimed


def _hold_in_cleaned_set(user: User, quest: Quest) -> Operation:
    """Remove ended claims from the account's full set; raise TooManyClaims if all are still running."""
    account = repository.accounts.get(user.sub, strong=True)
    held = repository.quests.get_many(sorted(account.held_quests or ()), strong=True)
    running = [each.id for each in held.values() if each.status == CLAIMED and each.performer_id == user.sub]
    if len(running) >= settings.QUEST_MOST_CLAIMS:
        raise TooManyClaims
    return repository.accounts.replace_held_quests(account, running, quest.id)


def release(user: User, key: str, *, once: IdempotencyKey | None = None) -> Quest:
    """Give a claimed quest back."""
    return _update(user, key, "release", lambda quest: fields_without_claim(quest, now()), once)


def recall(user: User, key: str, *, note: str, once: IdempotencyKey | None = None) -> Quest:
    """Open a claimed quest again as a steward."""

    def fields(quest: Quest) -> dict[str, Any]:
        return fields_without_claim(quest, now()) | _steward_note(quest, note)

    return _update(user, key, "recall", fields, once)


def submit(
    user: User,
    key: str,
    *,
    text: str,
    photos: Sequence[Mapping[str, str]] = (),
    once: IdempotencyKey | None = None,
) -> Quest:
    submitted_at = now()

    def fields(quest: Quest) -> dict[str, Any]:
        return {
            "status": SUBMITTED,
            "submitted_at": submitted_at,
            "submission_text": text,
            "claim_expires_at": None,
            # New photos replace those of an earlier submission; without new ones, these stay.
            "photos": list(photos) or list(quest.photos or ()),
        }

    return _update(user, key, "submit", fields, once)


def request_changes(user: User, key: str, *, note: str, once: IdempotencyKey | None = None) -> Quest:
    """Hand the work back to the performer, who has the full time again and confirms it again."""

    def fields(quest: Quest) -> dict[str, Any]:
        return WITHOUT_ATTESTATIONS | {
            "status": CLAIMED,
            "changes_requested": quest.changes_requested + 1,
            "change_note": note,
            "claim_expires_at": now() + rules.CLAIM_LASTS,
        }

    return _update(user, key, "request_changes", fields, once)


def attest(
    user: User,
    key: str,
    *,
    notes: str = "",
    seen: str = "",
    once: IdempotencyKey | None = None,
    moment: datetime | None = None,
) -> Quest:
    """Confirm the work for one side. The second confirmation completes the quest and books its reward.

    `moment` is the time of the confirmation, for imports.
    """

    def change(quest: Quest) -> Quest:
        fields = _attestation_fields(user, quest, notes=notes, moment=moment or now())
        if not (fields["has_requestor_attestation"] and fields["has_performer_attestation"]):
            return repository.quests.update(quest, fields, actor=user.actor, verb="attest", once=once)
        return rewards.complete(quest, fields, actor=user.actor, verb="attest", once=once, moment=moment)

    return _change_with_retry(user, key, "attest", change, once, seen)


def dispute(user: User, key: str, *, reason: str, once: IdempotencyKey | None = None) -> Quest:
    fields = {
        "status": DISPUTED,
        "dispute_reason": reason,
        "disputed_by": user.sub,
        "dispute_answer": None,
        "disputed_at": now(),
    }
    return _update(user, key, "dispute", lambda _quest: fields, once)


def answer(user: User, key: str, *, text: str, once: IdempotencyKey | None = None) -> Quest:
    """Answer a dispute as the other side, for the steward who decides."""
    return _update(user, key, "answer", lambda _quest: {"dispute_answer": text}, once)


def decide(user: User, key: str, *, decision: str, note: str, once: IdempotencyKey | None = None) -> Quest:
    """End a dispute as a steward: complete the quest with its reward, open it again, or cancel it."""

    def change(quest: Quest) -> Quest:
        fields = _steward_note(quest, note) | {"resolved_at": now()}
        match decision:
            case "complete":
                return rewards.complete(quest, fields, actor=user.actor, verb="decide", once=once)
            case "reopen":
                # Nobody's earlier claim counts any more, and there is time for a new one.
                expires_at = max(quest.expires_at or now(), now() + rules.CLAIM_LASTS)
                fields = WITHOUT_CLAIM | fields | {"expires_at": expires_at, "earlier_claims": []}
            case "cancel":
                fields |= {"status": CANCELLED}
            case _:
                raise WrongStatus
        return repository.quests.update(quest, fields, actor=user.actor, verb="decide", once=once)

    return _change_with_retry(user, key, "decide", change, once)


def end_offer(
    quest: Quest, fields: Mapping[str, Any], *, actor: Actor, verb: str, once: IdempotencyKey | None = None
) -> Quest:
    """End an open quest and refund its cost, if the creator still has an account."""

    def end(*, with_refund: bool) -> Quest:
        transaction = Transaction()
        ended = repository.quests.update(
            quest, fields, actor=actor, verb=verb, transaction=transaction, once=once
        )
        if with_refund:
            repository.ledger.book(transaction, refund_booking(quest), actor=actor)
        transaction.commit()
        return ended

    try:
        return end(with_refund=True)
    except (NoAccount, AlreadyBooked):
        return end(with_refund=False)


def refund_booking(quest: Quest, *, offered: int = 0) -> Booking:
    """The refund of a quest's cost. Its entry id is the same for every reason, so it is booked once."""
    return Booking(
        quest.creator_id,
        f"REFUND#{quest.id}",
        "refund",
        points=rules.QUEST_COST,
        quest_id=quest.id,
        note=quest.title,
        quests_created=offered,
    )


# --- Shared by the actions ----------------------------------------------------------------------------------


def get_if_allowed(user: User, key: str, action: str, once: IdempotencyKey | None) -> Quest:
    """The stored quest if the user may take the action now; otherwise raise why not."""
    objection: DataError | None
    try:
        quest = repository.quests.get(key, strong=True)
        objection = rules.objection(action, user, quest)
    except NotFound as error:
        objection = error
    if objection is not None:
        # The objection may be the effect of the same request sent before.
        refuse(objection, once)
    return quest


def action_version(quest: Quest) -> str:
    """The version that an action's form carries; a confirmation by the other side does not change it."""
    is_work = quest.status == SUBMITTED and quest.submitted_at
    return to_iso(quest.submitted_at) if is_work else str(quest.seen_version)


def _change_with_retry(
    user: User, key: str, action: str, change: Change, once: IdempotencyKey | None, seen: str = ""
) -> Quest:
    """Read, check and change; after a conflict try again, because the action may still be allowed."""
    for tries in range(MOST_TRIES):
        try:
            quest = get_if_allowed(user, key, action, once)
        except WrongStatus as objection:
            raise (StatusChanged(objection.message) if tries else objection) from None
        if seen and seen != action_version(quest):
            raise StatusChanged(_("This quest was changed in the meantime. Check it and try again."))
        try:
            return change(quest)
        except Conflict:
            continue
    raise Conflict


def _update(
    user: User,
    key: str,
    action: str,
    fields: Callable[[Quest], Mapping[str, Any]],
    once: IdempotencyKey | None,
) -> Quest:
    def change(quest: Quest) -> Quest:
        return repository.quests.update(quest, fields(quest), actor=user.actor, verb=action, once=once)

    return _change_with_retry(user, key, action, change, once)


def fields_without_claim(quest: Quest, moment: datetime) -> dict[str, Any]:
    """The fields that reopen a quest. `earlier_claims` gets the performer's time left and change requests."""
    ends = quest.claim_expires_at or (quest.claimed_at or moment) + rules.CLAIM_LASTS
    ended_claim = {
        "user_id": quest.performer_id,
        "seconds": max(0, int((ends - moment).total_seconds())),
        "changes": int(quest.changes_requested or 0),
    }
    others = [each for each in quest.earlier_claims or () if each["user_id"] != quest.performer_id]
    return WITHOUT_CLAIM | {"earlier_claims": [*others, ended_claim][-MOST_EARLIER_CLAIMS:]}


def _steward_note(quest: Quest, note: str) -> dict[str, Any]:
    """A steward's note and the people to whom it is addressed."""
    return {"decision_note": note, "decided_for": quest.sides()}


def _create_and_charge(user: User, quest: Quest, once: IdempotencyKey | None) -> Quest:
    transaction = Transaction()
    created = repository.quests.create(quest, actor=user.actor, transaction=transaction, once=once)
    cost = Booking(
        user.sub,
        f"CREATE#{quest.id}",
        "create",
        points=-rules.QUEST_COST,
        quest_id=quest.id,
        note=quest.title,
        quests_created=1,
    )
    repository.ledger.book(transaction, cost, actor=user.actor)
    transaction.commit()
    return created


def _attestation_fields(user: User, quest: Quest, *, notes: str, moment: datetime) -> dict[str, Any]:
    role = quest.role_of(user.sub)
    attestation = {"user_id": user.sub, "role": role, "attested_at": to_iso(moment)}
    if notes:
        attestation["notes"] = notes
    is_requestor = role == REQUESTOR
    return {
        "attestations": [*(quest.attestations or []), attestation],
        "attester_ids": {*(quest.attester_ids or ()), user.sub},
        "has_requestor_attestation": bool(quest.has_requestor_attestation or is_requestor),
        "has_performer_attestation": bool(quest.has_performer_attestation or not is_requestor),
    }
