"""What the records of one entity are called, where they are stored, and how they are read."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar, Unpack, cast
from urllib.parse import quote, unquote

from core.dynamo import queries, search_index
from core.dynamo.errors import NotFound
from core.dynamo.guards import Unique
from core.dynamo.items import Item, RawItem
from core.dynamo.paging import Page
from core.dynamo.queries import QueryOptions
from core.dynamo.references import Reference

T = TypeVar("T", bound=Item)
LONGEST_LABEL = 200
# Not percent-encoded in a key. Its parts are joined by |, and what follows the key by /, so these two are.
PLAIN_IN_KEYS = "#:@ "


class RecordType(Generic[T]):
    """The declaration of one entity, and its reads; `Repository` adds the writes."""

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
    # In how many items the references to a record are counted; 0: on the record itself, on which all that
    # begin or end to refer to it at the same moment then meet.
    use_shards: ClassVar[int] = 0
    # Its keys are not random: the same key may be used again after a delete.
    natural_key: ClassVar[bool] = False
    # Other programs write such records as well, which lack what we add: see `core.dynamo.adoption`.
    adopts: ClassVar[bool] = False

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
        """The scope whose searches find the record; by default the one whose activity lists it."""
        return self.scope_of(item)

    def owns(self, raw: RawItem) -> bool:
        """Whether a stored item is of this entity; overridden where several entities share a table."""
        return True

    @property
    def label_fields(self) -> tuple[str, ...]:
        """The attributes that `label_of` needs, for lists that read no others."""
        return (self.label,)

    @cached_property
    def listed_columns(self) -> tuple[str, ...]:
        """The stored names of what `list_index` has besides the key; empty if lists read whole records."""
        indexes = {each["index_name"]: each for each in self.model._get_schema()["global_secondary_indexes"]}
        if self.list_index not in indexes:
            return ()
        index = indexes[self.list_index]
        keys = [key["AttributeName"] for key in index["key_schema"]]
        return tuple(dict.fromkeys([*keys, *index["projection"]["NonKeyAttributes"]]))

    @cached_property
    def listed_fields(self) -> tuple[str, ...]:
        """The stored names of what lists and searches read; empty if they read whole records."""
        if not self.listed_columns:
            return ()
        own = self.model.stored_names([*self.searched, *self.label_fields])
        return tuple(dict.fromkeys([*self.listed_columns, *own]))

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

    def reread(self, page: Page[T], *, strong: bool = False, fields: Sequence[str] = ()) -> Page[T]:
        """The records of a page of an index as the table has them: one request more per hundred."""
        listed = [self.key_of(item) for item in page.items]
        found = self.get_many(listed, strong=strong, fields=fields)
        return Page([found[key] for key in listed if key in found], page.next_key)

    def page(
        self,
        hash_value: str,
        *,
        keep: Callable[[T], bool] | None = None,
        **options: Unpack[QueryOptions],
    ) -> Page[T]:
        """One page of the table or an index; with `keep`, only of the records that it accepts."""
        if keep is not None:
            return queries.query_where(self.model, keep, hash_value, **options)
        return queries.query(self.model, hash_value, **options)


def _key_text(parts: Iterable[str]) -> str:
    return "|".join(quote(part, safe=PLAIN_IN_KEYS, errors="surrogatepass") for part in parts)


def _texts(item: Item, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        value = getattr(item, name)
        if isinstance(value, str):
            yield value
        elif value:
            yield from (part for part in value if isinstance(part, str))
