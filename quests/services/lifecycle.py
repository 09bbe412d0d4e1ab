"""The life of a quest. Each step is one transaction, conditional on the quest as it was read."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import ensure
from core.accounts.user import User
from core.dynamo.actors import Actor
from core.dynamo.attributes import now, to_iso
from core.dynamo.errors import Conflict, DataError, NotFound
from core.dynamo.idempotency import Once
from core.dynamo.transactions import Operation, Transaction
from quests import repository, rules
from quests.errors import AlreadyBooked, NoAccount, Overtaken, TooManyClaims, WrongState
from quests.models import (
    CANCELLED,
    CLAIMED,
    DISPUTED,
    OPEN,
    REQUESTOR,
    SUBMITTED,
    Quest,
)
from quests.repository.ledger import Booking
from quests.services import rewards
from quests.services.accounts import open_account

# A quest is changed by few people: whoever is overtaken that often is told.
MOST_TRIES = 4
# Of how many people who had a quest before it knows how far they came.
MOST_EARLIER_CLAIMS = 50
# What a quest forgets when its work is done anew: the confirmations were of the earlier work.
UNCONFIRMED: dict[str, Any] = {
    "attestations": [],
    "attester_ids": None,
    "has_requestor_attestation": False,
    "has_performer_attestation": False,
}
# What it forgets when it is open again.
UNCLAIMED: dict[str, Any] = {
    **UNCONFIRMED,
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

Change = Callable[[Quest], Quest]


def create(user: User, fields: Mapping[str, Any], *, key: str, once: Once | None = None) -> Quest:
    """The quest and the point that it costs are written together, or neither is."""
    ensure(user, "quests.quest.create")
    quest = Quest(id=key, creator_id=user.sub, **fields)
    quest.expires_at = quest.expires_at or now() + rules.QUEST_LASTS
    try:
        return _offer(user, quest, once)
    except NoAccount:
        open_account(user)
        return _offer(user, quest, once)


def edit(
    user: User, key: str, fields: Mapping[str, Any], *, seen_version: int, once: Once | None = None
) -> Quest:
    quest = allowed(user, key, "edit", once)
    return repository.quests.update(quest, fields, actor=user.actor, seen_version=seen_version, once=once)


def delete(user: User, key: str, *, once: Once | None = None) -> Quest:
    """Take back an offer that nobody has taken on, with the point that it cost."""

    def change(quest: Quest) -> Quest:
        transaction = Transaction()
        deleted = repository.quests.delete(quest, actor=user.actor, transaction=transaction, once=once)
        repository.ledger.book(transaction, refund_of(quest, offered=-1), actor=user.actor)
        transaction.commit()
        return deleted

    return _carry_out(user, key, "delete", change, once)


def take_down(user: User, key: str, *, note: str, once: Once | None = None) -> Quest:
    """A steward takes an offer off the board that should not be there; its point goes back."""

    def change(quest: Quest) -> Quest:
        fields = _said(quest, note) | {"status": CANCELLED, "resolved_at": now()}
        return end_offer(quest, fields, actor=user.actor, verb="take_down", once=once)

    return _carry_out(user, key, "take_down", change, once)


def claim(user: User, key: str, *, seen: str = "", once: Once | None = None) -> Quest:
    """Whoever had it before goes on where they were: with the time that was left, and the changes counted."""
    moment = now()

    def fields(quest: Quest) -> dict[str, Any]:
        earlier = quest.earlier_claim_of(user.sub)
        lasts = timedelta(seconds=int(earlier["seconds"])) if earlier else rules.CLAIM_LASTS
        return {
            "status": CLAIMED,
            "performer_id": user.sub,
            "claimed_at": moment,
            "claim_expires_at": moment + lasts,
            "changes_requested": int(earlier["changes"]) if earlier else 0,
            # What a steward said to somebody before is not said to this person.
            "decision_note": None,
            "decided_for": [],
            "resolved_at": None,
        }

    def change(quest: Quest) -> Quest:
        def write(*hold: Operation) -> Quest:
            transaction = Transaction()
            claimed = repository.quests.update(
                quest, fields(quest), actor=user.actor, verb="claim", transaction=transaction, once=once
            )
            transaction.add(*hold)
            transaction.commit()
            return claimed

        try:
            return write(repository.accounts.hold(user.sub, quest.id, most=settings.QUEST_MOST_CLAIMS))
        except NoAccount:
            # There is nowhere to count it: the sign-in could not open the account, or it was removed.
            return write()
        except TooManyClaims:
            return write(_hold_in_place_of_ended(user, quest))

    return _carry_out(user, key, "claim", change, once, seen)


def _hold_in_place_of_ended(user: User, quest: Quest) -> Operation:
    """An account does not forget what somebody has submitted or given back until room is needed."""
    account = repository.accounts.get(user.sub, strong=True)
    held = repository.quests.get_many(sorted(account.held_quests or ()), strong=True)
    still = [each.id for each in held.values() if each.status == CLAIMED and each.performer_id == user.sub]
    if len(still) >= settings.QUEST_MOST_CLAIMS:
        raise TooManyClaims
    return repository.accounts.hold_instead(account, still, quest.id)


def release(user: User, key: str, *, once: Once | None = None) -> Quest:
    """Give back what one has taken on."""
    return _set(user, key, "release", unclaimed, once)


def recall(user: User, key: str, *, note: str, once: Once | None = None) -> Quest:
    """A steward opens a quest again that somebody holds and does not do."""
    return _set(user, key, "recall", lambda quest: unclaimed(quest) | _said(quest, note), once)


def submit(
    user: User, key: str, *, text: str, photos: Sequence[Mapping[str, str]], once: Once | None = None
) -> Quest:
    fields = {
        "status": SUBMITTED,
        "submitted_at": now(),
        "submission_text": text,
        "claim_expires_at": None,
    }

    def with_photos(quest: Quest) -> dict[str, Any]:
        """New photos replace those of an earlier try; without any these stay."""
        return fields | {"photos": list(photos) or list(quest.photos or ())}

    return _set(user, key, "submit", with_photos, once)


def request_changes(user: User, key: str, *, note: str, once: Once | None = None) -> Quest:
    """The creator hands the work back; the performer has the full time again, and confirms it again."""

    def fields(quest: Quest) -> dict[str, Any]:
        return UNCONFIRMED | {
            "status": CLAIMED,
            "changes_requested": quest.changes_requested + 1,
            "change_note": note,
            "claim_expires_at": now() + rules.CLAIM_LASTS,
        }

    return _set(user, key, "request_changes", fields, once)


def attest(
    user: User,
    key: str,
    *,
    notes: str = "",
    seen: str = "",
    once: Once | None = None,
    moment: datetime | None = None,
) -> Quest:
    """One side confirms. The second confirmation completes the quest and books its reward with it.

    `moment` is when that was, for what is told afterwards.
    """

    def change(quest: Quest) -> Quest:
        fields = _attested(user, quest, notes=notes, moment=moment or now())
        if not (fields["has_requestor_attestation"] and fields["has_performer_attestation"]):
            return repository.quests.update(quest, fields, actor=user.actor, verb="attest", once=once)
        return rewards.complete(quest, fields, actor=user.actor, verb="attest", once=once, moment=moment)

    return _carry_out(user, key, "attest", change, once, seen)


def dispute(user: User, key: str, *, reason: str, once: Once | None = None) -> Quest:
    fields = {
        "status": DISPUTED,
        "dispute_reason": reason,
        "disputed_by": user.sub,
        "dispute_answer": None,
        "disputed_at": now(),
    }
    return _set(user, key, "dispute", lambda _quest: fields, once)


def answer(user: User, key: str, *, text: str, once: Once | None = None) -> Quest:
    """The other side says how it sees the dispute, for the steward who decides."""
    return _set(user, key, "answer", lambda _quest: {"dispute_answer": text}, once)


def decide(user: User, key: str, *, decision: str, note: str, once: Once | None = None) -> Quest:
    """A steward ends a dispute: the quest is completed with its reward, opened again, or cancelled."""

    def change(quest: Quest) -> Quest:
        told = _said(quest, note) | {"resolved_at": now()}
        match decision:
            case "complete":
                return rewards.complete(quest, told, actor=user.actor, verb="decide", once=once)
            case "reopen":
                # A steward lets everybody begin anew.
                fields = UNCLAIMED | told | {"expires_at": _in_time(quest), "earlier_claims": []}
                return repository.quests.update(quest, fields, actor=user.actor, verb="decide", once=once)
            case "cancel":
                fields = told | {"status": CANCELLED}
                return repository.quests.update(quest, fields, actor=user.actor, verb="decide", once=once)
        raise WrongState

    return _carry_out(user, key, "decide", change, once)


def _said(quest: Quest, note: str) -> dict[str, Any]:
    """What a steward says, and to whom."""
    return {"decision_note": note, "decided_for": quest.sides()}


def unclaimed(quest: Quest, moment: datetime | None = None) -> dict[str, Any]:
    """The quest is open again, and knows how far the person came who had it."""
    moment = moment or now()
    ends = quest.claim_expires_at or (quest.claimed_at or moment) + rules.CLAIM_LASTS
    claim = {
        "user_id": quest.performer_id,
        "seconds": max(0, int((ends - moment).total_seconds())),
        "changes": int(quest.changes_requested or 0),
    }
    others = [each for each in quest.earlier_claims or () if each["user_id"] != quest.performer_id]
    return UNCLAIMED | {"earlier_claims": [*others, claim][-MOST_EARLIER_CLAIMS:]}


def end_offer(
    quest: Quest, fields: Mapping[str, Any], *, actor: Actor, verb: str, once: Once | None = None
) -> Quest:
    """An offer ends, and its point goes back; without an account there is nobody to give it to."""

    def end(*, with_refund: bool) -> Quest:
        transaction = Transaction()
        ended = repository.quests.update(
            quest, fields, actor=actor, verb=verb, transaction=transaction, once=once
        )
        if with_refund:
            repository.ledger.book(transaction, refund_of(quest), actor=actor)
        transaction.commit()
        return ended

    try:
        return end(with_refund=True)
    except (NoAccount, AlreadyBooked):
        return end(with_refund=False)


def refund_of(quest: Quest, *, offered: int = 0) -> Booking:
    """The point comes back once, whatever ends the offer; what was deleted does not count as offered."""
    return Booking(
        quest.creator_id,
        f"REFUND#{quest.id}",
        "refund",
        points=rules.COST_OF_A_QUEST,
        quest_id=quest.id,
        note=quest.title,
        quests_created=offered,
    )


# --- How a step is taken ------------------------------------------------------------------------------------


def allowed(user: User, key: str, verb: str, once: Once | None) -> Quest:
    """The quest as it is now, if this person may take the step."""
    objection: DataError | None
    try:
        quest = repository.quests.get(key, strong=True)
        objection = rules.objection(verb, user, quest)
    except NotFound as error:
        objection = error
    if objection is None:
        return quest
    if once is not None:
        # A request that is sent again finds what it has done itself.
        once.check()
    raise objection


def sight(quest: Quest) -> str:
    """What somebody has seen of a quest who takes a step; that the other side confirms does not change it."""
    is_work = quest.status == SUBMITTED and quest.submitted_at
    return to_iso(quest.submitted_at) if is_work else str(quest.seen_version)


def _carry_out(user: User, key: str, verb: str, change: Change, once: Once | None, seen: str = "") -> Quest:
    """Whoever is overtaken looks again: the step may still be possible, and if not, it is said why."""
    for tries in range(MOST_TRIES):
        try:
            quest = allowed(user, key, verb, once)
        except WrongState as objection:
            raise (Overtaken(objection.message) if tries else objection) from None
        if seen and seen != sight(quest):
            raise Overtaken(_("This quest was changed in the meantime. Please look at it again."))
        try:
            return change(quest)
        except Conflict:
            continue
    raise Conflict


def _set(
    user: User,
    key: str,
    verb: str,
    fields: Callable[[Quest], Mapping[str, Any]],
    once: Once | None,
    seen: str = "",
) -> Quest:
    def change(quest: Quest) -> Quest:
        return repository.quests.update(quest, fields(quest), actor=user.actor, verb=verb, once=once)

    return _carry_out(user, key, verb, change, once, seen)


def _offer(user: User, quest: Quest, once: Once | None) -> Quest:
    transaction = Transaction()
    created = repository.quests.create(quest, actor=user.actor, transaction=transaction, once=once)
    cost = Booking(
        user.sub,
        f"CREATE#{quest.id}",
        "create",
        points=-rules.COST_OF_A_QUEST,
        quest_id=quest.id,
        note=quest.title,
        quests_created=1,
    )
    repository.ledger.book(transaction, cost, actor=user.actor)
    transaction.commit()
    return created


def _attested(user: User, quest: Quest, *, notes: str, moment: datetime) -> dict[str, Any]:
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


def _in_time(quest: Quest) -> datetime:
    """A quest that is opened again is not over at once."""
    later: datetime = max(quest.expires_at or now(), now() + rules.CLAIM_LASTS)
    return later
