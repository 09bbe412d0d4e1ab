"""How often a record is referred to: counted on the record itself, or in shards beside it.

Transactions that write the same item at the same moment cancel each other. What many refer to at once is
therefore counted in shards (`Repository.use_shards`): each source counts on one small item of the support
table, and its transaction does not touch the target. The number of uses is `refs` of the target plus the sum
of its shards.

A shard is stored only while its target is. The first source that needs it makes it, in a transaction that
checks that the target exists; the transaction that deletes the target removes all of them.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from pynamodb.attributes import NumberAttribute

from core.dynamo import queries, transactions
from core.dynamo.errors import Conflict, InUse
from core.dynamo.items import Item, RawItem
from core.dynamo.registry import RecordRef, repository_for
from core.dynamo.support_table import SupportItem
from core.dynamo.transactions import ErrorOf, Operation, Transaction

if TYPE_CHECKING:
    from core.dynamo.repository import Repository

USES = "uses"
# The rank of a shard: any other refusal of the same transaction says more about the write.
LAST = 2


class UseCount(SupportItem):
    """PK is the target, SK the shard."""

    uses = NumberAttribute()


# The shards of a target: those that are stored with their counts, the others with None.
Shards = Mapping[str, int | None]


def add(
    transaction: Transaction, target: RecordRef, step: int, *, source: RecordRef, refused: ErrorOf
) -> None:
    """Count a reference of the source to the target; refused by `refused` if there is no such target."""
    repository = repository_for(target[0])
    raw_key = repository.raw_key(target[1])
    if not repository.use_shards:
        transaction.count(repository.model, raw_key, "refs", step, refused=refused)
        return
    shard = _shard_of(source, repository.use_shards)
    is_target = transactions.check(
        repository.model, raw_key, transactions.exists(repository.model), refused=refused
    )

    def made(uses: int) -> tuple[Operation, ...]:
        row = UseCount(pk=partition(*target), sk=shard, uses=uses)
        return transactions.put(row, condition=transactions.absent(UseCount), rank=LAST), is_target

    transaction.count(UseCount, _raw_key(target, shard), USES, step, unless_stored=made, rank=LAST)


def shards_of(repository: "Repository[Any]", key: str) -> Shards:
    """All shards of a target, by one strong read; none if it is counted on itself."""
    if not repository.use_shards:
        return {}
    page = partial(queries.query, UseCount, partition(repository.entity, key), strong=True)
    stored = {row.sk: int(row.uses) for row in queries.every(page)}
    return {str(number): None for number in range(repository.use_shards)} | stored


def total(item: Item, shards: Shards) -> int:
    return int(item.refs or 0) + sum(uses or 0 for uses in shards.values())


def without(item: Item) -> RawItem:
    """The stored record for the trash: nobody refers to it when it comes back."""
    counted = type(item).refs.attr_name
    return {name: value for name, value in item.stored.items() if name != counted}


def remove(target: RecordRef, shards: Shards, item: Item) -> Iterator[Operation]:
    """Remove all shards with their target, also what is not stored: none may be made meanwhile."""
    for shard, uses in shards.items():
        yield transactions.delete(
            UseCount, _raw_key(target, shard), condition=_is(uses), refused=partial(_changed, uses, item)
        )


def check_unchanged(target: RecordRef, shards: Shards) -> Iterator[Operation]:
    for shard, uses in shards.items():
        yield transactions.check(UseCount, _raw_key(target, shard), _is(uses))


def partition(entity: str, key: str) -> str:
    """The partition key of the shards of a target."""
    return f"USES#{entity}#{key}"


def _is(uses: int | None) -> Any:
    return transactions.absent(UseCount) if uses is None else UseCount.uses == uses


def _changed(uses: int | None, item: Item, stored: RawItem | None) -> Exception:
    """The error for a shard that changed since the record was looked at, which is to be deleted."""
    is_more = stored is not None and int(stored[USES]["N"]) > (uses or 0)
    return InUse(current=item) if is_more else Conflict(current=item)


def _shard_of(source: RecordRef, shards: int) -> str:
    # Not a checksum: it would have few different values for keys that differ in two digits.
    digest = hashlib.sha256("#".join(source).encode("utf-8", "surrogatepass")).digest()
    return str(int.from_bytes(digest[:4], "big") % shards)


def _raw_key(target: RecordRef, shard: str) -> RawItem:
    return {"PK": {"S": partition(*target)}, "SK": {"S": shard}}
