"""The base of every app's repository: reads by access pattern, and writes that keep all their side items."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import reduce
from operator import and_
from typing import Any, ClassVar, Generic, TypeVar, cast
from urllib.parse import quote, unquote

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.expressions.update import Action

from dynamo import beside, copies, history, queries, transactions, trash, words
from dynamo.actors import Actor
from dynamo.attributes import now
from dynamo.errors import AlreadyExists, Conflict, InUse, NotFound, TooLarge
from dynamo.guards import Unique
from dynamo.idempotency import Once
from dynamo.items import AttributeValue, Item, RawItem, same, size_of
from dynamo.paging import DEFAULT_LIMIT, Page, StartKey
from dynamo.references import Reference
from dynamo.transactions import LARGEST_ITEM, Transaction, absent

T = TypeVar("T", bound=Item)
LONGEST_LABEL = 200
# Written by the repository itself, so never a change that a person made.
OWN_ATTRIBUTES = {"createdAt", "updatedAt", "version"}


class Repository(Generic[T]):
    """Records of one entity. Subclasses declare what belongs to them and add their access patterns.

    Every write is one transaction: the record, its history entry, its words, its guards, its references
    and, where given, its idempotency row. Pass `within` to join several writes into one transaction.
    """

    model: ClassVar[type[Any]]
    entity: ClassVar[str]
    scope: ClassVar[str]
    label: ClassVar[str]
    searched: ClassVar[tuple[str, ...]] = ()
    unique: ClassVar[tuple[Unique, ...]] = ()
    references: ClassVar[tuple[Reference, ...]] = ()

    def __init__(self) -> None:
        beside.register(self)

    # --- What a record is called -----------------------------------------------------------------------

    def key_of(self, item: T) -> str:
        """The record's key as one text: what URLs, history and references use."""
        return "|".join(quote(value["S"], safe="#:@ ") for value in item.raw_key().values())

    def raw_key(self, key: str) -> RawItem:
        names = self.model.key_names()
        parts = [unquote(part) for part in key.split("|")]
        if len(parts) != len(names):
            raise NotFound
        return {name: {"S": part} for name, part in zip(names, parts, strict=True)}

    def scope_of(self, item: T) -> str:
        return self.scope

    def owns(self, raw: RawItem) -> bool:
        """Whether a stored item is one of ours; repositories that share a table tell by its keys."""
        return True

    def label_of(self, item: T) -> str:
        return str(getattr(item, self.label) or "")[:LONGEST_LABEL]

    def words_of(self, item: T) -> list[str]:
        return words.words_in(_texts(item, self.searched))

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
        names = _stored_names(self.model, fields)
        found = cast(list[T], queries.get_many(wanted, strong=strong, fields=names))
        return {self.key_of(item): item for item in found}

    def page(
        self,
        hash_value: str,
        *,
        index: str | None = None,
        prefix: str | None = None,
        at_least: str | None = None,
        at_most: str | None = None,
        newest_first: bool = False,
        limit: int = DEFAULT_LIMIT,
        start: StartKey | None = None,
        fields: Sequence[str] = (),
        strong: bool = False,
    ) -> Page[T]:
        """One page of the table or an index."""
        return queries.query(
            self.model,
            hash_value,
            index=index,
            prefix=prefix,
            at_least=at_least,
            at_most=at_most,
            newest_first=newest_first,
            limit=limit,
            start=start,
            fields=fields,
            strong=strong,
        )

    # --- Writes --------------------------------------------------------------------------------------------

    def create(
        self,
        item: T,
        *,
        actor: Actor,
        verb: str = "create",
        once: Once | None = None,
        within: Transaction | None = None,
    ) -> T:
        moment = now()
        item.created_at = item.created_at or moment
        item.updated_at = moment
        item.version = 1
        for name, value in item.derived().items():
            setattr(item, name, value)
        item.stored = item.serialize()
        transaction = within or Transaction()
        transaction.add(
            transactions.put_raw(
                self.model, dict(item.stored), condition=absent(self.model), refused=self._exists
            )
        )
        beside.keep(transaction, self, before=None, after=item)
        self._remember(transaction, item, verb=verb, actor=actor, at=moment, fields=item.stored, before={})
        return self._finish(item, transaction, once, within)

    def update(
        self,
        item: T,
        changes: Mapping[str, Any],
        *,
        actor: Actor,
        verb: str = "update",
        seen_version: int | None = None,
        applied_copy: int | None = None,
        once: Once | None = None,
        within: Transaction | None = None,
    ) -> T:
        """Write the fields that differ from `item`, which was read with `strong=True`.

        `seen_version` is the version that the person's form was made from; `applied_copy` the version of
        the working copy that this write applies and so removes.
        """
        if seen_version is not None and seen_version != item.seen_version:
            raise Conflict(current=item)
        transaction = within or Transaction()
        if applied_copy is not None:
            transaction.add(copies.discard(self.entity, self.key_of(item), applied_copy))
        changed = self._changed(item, changes)
        after = item
        if changed:
            moment = _after(item.updated_at)
            after = self._with_changes(item, changed, moment)
            transaction.add(self._update_operation(item, after))
            beside.keep(transaction, self, before=item, after=after)
            before = {name: item.stored[name] for name in changed if name in item.stored}
            self._remember(
                transaction, after, verb=verb, actor=actor, at=moment, fields=changed, before=before
            )
        return self._finish(after, transaction, once, within)

    def delete(
        self,
        item: T,
        *,
        actor: Actor,
        verb: str = "delete",
        seen_version: int | None = None,
        once: Once | None = None,
        within: Transaction | None = None,
    ) -> T:
        """Move `item`, which was read with `strong=True`, to the trash."""
        if seen_version is not None and seen_version != item.seen_version:
            raise Conflict(current=item)
        if item.refs:
            raise InUse(current=item)
        moment = _after(item.updated_at)
        transaction = within or Transaction()
        transaction.add(
            transactions.delete(
                self.model,
                item.raw_key(),
                condition=self.as_seen(item) & _counters_as_seen(item),
                refused=self._refused(item),
            ),
            trash.put(
                entity=self.entity,
                key=self.key_of(item),
                label=self.label_of(item),
                actor=actor,
                at=moment,
                image=item.stored,
            ),
        )
        beside.keep(transaction, self, before=item, after=None)
        self._remember(
            transaction, item, verb=verb, actor=actor, at=moment, fields=item.stored, before=item.stored
        )
        return self._finish(item, transaction, once, within)

    def restore(
        self,
        trash_id: str,
        *,
        actor: Actor,
        changes: Mapping[str, Any] | None = None,
        once: Once | None = None,
        within: Transaction | None = None,
    ) -> T:
        """Put a deleted record back as it was.

        Where a unique value was taken meanwhile, `AlreadyExists` names the field: ask the person for
        another value and pass it in `changes`.
        """
        trashed = trash.find(self.entity, trash_id)
        if trashed is None:
            raise NotFound
        moment = _after(trashed.at)
        item: T = self.model.from_raw_data(trashed.record)
        changed = self._changed(item, changes or {})
        if changed:
            item = self._with_changes(item, changed, moment)
        transaction = within or Transaction()
        transaction.add(
            transactions.put_raw(
                self.model, dict(item.stored), condition=absent(self.model), refused=self._exists
            ),
            trash.remove(trashed),
        )
        beside.keep(transaction, self, before=None, after=item)
        self._remember(
            transaction, item, verb="restore", actor=actor, at=moment, fields=item.stored, before={}
        )
        return self._finish(item, transaction, once, within)

    # --- How a write is put together ---------------------------------------------------------------------

    def _finish(self, item: T, transaction: Transaction, once: Once | None, within: Transaction | None) -> T:
        if once is not None:
            transaction.add(once.operation())
        if within is None:
            transaction.commit()
        return item

    def _changed(self, item: T, changes: Mapping[str, Any]) -> dict[str, AttributeValue | None]:
        """The stored form of each field whose value differs, None for one that is to go."""
        attributes = self.model.get_attributes()
        changed: dict[str, AttributeValue | None] = {}
        for name, value in changes.items():
            attribute_name = attributes[name].attr_name
            if name in self.model.counters or attribute_name in {*self.model.key_names(), *OWN_ATTRIBUTES}:
                raise ValueError(f"{name} is not changed by an update.")
            new = self.model.serialize_value(name, value)
            if not same(new, item.stored.get(attribute_name)):
                changed[attribute_name] = new
        return changed

    def _with_changes(self, item: T, changed: Mapping[str, AttributeValue | None], moment: datetime) -> T:
        """The record as it will be stored, with everything that follows from the changed fields."""
        raw = _apply(item.stored, changed)
        derived = self.model.from_raw_data(raw).derived()
        attributes = self.model.get_attributes()
        raw = _apply(
            raw,
            {
                attributes[name].attr_name: self.model.serialize_value(name, value)
                for name, value in derived.items()
            }
            | {
                "updatedAt": self.model.serialize_value("updated_at", moment),
                "version": {"N": str(item.seen_version + 1)},
            },
        )
        if size_of(raw) > LARGEST_ITEM:
            raise TooLarge
        after: T = self.model.from_raw_data(raw)
        return after

    def _update_operation(self, before: T, after: T) -> transactions.Operation:
        return transactions.update(
            self.model,
            before.raw_key(),
            list(_actions(before.stored, after.stored)),
            condition=self.as_seen(before),
            refused=self._refused(before),
        )

    def as_seen(self, item: T) -> Condition:
        """Nobody has changed the record since it was read."""
        unchanged: Condition = transactions.exists(self.model) & _as_stored(item, "version")
        return unchanged

    def _refused(self, seen: T) -> transactions.Refused:
        def refused(stored: RawItem | None) -> Exception:
            if stored is None:
                return NotFound()
            current = self.model.from_raw_data(stored)
            if current.seen_version == seen.seen_version and current.refs:
                return InUse(current=current)
            return Conflict(current=current)

        return refused

    def _exists(self, stored: RawItem | None) -> Exception:
        return AlreadyExists(current=self.model.from_raw_data(stored) if stored else None)

    def _remember(
        self,
        transaction: Transaction,
        item: T,
        *,
        verb: str,
        actor: Actor,
        at: datetime,
        fields: Iterable[str],
        before: RawItem,
    ) -> None:
        hidden = {*self.model.key_names(), *OWN_ATTRIBUTES, *_stored_names(self.model, item.derived())}
        transaction.add(
            history.entry(
                entity=self.entity,
                key=self.key_of(item),
                scope=self.scope_of(item),
                label=self.label_of(item),
                verb=verb,
                actor=actor,
                at=at,
                fields=[name for name in fields if name not in hidden],
                before={name: value for name, value in before.items() if name not in hidden},
            )
        )


def _after(earlier: datetime | None) -> datetime:
    """Now, but later than the change before it, even when that was made by a machine whose clock is ahead."""
    moment = now()
    return moment if earlier is None else max(moment, earlier + timedelta(milliseconds=1))


def _apply(raw: RawItem, changed: Mapping[str, AttributeValue | None]) -> RawItem:
    applied = {name: value for name, value in raw.items() if name not in changed}
    return applied | {name: value for name, value in changed.items() if value is not None}


def _actions(before: RawItem, after: RawItem) -> Iterator[Action]:
    for name in before.keys() - after.keys():
        yield Path([name]).remove()
    for name, value in after.items():
        if not same(value, before.get(name)):
            yield Path([name]).set(value)


def _counters_as_seen(item: Item) -> Condition:
    """A count that rose since the record was read must not be lost in the trash."""
    names = _stored_names(type(item), item.counters)
    return reduce(and_, (_as_stored(item, name) for name in names))


def _as_stored(item: Item, name: str) -> Condition:
    """The attribute still is what it was when the item was read."""
    seen = item.stored.get(name)
    condition: Condition = Path([name]) == seen if seen else Path([name]).does_not_exist()
    return condition


def _stored_names(model: type[Item], names: Iterable[str]) -> list[str]:
    attributes = model.get_attributes()
    return [attributes[name].attr_name for name in names]


def _texts(item: Item, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        value = getattr(item, name)
        if isinstance(value, str):
            yield value
        elif value:
            yield from (part for part in value if isinstance(part, str))
