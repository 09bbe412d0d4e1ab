"""Who changed what and when: one entry per write, in the same transaction."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial

from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import BinaryAttribute, UnicodeAttribute

from core.dynamo import transactions
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.attributes import JSONListAttribute, now, to_iso
from core.dynamo.errors import AlreadyExists, DataError
from core.dynamo.idempotency import KEPT_FOR, IdempotencyKey, Receipt
from core.dynamo.items import RawItem, new_id
from core.dynamo.paging import DEFAULT_LIMIT, Page, StartKey
from core.dynamo.queries import get, query, read_all
from core.dynamo.support_table import RecordSupportItem, pack, unpack
from core.dynamo.transactions import Operation, Terms

# The id of a creation that is the receipt of its request: a repetition meets the same item. All other entries
# have ids that begin with their time, and come after it.
CREATION = "0#create"
# To show an entry the newer ones are read, at most MOST_QUERIES pages of AT_ONCE.
AT_ONCE = 100
MOST_QUERIES = 3


class HistoryEntry(RecordSupportItem, Receipt):
    """One change. `fields` names what changed; `before` holds those of them that had a value.

    It may be the receipt of the request that made the change.
    """

    verb = UnicodeAttribute()
    fields = JSONListAttribute(default=list)
    before = BinaryAttribute(legacy_encoding=False, null=True)

    @property
    def entry_id(self) -> str:
        return self.sk


class CreatedBefore(AlreadyExists):
    """Another request has created the record, which may be deleted since."""


class TooOld(DataError):
    """There are more newer entries than are read."""

    status_code = 404
    message = _("This change is too old to show in full.")


def entry(
    *,
    entity: str,
    key: str,
    scope: str,
    label: str,
    verb: str,
    actor: Actor,
    at: datetime,
    fields: list[str],
    before: RawItem,
    entry_id: str = "",
    receipt: IdempotencyKey | None = None,
) -> Operation:
    """The history entry of a write, to be added to its transaction.

    `CREATION` is refused if there is one already: by `Replayed` to a repetition of its `receipt`, which may
    come after the record was deleted, and by `CreatedBefore` to any other request.
    """
    place = f"{to_iso(at)}#{entry_id or new_id()}"
    is_creation = entry_id == CREATION
    operation = transactions.put(
        HistoryEntry(
            pk=_pk(entity, key),
            sk=CREATION if is_creation else place,
            gsi1_pk=f"ACT#{scope}#{place[:7]}",
            gsi1_sk=place,
            entity=entity,
            key=key,
            label=label,
            verb=verb,
            at=at,
            fields=sorted(fields),
            before=pack(before),
            **(receipt.receipt() if receipt else {}),
        ).by(actor),
        **(_only_once(receipt) if is_creation else {}),
    )
    # Not logged for the system: its commands write thousands of records and log a summary.
    is_person = actor != SYSTEM
    return replace(operation, event={"verb": verb, "entity": entity, "sub": actor.sub} if is_person else None)


def entries(
    entity: str,
    key: str,
    *,
    limit: int = DEFAULT_LIMIT,
    start: StartKey | None = None,
    strong: bool = False,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Page[HistoryEntry]:
    """The changes of a record, newest first: all, or those from `since` on and before `until`."""
    return query(
        HistoryEntry,
        _pk(entity, key),
        at_least=to_iso(since) if since else None,
        at_most=to_iso(until) if until else None,
        newest_first=True,
        limit=limit,
        start=start,
        strong=strong,
    )


def answer_of(entity: str, key: str, once: IdempotencyKey) -> Exception | None:
    """`Replayed` or `KeyReused` if this request has changed this record in the last day, else None."""
    recent = partial(entries, entity, key, since=now() - KEPT_FOR, strong=True)
    answers = (once.answer_of(change.stored) for change in read_all(recent, limit=AT_ONCE))
    return next(filter(None, answers), None)


def creation_answer(entity: str, key: str, once: IdempotencyKey) -> Exception | None:
    """`Replayed` or `KeyReused` if this request has created this record in the last day, else None."""
    stored = get(HistoryEntry, {"PK": {"S": _pk(entity, key)}, "SK": {"S": CREATION}}, strong=True)
    return once.answer_of(stored.stored) if stored else None


def redact(entity: str, key: str, *, label: str, person: Actor | None = None) -> None:
    """Remove the values and replace the label in a record's history; who changed which fields when stays.

    `person` is whom the record was about: entries of their own get this name.
    """
    for change in read_all(partial(entries, entity, key, strong=True), limit=AT_ONCE):
        actions = [HistoryEntry.label.set(label), HistoryEntry.before.set(pack({}))]
        if person is not None and change.actor == person.sub:
            actions.append(HistoryEntry.actor_name.set(person.name))
        unless_gone = transactions.exists(HistoryEntry)
        transactions.send(transactions.update(HistoryEntry, change.raw_key(), actions, condition=unless_gone))


def activity(
    scope: str, month: str, *, limit: int = DEFAULT_LIMIT, start: StartKey | None = None
) -> Page[HistoryEntry]:
    """The entries of a scope in a month (yyyy-mm), newest first, without the values."""
    return query(
        HistoryEntry, f"ACT#{scope}#{month}", index="GSI1", newest_first=True, limit=limit, start=start
    )


def before_and_after(
    entity: str, key: str, entry_id: str, current: RawItem | None
) -> tuple[HistoryEntry, RawItem, RawItem | None] | None:
    """An entry with the stored values of the fields that it changed, before and after.

    An entry stores only the values before. The value after is the value before the next change of the same
    field, or else the current one. The values after are None for an entry that is too old.
    """
    later = _since(entity, key, entry_id)
    this = next(later, None)
    if this is None or this.entry_id != entry_id:
        return None
    try:
        return this, unpack(this.before), _values_after(this, later, current or {})
    except TooOld:
        return this, unpack(this.before), None


def state_after(entity: str, key: str, entry_id: str, current: RawItem) -> RawItem | None:
    """The stored record after an entry; None if there is no such entry. May raise `TooOld`."""
    later = _since(entity, key, entry_id)
    this = next(later, None)
    return undo(later, current) if this and this.entry_id == entry_id else None


def undo(since: Iterable[HistoryEntry], current: RawItem) -> RawItem:
    """The current record with its newest changes, given oldest first, undone."""
    state = dict(current)
    undone: set[str] = set()
    for change in since:
        before = unpack(change.before)
        for field in set(change.fields) - undone:
            state.pop(field, None)
            if field in before:
                state[field] = before[field]
        undone.update(change.fields)
    return state


def _only_once(receipt: IdempotencyKey | None) -> Terms:
    def refused(stored: RawItem | None) -> Exception:
        return (receipt and receipt.answer_of(stored)) or CreatedBefore()

    # If the record is stored as well, that says more.
    return {"condition": transactions.absent(HistoryEntry), "refused": refused, "rank": 2}


def _values_after(this: HistoryEntry, later: Iterable[HistoryEntry], current: RawItem) -> RawItem:
    """The values of the fields of one entry after it, up to the next change of each field."""
    open_fields = set(this.fields)
    after: RawItem = {}
    for newer in later:
        found = unpack(newer.before)
        for field in open_fields.intersection(newer.fields):
            open_fields.discard(field)
            if field in found:
                after[field] = found[field]
        if not open_fields:
            break
    return after | {field: value for field, value in current.items() if field in open_fields}


def _since(entity: str, key: str, entry_id: str) -> Iterator[HistoryEntry]:
    """This entry and all newer ones, oldest first; raises `TooOld` if there are too many."""
    start: StartKey | None = None
    for _attempt in range(MOST_QUERIES):
        page = query(HistoryEntry, _pk(entity, key), at_least=entry_id, limit=AT_ONCE, start=start)
        yield from page.items
        if page.next_key is None:
            return
        start = page.next_key
    raise TooOld


def _pk(entity: str, key: str) -> str:
    return f"HIST#{entity}#{key}"
