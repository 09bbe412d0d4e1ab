"""Who changed what and when: one entry beside each write, in the same transaction."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from django.utils.translation import gettext_lazy as _
from pynamodb.attributes import BinaryAttribute, UnicodeAttribute

from core.dynamo import transactions
from core.dynamo.actors import SYSTEM, Actor
from core.dynamo.attributes import JSONListAttribute, to_iso
from core.dynamo.errors import DataError
from core.dynamo.items import RawItem, new_id
from core.dynamo.paging import DEFAULT_LIMIT, Page, StartKey
from core.dynamo.queries import query
from core.dynamo.support_table import RecordSupportItem, pack, unpack
from core.dynamo.transactions import Operation

# What is newer than an entry and read to tell of it: a page costs no more, however old its record is.
AT_ONCE = 100
MOST_QUERIES = 3


class HistoryEntry(RecordSupportItem):
    """One change. `fields` names what changed; `before` holds those of them that had a value."""

    verb = UnicodeAttribute()
    fields = JSONListAttribute(default=list)
    before = BinaryAttribute(legacy_encoding=False, null=True)

    @property
    def entry_id(self) -> str:
        return self.sk


class TooOld(DataError):
    """More was changed since than is looked through."""

    status_code = 404
    message = _("This change is too old to be shown in full.")


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
) -> Operation:
    """The history entry of a write, to be added to its transaction."""
    place = f"{to_iso(at)}#{entry_id or new_id()}"
    operation = transactions.put(
        HistoryEntry(
            pk=_pk(entity, key),
            sk=place,
            gsi1_pk=f"ACT#{scope}#{place[:7]}",
            gsi1_sk=place,
            entity=entity,
            key=key,
            label=label,
            verb=verb,
            at=at,
            fields=sorted(fields),
            before=pack(before),
        ).by(actor)
    )
    # Commands that write thousands of records say so themselves.
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


def redact(entity: str, key: str, *, label: str, person: Actor | None = None) -> None:
    """Take what a record was, and what it was called, out of its history; who did what and when stays.

    `person` is whom the record was about: where they acted themselves, that is the name from now on.
    """
    start: StartKey | None = None
    while True:
        page = entries(entity, key, limit=AT_ONCE, start=start, strong=True)
        for each in page.items:
            actions = [HistoryEntry.label.set(label), HistoryEntry.before.set(pack({}))]
            if person is not None and each.actor == person.sub:
                actions.append(HistoryEntry.actor_name.set(person.name))
            unless_gone = transactions.exists(HistoryEntry)
            transactions.send(
                transactions.update(HistoryEntry, each.raw_key(), actions, condition=unless_gone)
            )
        if page.next_key is None:
            return
        start = page.next_key


def activity(
    scope: str, month: str, *, limit: int = DEFAULT_LIMIT, start: StartKey | None = None
) -> Page[HistoryEntry]:
    """What happened in a scope in a month (yyyy-mm), newest first, without the values."""
    return query(
        HistoryEntry, f"ACT#{scope}#{month}", index="GSI1", newest_first=True, limit=limit, start=start
    )


def before_and_after(
    entity: str, key: str, entry_id: str, current: RawItem | None
) -> tuple[HistoryEntry, RawItem, RawItem | None] | None:
    """An entry with the stored values of what it changed, before and after it.

    An entry stores only what was there before. What came after is what the next change of the same field
    found, and where there was none, what the record holds today. It is None for an entry that is too old.
    """
    later = _from(entity, key, entry_id)
    this = next(later, None)
    if this is None or this.entry_id != entry_id:
        return None
    try:
        return this, unpack(this.before), _left_by(this, later, current or {})
    except TooOld:
        return this, unpack(this.before), None


def state_after(entity: str, key: str, entry_id: str, current: RawItem) -> RawItem | None:
    """The record as one entry left it; None where there is no such entry. May be `TooOld`."""
    later = _from(entity, key, entry_id)
    this = next(later, None)
    return undo(later, current) if this and this.entry_id == entry_id else None


def undo(since: Iterable[HistoryEntry], current: RawItem) -> RawItem:
    """Today's record with every one of its newest changes, given oldest first, taken back."""
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


def _left_by(this: HistoryEntry, later: Iterable[HistoryEntry], current: RawItem) -> RawItem:
    """What one entry changed, as it was until the next change of each field."""
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


def _from(entity: str, key: str, entry_id: str) -> Iterator[HistoryEntry]:
    """This entry and all newer ones, oldest first, as long as it is not `TooOld`."""
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
