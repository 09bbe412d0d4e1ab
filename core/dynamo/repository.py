"""The base of every app's repository: reads by access pattern, and writes that keep all their side items."""

import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from core.dynamo import adoption, changeset, history, registry, side_items, transactions, trash, use_counts
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.changeset import Changed
from core.dynamo.errors import AlreadyExists, Conflict, InUse, NotFound
from core.dynamo.idempotency import IdempotencyKey, refuse
from core.dynamo.items import RawItem
from core.dynamo.record_type import RecordType, T
from core.dynamo.registry import RecordRef
from core.dynamo.transactions import Transaction, absent


class Repository(RecordType[T]):
    """Reads and writes of one entity's records. Subclasses declare the entity and add its access patterns.

    Every write is one transaction: the record, its history entry, its words, its guards, its references
    and, where given, the receipt of its request. Pass `transaction` to join several writes into one.
    """

    def __init__(self) -> None:
        registry.register(self)

    def create(
        self,
        item: T,
        *,
        actor: Actor,
        verb: str = "create",
        once: IdempotencyKey | None = None,
        receipt: IdempotencyKey | None = None,
        transaction: Transaction | None = None,
    ) -> T:
        """The history entry may be the `receipt` of a request that names the key, which then needs no row by
        `once`; not of a natural key, under which records are created again and again."""
        moment = now()
        item.created_at = item.created_at or moment
        item.updated_at = moment
        # Under a key that was used before, a form made from the record's earlier life must be stale.
        item.version = int(time.time() * 1000) if self.natural_key else 1
        created: T = changeset.with_derived(self.model, item.serialize())
        whole = transaction or Transaction()
        record = transactions.put_raw(
            self.model, dict(created.stored), condition=absent(self.model), refused=self._already_exists
        )
        new, first = created.stored, history.CREATION if receipt else ""
        entry = self.history_entry(
            created, verb=verb, actor=actor, at=moment, fields=new, before={}, entry_id=first, receipt=receipt
        )
        if verb == "create" and self.tells_creation(created, actor):
            whole.add(replace(record, event=entry.event))
        else:
            whole.add(record, entry)
        self._sync_side_items(whole, before=None, after=created, once=once)
        has_receipt = any(unique.is_receipt and unique.values_of(created) for unique in self.unique)
        return self._finish(created, whole, None if has_receipt else once, transaction)

    def update(
        self,
        item: T,
        fields: Mapping[str, Any],
        *,
        actor: Actor,
        verb: str = "update",
        seen_version: int | None = None,
        once: IdempotencyKey | None = None,
        receipt: IdempotencyKey | None = None,
        transaction: Transaction | None = None,
        redact_history: bool = False,
    ) -> T:
        """Write the fields that differ from `item`, which was read with `strong=True`.

        `seen_version` is the version that the person's form was made from. A repetition of such a write is
        stale, so its history entry may be the `receipt` of its request, which then needs no row by `once`; if
        nothing differs there is neither. With `redact_history` the history entry names the changed fields
        without their earlier values.
        """
        self._refuse_stale(item, seen_version, once, receipt)
        whole = transaction or Transaction()
        changed = self.differences(item, fields)
        if changed:
            item = self._adopted(item)
            changed = self.differences(item, fields)
        after = item
        if changed:
            moment = changeset.timestamp_after(item.updated_at)
            after = changeset.edited(item, changed, moment)
            whole.add(self._update_operation(item, after, receipt))
            self._sync_side_items(whole, before=item, after=after)
            before = {
                name: item.stored[name] for name in changed if name in item.stored and not redact_history
            }
            whole.add(
                self.history_entry(
                    after, verb=verb, actor=actor, at=moment, fields=changed, before=before, receipt=receipt
                )
            )
        return self._finish(after, whole, once, transaction)

    def save(
        self,
        item: T,
        fields: Mapping[str, Any],
        *,
        actor: Actor,
        seen_version: int | None = None,
        once: IdempotencyKey | None = None,
        transaction: Transaction | None = None,
    ) -> T:
        """Update `item` if it was read (with `strong=True`), create it if it was never stored.

        With a `seen_version`, a record that is gone is not created anew: it is refused as by `update`.
        """
        if hasattr(item, "stored") or seen_version:
            return self.update(
                item, fields, actor=actor, seen_version=seen_version, once=once, transaction=transaction
            )
        for name, value in fields.items():
            setattr(item, name, value)
        return self.create(item, actor=actor, once=once, transaction=transaction)

    def delete(
        self,
        item: T,
        *,
        actor: Actor,
        verb: str = "delete",
        seen_version: int | None = None,
        once: IdempotencyKey | None = None,
        transaction: Transaction | None = None,
        for_ever: bool = False,
        redact_history: bool = False,
        released: int = 0,
    ) -> T:
        """Move `item`, which was read with `strong=True`, to the trash; or delete it for ever.

        With `redact_history` the history entry has neither the record's values nor its label. `released` is
        how many references to the record other writes of the same transaction remove.
        """
        self._refuse_stale(item, seen_version, once)
        item = self._adopted(item)
        shards = use_counts.shards_of(self, self.key_of(item))
        if use_counts.total(item, shards) > released:
            raise InUse(current=item)
        moment = changeset.timestamp_after(item.updated_at)
        whole = transaction or Transaction()
        whole.add(
            transactions.delete(
                self.model,
                item.raw_key(),
                # A count that rose since the record was read must not be lost in the trash.
                condition=self.unchanged_condition(item)
                & changeset.attributes_unchanged(item, *self.model.stored_names(self.model.counters)),
                refused=self._refused(item),
            ),
            *use_counts.remove((self.entity, self.key_of(item)), shards, item),
        )
        if not for_ever:
            whole.add(
                trash.put(
                    entity=self.entity,
                    key=self.key_of(item),
                    label=self.label_of(item),
                    actor=actor,
                    at=moment,
                    image=use_counts.without(item) if released or shards else item.stored,
                )
            )
        self._sync_side_items(whole, before=item, after=None)
        before = {} if redact_history else item.stored
        label = "" if redact_history else None
        whole.add(
            self.history_entry(
                item, verb=verb, actor=actor, at=moment, fields=item.stored, before=before, label=label
            )
        )
        return self._finish(item, whole, once, transaction)

    def restore(
        self,
        trash_id: str,
        *,
        actor: Actor,
        fields: Mapping[str, Any] | None = None,
        without: Collection[RecordRef] = (),
        uncounted: Collection[RecordRef] = (),
        once: IdempotencyKey | None = None,
        transaction: Transaction | None = None,
    ) -> T:
        """Put a deleted record back as it was.

        If a unique value has been taken since, `AlreadyExists` names the field: ask the person for another
        value and pass it in `fields`. If records that it refers to are gone, `Missing` names the field and
        these records: pass them in `without` to leave them out, or in `uncounted` to keep them as another
        program has stored them.
        """
        trashed = trash.find(self.entity, trash_id)
        if trashed is None:
            refuse(NotFound(), once)
        moment = changeset.timestamp_after(trashed.at)
        item: T = self.model.from_raw_data(trashed.record)
        before = item.stored
        left_out = changeset.differences(item, side_items.fields_without(self, item, without))
        changed = left_out | changeset.differences(item, fields or {})
        last = changeset.timestamp_after(moment) if left_out else moment
        if changed:
            item = changeset.edited(item, changed, last)
        whole = transaction or Transaction()
        whole.add(
            transactions.put_raw(
                self.model, dict(item.stored), condition=absent(self.model), refused=self._already_exists
            ),
            trash.remove(trashed),
        )
        self._sync_side_items(whole, before=None, after=item, uncounted=uncounted)
        restored = {*item.stored, *left_out}
        whole.add(
            self.history_entry(item, verb="restore", actor=actor, at=moment, fields=restored, before={})
        )
        if left_out:
            # An entry of its own, so that the history keeps what was left out.
            lost = {name: before[name] for name in left_out}
            whole.add(
                self.history_entry(item, verb="leave_out", actor=actor, at=last, fields=left_out, before=lost)
            )
        return self._finish(item, whole, once, transaction)

    def uses_of(self, item: T) -> int:
        """How many references to the record there are."""
        return use_counts.total(item, use_counts.shards_of(self, self.key_of(item)))

    def adopted_with(self, item: T) -> Iterable[transactions.Operation]:
        """More operations of the transaction in which a record of another program is adopted.

        They follow from the whole record as it was read, counters included, and add only what is not there:
        after the transaction, and when it is adopted again, the record is asked for more. At most
        `adoption.AT_ONCE`.
        """
        return ()

    def differences(self, item: T, fields: Mapping[str, Any]) -> Changed:
        """The stored form of what these fields change; overridden where an item stores them in other ways."""
        return changeset.differences(item, fields)

    # --- How a write is put together ---------------------------------------------------------------------

    def _adopted(self, item: T) -> T:
        """A record of another program gets its guards, words and references before it is written first."""
        if not self.adopts or adoption.is_adopted(item.stored):
            return item
        return adoption.adopt(self, item, tries=1).item

    def _finish(
        self, item: T, whole: Transaction, once: IdempotencyKey | None, transaction: Transaction | None
    ) -> T:
        if once is not None:
            whole.add(once.operation())
        if transaction is None:
            whole.commit()
        return item

    def _refuse_stale(
        self,
        item: T,
        seen_version: int | None,
        once: IdempotencyKey | None,
        receipt: IdempotencyKey | None = None,
    ) -> None:
        if item.partial:
            raise ValueError(
                "A record that was read in part cannot be written: what is missing would be lost."
            )
        if seen_version is not None and seen_version != item.seen_version:
            if receipt and (answer := history.answer_of(self.entity, self.key_of(item), receipt)):
                raise answer
            # Also for a receipt: if nothing differed, or by an earlier release, it is a row.
            refuse(Conflict(current=item), once or receipt)

    def _update_operation(
        self, before: T, after: T, receipt: IdempotencyKey | None = None
    ) -> transactions.Operation:
        return transactions.update(
            self.model,
            before.raw_key(),
            changeset.actions(before.stored, after.stored),
            condition=self.unchanged_condition(before),
            refused=self._refused(before, receipt),
        )

    def unchanged_condition(self, item: T) -> Condition:
        """The record is stored with the version that `item` was read with."""
        # Other programs leave the version as it is, and change the time.
        names = ["version", *(["updatedAt"] if self.adopts else [])]
        condition: Condition = transactions.exists(self.model) & changeset.attributes_unchanged(item, *names)
        return condition

    def check_unchanged(self, item: T) -> transactions.Operation:
        """A check for another transaction: the record has the version that `item` was read with."""
        return transactions.check(self.model, item.raw_key(), self.unchanged_condition(item))

    def check_as_read(self, key: str, item: T | None) -> transactions.Operation:
        """A check for another transaction: the record is as it was read, or there is none."""
        return self.check_unchanged(item) if item else self.check_version(key, None)

    def check_version(self, key: str, version: int | None) -> transactions.Operation:
        """A check for another transaction: the record has this version, or there is none if it is None.

        A record of another program may have none, which counts as 0.
        """
        stored = Path(["version"])
        if version is None:
            stands: Condition = absent(self.model)
        elif version == 0:
            stands = transactions.exists(self.model) & ((stored == 0) | stored.does_not_exist())
        else:
            stands = stored == version
        return transactions.check(self.model, self.raw_key(key), stands, refused=self._version_differs)

    def _version_differs(self, stored: RawItem | None) -> Exception:
        return Conflict(current=self.model.from_raw_data(stored)) if stored else NotFound()

    def _refused(self, seen: T, receipt: IdempotencyKey | None = None) -> transactions.ErrorOf:
        def refused(stored: RawItem | None) -> Exception:
            if receipt and (answer := history.answer_of(self.entity, self.key_of(seen), receipt)):
                return answer
            if stored is None:
                return NotFound()
            current = self.model.from_raw_data(stored)
            if current.seen_version == seen.seen_version and current.refs and current.refs > 0:
                return InUse(current=current)
            return Conflict(current=current)

        return refused

    def _already_exists(self, stored: RawItem | None) -> Exception:
        return AlreadyExists(current=self.model.from_raw_data(stored) if stored else None)

    def history_entry(
        self,
        item: T,
        *,
        verb: str,
        actor: Actor,
        at: datetime,
        fields: Iterable[str],
        before: RawItem,
        entry_id: str = "",
        label: str | None = None,
        receipt: IdempotencyKey | None = None,
    ) -> transactions.Operation:
        """The history entry of a write, without keys, derived attributes, counters, times and version."""
        hidden = {
            *self.model.key_names(),
            *changeset.OWN_ATTRIBUTES,
            *self.model.stored_names([*item.derived(), *self.model.counters]),
        }
        return history.entry(
            entity=self.entity,
            key=self.key_of(item),
            scope=self.scope_of(item),
            label=self.label_of(item) if label is None else label,
            verb=verb,
            actor=actor,
            at=at,
            fields=[name for name in fields if name not in hidden],
            before={name: value for name, value in before.items() if name not in hidden},
            entry_id=entry_id,
            receipt=receipt,
        )

    def tells_creation(self, item: T, actor: Actor) -> bool:
        """Whether the record itself says that this person made it and when, so that no history entry does."""
        return False

    def _sync_side_items(
        self,
        whole: Transaction,
        *,
        before: T | None,
        after: T | None,
        once: IdempotencyKey | None = None,
        uncounted: Collection[RecordRef] = (),
    ) -> None:
        touched = side_items.sync(whole, self, before=before, after=after, once=once, uncounted=uncounted)
        touched += self.use_shards
        if after is not None:
            changeset.refuse_undeletable(after, self.key_of(after), touched)
