"""The repositories by entity.

Repositories register themselves when they are made, at the import of their module; `DynamoConfig.ready`
imports the repository modules of all apps.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from core.dynamo import queries
from core.dynamo.items import Item, target_of
from core.dynamo.queries import Fields

if TYPE_CHECKING:
    from core.dynamo.repository import Repository

RecordRef = tuple[str, str]

_repositories: dict[str, "Repository[Any]"] = {}


def register(repository: "Repository[Any]") -> None:
    _repositories[repository.entity] = repository


def is_known(entity: str) -> bool:
    return entity in _repositories


def repository_for(entity: str) -> "Repository[Any]":
    return _repositories[entity]


def repositories() -> Iterator["Repository[Any]"]:
    yield from _repositories.values()


def records_at(
    refs: Iterable[RecordRef], *, strong: bool = False, fields: Fields = ()
) -> dict[RecordRef, Item]:
    """The records that exist, of any tables, by entity and key; one BatchGet per hundred."""
    wanted = {}
    pairs = []
    for entity, key in refs:
        repository = repository_for(entity)
        model, raw_key = repository.model, repository.raw_key(key)
        wanted[target_of(model.Meta.table_name, raw_key)] = (entity, key)
        pairs.append((model, raw_key))
    found = queries.get_by_target(pairs, strong=strong, fields=fields)
    return {wanted[target]: item for target, item in found.items() if isinstance(item, Item)}


def listed_fields(entities: Iterable[str]) -> dict[str, list[str]]:
    """`fields` to read for lists of these entities, by table; tables read whole are left out."""
    fields: dict[str, list[str]] = {}
    whole: set[str] = set()
    for repository in map(repository_for, entities):
        name, listed = repository.model.Meta.table_name, repository.listed_fields
        fields.setdefault(name, []).extend(listed)
        if not listed:
            whole.add(name)
    return {name: names for name, names in fields.items() if name not in whole}
