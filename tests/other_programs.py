"""A program that knows nothing of ours: it writes and reads items by the client of its own language."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.dynamo import maintenance
from core.dynamo.actors import SYSTEM
from core.dynamo.attributes import wrap
from core.dynamo.items import RawItem
from core.dynamo.repository import Repository
from core.dynamo.support_table import SupportItem

# As many as one BatchWriteItem takes.
AT_ONCE = 25


def item(values: Mapping[str, Any]) -> RawItem:
    """The item in DynamoDB's own JSON; None is stored as NULL, a set of texts as a string set."""
    return {
        name: {"SS": sorted(value)} if isinstance(value, set) else wrap(value)
        for name, value in values.items()
    }


def store(table: str, items: Iterable[Mapping[str, Any]]) -> list[RawItem]:
    raws = [item(each) for each in items]
    for first in range(0, len(raws), AT_ONCE):
        requests = [{"PutRequest": {"Item": raw}} for raw in raws[first : first + AT_ONCE]]
        maintenance.request("BatchWriteItem", RequestItems={table: requests})
    return raws


def stored(table: str, **key: str) -> RawItem | None:
    wanted = {name: {"S": value} for name, value in key.items()}
    answer = maintenance.request("GetItem", TableName=table, Key=wanted, ConsistentRead=True)
    return answer.get("Item")


def everything(table: str) -> Iterator[RawItem]:
    return maintenance.scan_items(TableName=table, ConsistentRead=True)


def query(table: str, index: str | None = None, **key: str) -> list[RawItem]:
    """The items of a partition, by the beginning of the sort key if that is given too."""
    names = list(key)
    values = {":0": {"S": key[names[0]]}}
    condition = "#0 = :0"
    if len(names) > 1:
        values[":1"] = {"S": key[names[1]]}
        condition += " AND begins_with(#1, :1)"
    request: dict[str, Any] = {
        "TableName": table,
        "KeyConditionExpression": condition,
        "ExpressionAttributeNames": {f"#{number}": name for number, name in enumerate(names)},
        "ExpressionAttributeValues": values,
    }
    if index:
        request["IndexName"] = index
    items: list[RawItem] = maintenance.request("Query", **request)["Items"]
    return items


def changed(before: RawItem, after: RawItem) -> set[str]:
    """The names of the attributes that differ."""
    return {name for name in {*before, *after} if before.get(name) != after.get(name)}


def edit_and_delete(repository: Repository[Any], written: Iterable[RawItem], **fields: Any) -> None:
    """Change and delete each of these records; each change is of these fields alone."""
    (name,) = repository.model.stored_names(fields)
    for raw in written:
        key = repository.key_of(repository.model.from_raw_data(raw))
        saved = repository.update(repository.get(key, strong=True), fields, actor=SYSTEM, seen_version=0)
        now = repository.get(key, strong=True).stored
        assert {each for each in changed(raw, now) if each in raw} <= {name, "updatedAt"}
        assert now[name] == saved.stored[name] != raw.get(name)
        repository.delete(repository.get(key, strong=True), actor=SYSTEM)


def left_behind() -> list[str]:
    """What is stored beside records; of a value that may be a receipt its owner."""
    rows = everything(SupportItem.Meta.table_name)
    beside = [row for row in rows if row["PK"]["S"].startswith(("WORD#", "REF#", "UNIQUE#"))]
    return [row["PK"]["S"] for row in beside if "owner" in row or not row["PK"]["S"].startswith("UNIQUE#")]
