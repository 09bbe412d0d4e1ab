"""The base of every app's repository: reads by access pattern, and writes that keep all their side items."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar, Generic, NoReturn, TypeVar, Unpack, cast
from urllib.parse import quote, unquote

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from core.dynamo import changeset, history, queries, registry, search_index, side_items, transactions, trash
from core.dynamo.actors import Actor
from core.dynamo.attributes import now
from core.dynamo.errors import AlreadyExists, Conflict, DataError, InUse, NotFound
from core.dynamo.guards import Unique
from core.dynamo.idempotency import Once
from core.dynamo.items import Item, RawItem
from core.dynamo.paging import Page
from core.dynamo.queries import QueryOptions
from core.dynamo.references import Reference
from core.dynamo.registry import RecordRef
from core.dynamo.transactions import Transaction, absent

T = TypeVar("T", bound=Item)
LONGEST_LABEL = 200
# In a key that is one text, its parts are joined by |, and / parts it from what follows it.
PLAIN_IN_KEYS = "#:@ "


class Repository(Generic[T]):
    """Records of one entity. Subclasses declare what belongs to them and add their access patterns.

    Every write is one transaction: the record, its history entry, its words, its guards, its references
    and, where given, its idempotency row. Pass `transaction` to join several writes into one transaction.
    """

    model: ClassVar[type[Any]]
    entity: ClassVar[str]
    scope: ClassVar[str]
    label: ClassVar[str]
    searched: ClassVar[tuple[str, ...]] = ()
    unique: ClassVar[tuple[Unique, ...]] = ()
    references: ClassVar[tuple[Reference, ...]] = ()
    # The index that its lists are read from. It holds what rows, filters and rights need of a record, so
    # searches read no more than that either.
    list_index: ClassVar[str] = ""
    # Its keys are not random: the same key may be used again after a delete.
    natural_key: ClassVar[bool] = False

    def __init__(self) -> None:
        registry.register(self)

    # --- What a record is called -----------------------------------------------------------------------

    def key_of(self, item: T) -> str:
        """The record's key as one text: what URLs, history and references use."""
        return _key_text(value["S"] for value in item.raw_key().values())

    def raw_key(self, key: str) -> RawItem:
        names = self.model.key_names()
        parts = [unquote(part) for part in key.split("|")]
        # A record has one key; another spelling of it would have a history and references of its own.
        if len(parts) != len(names) or _key_text(parts) != key:
            raise NotFound
        return {name: {"S": part} for name, part in zip(names, parts, strict=True)}

    def scope_of(self, item: T) -> str:
        return self.scope

    def word_scope_of(self, item: T) -> str:
        """Where its words are searched: as a rule, where its activity is told."""
        return self.scope_of(item)

    def owns(self, raw: RawItem) -> bool:
        """Whether a stored item is one of ours; repositories that share a table tell by its keys."""
        return True

    @property
    def label_fields(self) -> tuple[str, ...]:
        """The attributes that `label_of` needs, for lists that read no others."""
        return (self.label,)

    @cached_property
    def listed_fields(self) -> tuple[str, ...]:
        """The stored names of what lists show and searches look at; none stand for the whole record."""
        indexes = {each["index_name"]: each for each in self.model._get_schema()["global_secondary_indexes"]}
        if self.list_index not in indexes:
            return ()
        index = indexes[self.list_index]
        keys = [key["AttributeName"] for key in index["key_schema"]]
        own = self.model.stored_names([*self.searched, *self.label_fields])
        return tuple(dict.fromkeys([*keys, *index["projection"]["NonKeyAttributes"], *own]))

    def label_of(self, item: T) -> str:
        return str(getattr(item, self.label) or "")[:LONGEST_LABEL]

    def words_of(self, item: T, *, without: Collection[str] = ()) -> list[str]:
        return search_index.indexed_words(
            _texts(item, [name for name in self.searched if name not in without])
        )

    # --- Reads ---------------------------------------------------------------------------------------------

    def get(self, key: str, *, strong: bool = False, fields: Sequence[str] = ()) -> T:
        item: T | None = queries.get(self.model, self.raw_key(key), strong=strong, fields=fields)
        if item is None:
            raise NotFound
        return item

    def get_many(
        self, keys: Iterable[str], *, strong: bool = False, fields: Sequence[str] = ()
    ) -> dict[str, T]:
        """The records that exist, by key."""
        wanted = ((self.model, self.raw_key(key)) for key in keys)
        names = self.model.stored_names(fields)
        found = cast(list[T], queries.get_many(wanted, strong=strong, fields=names))
        return {self.key_of(item): item for item in found}

    def page(
        self,
        hash_value: str,
        *,
        keep: Callable[[T], bool] | None = None,
        **options: Unpack[QueryOptions],
    ) -> Page[T]:
        """One page of the table or an index; with `keep`, of those records only that it accepts."""
        if keep is not None:
            return queries.query_where(self.model, keep, hash_value, **options)
        return queries.query(self.model, hash_value, **options)

    # --- Writes --------------------------------------------------------------------------------------------

    def create(
        self,
        item: T,
        *,
        actor: Actor,
        verb: str = "create",
        once: Once | None = None,
        transaction: Transaction | None = None,
    ) -> T:
        moment = now()
        item.created_at = item.created_at or moment
        item.updated_at = moment
        # Under a key that was used before, a form made from the record's earlier life must be stale.
        item.version = int(time.time() * 1000) if self.natural_key else 1
        created: T = changeset.complete(self.model, item.serialize())
        whole = transaction or Transaction()
        whole.add(
            transactions.put_raw(
                self.model, dict(created.stored), condition=absent(self.model), refused=self._exists
            )
        )
        self._keep_side_items(whole, before=None, after=created)
        whole.add(
            self.history_entry(created, verb=verb, actor=actor, at=moment, fields=created.stored, before={})
        )
        return self._finish(created, whole, once, transaction)

    def update(
        self,
        item: T,
        fields: Mapping[str, Any],
        *,
        actor: Actor,
        verb: str = "update",
        seen_version: int | None = None,
        once: Once | None = None,
        transaction: Transaction | None = None,
        redact_history: bool = False,
    ) -> T:
        """Write the fields that differ from `item`, which was read with `strong=True`.

        `seen_version` is the version that the person's form was made from. What `forgets` is told by the
        history without what was there before.
        """
        self._refuse_stale(item, seen_version, once)
        whole = transaction or Transaction()
        changed = changeset.differences(item, fields)
        after = item
        if changed:
            moment = changeset.later_than(item.updated_at)
            after = changeset.edited(item, changed, moment)
            whole.add(self._update_operation(item, after))
            self._keep_side_items(whole, before=item, after=after)
            before = {
                name: item.stored[name] for name in changed if name in item.stored and not redact_history
            }
            whole.add(
                self.history_entry(after, verb=verb, actor=actor, at=moment, fields=changed, before=before)
            )
        return self._finish(after, whole, once, transaction)

    def save(
        self,
        item: T,
        fields: Mapping[str, Any],
        *,
        actor: Actor,
        seen_version: int | None = None,
        once: Once | None = None,
        transaction: Transaction | None = None,
    ) -> T:
        """Update `item` if it was read, with `strong=True`; one that was never stored is created.

        Somebody who has seen a version of what is not there any more is told so, as with an update.
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
        once: Once | None = None,
        transaction: Transaction | None = None,
        for_ever: bool = False,
        redact_history: bool = False,
        released: int = 0,
    ) -> T:
        """Move `item`, which was read with `strong=True`, to the trash; or delete it for ever.

        What `forgets` is told by the history without what the record was, or how it was called. `released`
        is how many references to it other writes within the same transaction take away.
        """
        self._refuse_stale(item, seen_version, once)
        if item.refs and item.refs > released:
            raise InUse(current=item)
        moment = changeset.later_than(item.updated_at)
        whole = transaction or Transaction()
        whole.add(
            transactions.delete(
                self.model,
                item.raw_key(),
                # A count that rose since the record was read must not be lost in the trash.
                condition=self.unchanged_condition(item)
                & changeset.as_stored(item, *self.model.stored_names(self.model.counters)),
                refused=self._refused(item),
            )
        )
        if not for_ever:
            whole.add(
                trash.put(
                    entity=self.entity,
                    key=self.key_of(item),
                    label=self.label_of(item),
                    actor=actor,
                    at=moment,
                    image=_unused(item) if released else item.stored,
                )
            )
        self._keep_side_items(whole, before=item, after=None)
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
        once: Once | None = None,
        transaction: Transaction | None = None,
    ) -> T:
        """Put a deleted record back as it was.

        Where a unique value was taken meanwhile, `AlreadyExists` names the field: ask the person for
        another value and pass it in `fields`. Where something that it refers to is gone, `Missing` names
        the field and all that is gone: pass that in `without` to leave it out.
        """
        trashed = trash.find(self.entity, trash_id)
        if trashed is None:
            self._refuse(NotFound(), once)
        moment = changeset.later_than(trashed.at)
        item: T = self.model.from_raw_data(trashed.record)
        before = item.stored
        left_out = changeset.differences(item, side_items.left_out(self, item, without))
        changed = left_out | changeset.differences(item, fields or {})
        last = changeset.later_than(moment) if left_out else moment
        if changed:
            item = changeset.edited(item, changed, last)
        whole = transaction or Transaction()
        whole.add(
            transactions.put_raw(
                self.model, dict(item.stored), condition=absent(self.model), refused=self._exists
            ),
            trash.remove(trashed),
        )
        self._keep_side_items(whole, before=None, after=item)
        restored = {*item.stored, *left_out}
        whole.add(
            self.history_entry(item, verb="restore", actor=actor, at=moment, fields=restored, before={})
        )
        if left_out:
            # On its own, so that the history tells what was left out, and keeps it.
            lost = {name: before[name] for name in left_out}
            whole.add(
                self.history_entry(item, verb="leave_out", actor=actor, at=last, fields=left_out, before=lost)
            )
        return self._finish(item, whole, once, transaction)

    # --- How a write is put together ---------------------------------------------------------------------

    def _finish(self, item: T, whole: Transaction, once: Once | None, transaction: Transaction | None) -> T:
        if once is not None:
            whole.add(once.operation())
        if transaction is None:
            whole.commit()
        return item

    def _refuse_stale(self, item: T, seen_version: int | None, once: Once | None) -> None:
        if item.partial:
            raise ValueError(
                "A record that was read in part cannot be written: what is missing would be lost."
            )
        if seen_version is not None and seen_version != item.seen_version:
            self._refuse(Conflict(current=item), once)

    def _refuse(self, error: DataError, once: Once | None) -> NoReturn:
        """A request that is sent again finds what it has done itself: then that is the answer."""
        if once is not None:
            once.check()
        raise error

    def _update_operation(self, before: T, after: T) -> transactions.Operation:
        return transactions.update(
            self.model,
            before.raw_key(),
            changeset.actions(before.stored, after.stored),
            condition=self.unchanged_condition(before),
            refused=self._refused(before),
        )

    def unchanged_condition(self, item: T) -> Condition:
        """Nobody has changed the record since it was read."""
        unchanged: Condition = transactions.exists(self.model) & changeset.as_stored(item, "version")
        return unchanged

    def check_unchanged(self, item: T) -> transactions.Operation:
        """A check that joins another write: the record is as it was read; imported ones have no version."""
        return transactions.check(self.model, item.raw_key(), self.unchanged_condition(item))

    def check_version(self, key: str, version: int) -> transactions.Operation:
        """A check that joins another write: the record has this version; 0 stands for no record."""
        stands: Condition = Path(["version"]) == version if version else absent(self.model)
        return transactions.check(self.model, self.raw_key(key), stands, refused=self._not_at)

    def _not_at(self, stored: RawItem | None) -> Exception:
        return Conflict(current=self.model.from_raw_data(stored)) if stored else NotFound()

    def _refused(self, seen: T) -> transactions.Refused:
        def refused(stored: RawItem | None) -> Exception:
            if stored is None:
                return NotFound()
            current = self.model.from_raw_data(stored)
            if current.seen_version == seen.seen_version and current.refs and current.refs > 0:
                return InUse(current=current)
            return Conflict(current=current)

        return refused

    def _exists(self, stored: RawItem | None) -> Exception:
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
    ) -> transactions.Operation:
        """The history entry of something that was done to a record, without what nobody decided."""
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
        )

    def _keep_side_items(self, whole: Transaction, *, before: T | None, after: T | None) -> None:
        kept = side_items.keep(whole, self, before=before, after=after)
        if after is not None:
            changeset.refuse_undeletable(after, self.key_of(after), kept)


def _unused(item: Item) -> RawItem:
    """Whoever used it no longer does when it comes back."""
    counted = type(item).refs.attr_name
    return {name: value for name, value in item.stored.items() if name != counted}


def _key_text(parts: Iterable[str]) -> str:
    return "|".join(quote(part, safe=PLAIN_IN_KEYS, errors="surrogatepass") for part in parts)


def _texts(item: Item, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        value = getattr(item, name)
        if isinstance(value, str):
            yield value
        elif value:
            yield from (part for part in value if isinstance(part, str))
