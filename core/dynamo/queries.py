"""Reads: one item, many items, one page. Each call is one request; BatchGet repeats for unprocessed keys."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypedDict, TypeVar, Unpack

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from core.dynamo import prefetch
from core.dynamo.connection import connection, give_up
from core.dynamo.deadline import pause
from core.dynamo.items import RawItem, StoredModel, Target, bytes_of, target_of
from core.dynamo.paging import DEFAULT_LIMIT, Page, StartKey, batches
from core.dynamo.prefetch import Prefetch

LONGEST_HASH_KEY = 2048
LONGEST_RANGE_KEY = 1024
MOST_LOOKED_THROUGH = 200
# For a request that is to read a whole partition; DynamoDB also ends a page after a megabyte.
PER_REQUEST = 1000
BATCH = 100
BATCH_ATTEMPTS = 5

# The stored names of the attributes to read, for all tables or by table; without any, all are read.
Fields = Sequence[str] | Mapping[str, Sequence[str]]

M = TypeVar("M", bound=StoredModel)
T = TypeVar("T")


class QueryOptions(TypedDict, total=False):
    """The options of `query`, for functions that pass them on."""

    index: str | None
    prefix: str | None
    at_least: str | None
    at_most: str | None
    newest_first: bool
    limit: int
    start: StartKey | None
    fields: Sequence[str]
    strong: bool


class PageOptions(TypedDict, total=False):
    """The options that a list passes to an access pattern: page, order and filter.

    `fields` are the attributes to read, or all. Those that `keep` asks for have to be among them.
    """

    newest_first: bool
    limit: int
    start: StartKey | None
    fields: Sequence[str]
    keep: Callable[[Any], bool] | None


def get(model: type[M], key: RawItem, *, strong: bool = False, fields: Sequence[str] = ()) -> M | None:
    if not sendable(key):
        return None
    prefetched = prefetch.current() if strong and not fields else None
    if prefetched is not None and prefetched.expected:
        raw = _get_with_expected(prefetched, model, key)
    elif prefetched is not None and (target := target_of(model.Meta.table_name, key)) in prefetched.found:
        raw = prefetched.found.pop(target)
    else:
        request: dict[str, Any] = {"TableName": model.Meta.table_name, "Key": key, "ConsistentRead": strong}
        if fields:
            _project(model.stored_names(fields), request)
        raw = connection().dispatch("GetItem", request).get("Item")
    if not raw:
        return None
    item = model.from_raw_data(raw)
    item.partial = bool(fields)
    return item


def _get_with_expected(prefetched: Prefetch, model: type[StoredModel], key: RawItem) -> RawItem | None:
    """One item, and by the same BatchGet the expected ones, which are kept for their own `get`."""
    wanted = [(model, key), *prefetched.expected]
    prefetched.expected = []
    found: dict[Target, RawItem | None] = {
        target_of(each.Meta.table_name, each_key): None for each, each_key in wanted if sendable(each_key)
    }
    found.update({each: raw for each, _model, raw in _found(wanted, strong=True, fields=())})
    prefetched.found = found
    return prefetched.found.pop(target_of(model.Meta.table_name, key))


def query(model: type[M], hash_value: str, **options: Unpack[QueryOptions]) -> Page[M]:
    """One page of a partition, by prefix or range of the sort key. Exactly one request."""
    page = query_raw(model, hash_value, **options)
    items = [model.from_raw_data(raw) for raw in page.items]
    if options.get("fields") or not _projects_all(model, options.get("index")):
        _mark_partial(items)
    return Page(items=items, next_key=page.next_key)


def query_raw(
    model: type[StoredModel],
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
) -> Page[RawItem]:
    """Like `query`, with raw items instead of model objects."""
    if not _can_exist(hash_value, at_least, at_most):
        return Page(items=[])
    table = model._get_connection()
    names = [*_key_attributes(model, index), *model.stored_names(fields)] if fields else []
    answer = table.query(
        hash_value,
        range_key_condition=_range(model, index, prefix, at_least, at_most),
        index_name=index,
        attributes_to_get=list(dict.fromkeys(names)) or None,
        consistent_read=strong,
        exclusive_start_key=start,
        scan_index_forward=not newest_first,
        limit=max(1, limit),
    )
    return Page(items=answer["Items"], next_key=answer.get("LastEvaluatedKey"))


def query_where(
    model: type[M],
    keep: Callable[[M], bool],
    hash_value: str,
    *,
    index: str | None = None,
    limit: int = DEFAULT_LIMIT,
    **options: Any,
) -> Page[M]:
    """A page of the items that `keep` accepts, for a filter that no index serves.

    Still one request: it reads at most 200 items, so a page may have few or none and yet a next one.
    """
    looked_through = query(model, hash_value, index=index, limit=MOST_LOOKED_THROUGH, **options)
    kept: list[M] = []
    for number, item in enumerate(looked_through.items, start=1):
        if keep(item):
            kept.append(item)
        if len(kept) == limit and number < len(looked_through.items):
            return Page(
                items=kept, next_key={name: item.stored[name] for name in _key_attributes(model, index)}
            )
    return Page(items=kept, next_key=looked_through.next_key)


def read_all(read: Callable[..., Page[T]], *, limit: int) -> Iterator[T]:
    """The records of all pages of an access pattern; the next page is read when it is needed."""
    page = read(limit=limit)
    yield from page.items
    while page.next_key is not None:
        page = read(limit=limit, start=page.next_key)
        yield from page.items


def every(read: Callable[..., Page[T]], *, per_request: int | None = None) -> list[T]:
    """All pages of an access pattern; a screen reads only what has few records: one request per thousand."""
    return list(read_all(read, limit=per_request or PER_REQUEST))


def both(one: Callable[[M], bool], other: Callable[[M], bool] | None) -> Callable[[M], bool]:
    """A `keep` that asks both: the filter of an access pattern, and the one that a list passes, if any."""
    return one if other is None else lambda item: one(item) and other(item)


def get_many(
    wanted: Iterable[tuple[type[StoredModel], RawItem]],
    *,
    strong: bool = False,
    fields: Fields = (),
) -> list[StoredModel]:
    """The items that exist among the wanted ones, of any tables, in no particular order.

    With `fields`, the keys are read too, and the items are `partial`.
    """
    return list(get_by_target(wanted, strong=strong, fields=fields).values())


def get_by_target(
    wanted: Iterable[tuple[type[StoredModel], RawItem]],
    *,
    strong: bool = False,
    fields: Fields = (),
) -> dict[Target, StoredModel]:
    """Like `get_many`, by the target of each item."""
    found = {
        target: model.from_raw_data(raw)
        for target, model, raw in _found(wanted, strong=strong, fields=fields)
    }
    _mark_partial(item for item in found.values() if _fields_of(item.Meta.table_name, fields))
    return found


def get_many_raw(
    wanted: Iterable[tuple[type[StoredModel], RawItem]],
    *,
    strong: bool = False,
    fields: Fields = (),
) -> Iterator[tuple[type[StoredModel], RawItem]]:
    """Like `get_many`, with raw items, each with its model."""
    return ((model, raw) for _target, model, raw in _found(wanted, strong=strong, fields=fields))


def _found(
    wanted: Iterable[tuple[type[StoredModel], RawItem]], *, strong: bool, fields: Fields
) -> Iterator[tuple[Target, type[StoredModel], RawItem]]:
    pairs = {target_of(model.Meta.table_name, key): (model, key) for model, key in wanted if sendable(key)}
    key_names = {model.Meta.table_name: model.key_names() for model, _key in pairs.values()}
    if strong and not fields and (prefetched := prefetch.current()) is not None:
        for target in pairs.keys() & prefetched.found.keys():
            model, _key = pairs.pop(target)
            if (raw := prefetched.found.pop(target)) is not None:
                yield target, model, raw
    for batch in batches(pairs.values(), BATCH):
        for table_name, raw in _get_batch(batch, strong=strong, fields=fields):
            target = target_of(table_name, {name: raw[name] for name in key_names[table_name]})
            yield target, pairs[target][0], raw


def _get_batch(
    batch: Sequence[tuple[type[StoredModel], RawItem]], *, strong: bool, fields: Fields
) -> Iterator[tuple[str, RawItem]]:
    """The raw items of at most a hundred keys, each with its table; repeated for unprocessed keys."""
    request: dict[str, Any] = {}
    for model, key in batch:
        name = model.Meta.table_name
        if name not in request:
            request[name] = {"Keys": [], "ConsistentRead": strong}
            if names := _fields_of(name, fields):
                _project([*model.key_names(), *names], request[name])
        request[name]["Keys"].append(key)
    for attempt in range(BATCH_ATTEMPTS):
        answer = connection().dispatch("BatchGetItem", {"RequestItems": request})
        for table_name, rows in answer.get("Responses", {}).items():
            yield from ((table_name, raw) for raw in rows)
        request = answer.get("UnprocessedKeys") or {}
        if not request:
            return
        pause(attempt)
    raise give_up()


def _fields_of(table_name: str, fields: Fields) -> Sequence[str]:
    return fields.get(table_name, ()) if isinstance(fields, Mapping) else fields


def sendable(key: RawItem) -> bool:
    """Whether an item can have this key: DynamoDB answers with an error if it is empty or too long."""
    longest = (LONGEST_HASH_KEY, LONGEST_RANGE_KEY)
    texts = (value.get("S", "x") for value in key.values())
    return all(0 < bytes_of(text) <= most for text, most in zip(texts, longest, strict=False))


def _can_exist(hash_value: str, at_least: str | None, at_most: str | None) -> bool:
    """Whether DynamoDB accepts this partition and range; for others the page is empty."""
    if not 0 < bytes_of(hash_value) <= LONGEST_HASH_KEY:
        return False
    return at_least is None or at_most is None or at_least <= at_most


def _key_attributes(model: type[StoredModel], index: str | None) -> list[str]:
    """The attributes of a start key: the keys of the table, and of the index."""
    names: list[str] = model._get_connection().get_meta_table().get_key_names(index)
    return names


def _projects_all(model: type[StoredModel], index: str | None) -> bool:
    return index is None or model._indexes[index].Meta.projection.projection_type == "ALL"


def _mark_partial(items: Iterable[StoredModel]) -> None:
    for item in items:
        item.partial = True


def _range(
    model: type[StoredModel], index: str | None, prefix: str | None, at_least: str | None, at_most: str | None
) -> Condition | None:
    if prefix is None and at_least is None and at_most is None:
        return None
    meta = model._get_connection().get_meta_table()
    path = Path([str(meta.get_index_range_keyname(index) if index else meta.range_keyname)])
    if prefix is not None:
        return path.startswith(prefix) if prefix else None
    if at_least is not None and at_most is not None:
        return path.between(at_least, at_most)
    return path >= at_least if at_least is not None else path <= at_most


def _project(names: Iterable[str], request: dict[str, Any]) -> None:
    placeholders = {f"#{number}": name for number, name in enumerate(dict.fromkeys(names))}
    request["ProjectionExpression"] = ", ".join(placeholders)
    request["ExpressionAttributeNames"] = placeholders
