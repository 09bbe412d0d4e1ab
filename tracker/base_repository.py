"""The base repository of the tracker's single-table design; key prefixes tell the entities apart."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, ClassVar, TypeVar, Unpack

from core.dynamo import queries
from core.dynamo.items import RawItem, StoredModel
from core.dynamo.queries import QueryOptions
from core.dynamo.repository import Repository
from tracker.items import Row, TrackedItem

R = TypeVar("R", bound=TrackedItem)


class TrackerRepository(Repository[R]):
    scope = "tracker"
    natural_key = True
    # The projection that lists and searches read; empty means all attributes.
    list_fields: ClassVar[tuple[str, ...]] = ()

    def owns(self, raw: RawItem) -> bool:
        pk, sk = (each.partition("{")[0] for each in self.model.key_format)
        return bool(raw["PK"]["S"].startswith(pk) and raw["SK"]["S"].startswith(sk))

    def scope_of(self, item: R) -> str:
        """The search scope: records of a team are found by its members only."""
        team_id: Any = getattr(item, "team_id", None)
        return f"team:{team_id}" if team_id else self.scope

    @cached_property
    def listed_fields(self) -> tuple[str, ...]:
        return tuple(self.model.stored_names(self.list_fields))

    def key(self, *ids: str) -> str:
        """The record key, as one string, of the record with these ids."""
        return self.key_of(self.model.about(*ids))

    def of(self, *ids: str, strong: bool = False) -> R:
        return self.get(self.key(*ids), strong=strong)

    def every(self, hash_value: str, **options: Unpack[QueryOptions]) -> list[R]:
        """All records of a partition of the table or of an index, in one request per thousand."""
        return queries.every(lambda **page: self.page(hash_value, **options, **page))

    def with_ids(self, ids: Iterable[str]) -> dict[str, R]:
        """The records that exist, by id, in one request per hundred."""
        keys = {each: self.key(each) for each in ids}
        found = self.get_many(keys.values())
        return {each: found[key] for each, key in keys.items() if key in found}


def stored(items: Iterable[StoredModel], *, strong: bool = False) -> list[Any]:
    """Those of these items, which need only their keys, that are stored; one request per hundred."""
    return queries.get_many(((type(item), item.raw_key()) for item in items), strong=strong)


def in_partition(
    partition: str, models: Mapping[str, type[StoredModel]], **options: Unpack[QueryOptions]
) -> dict[type[StoredModel], list[Any]]:
    """The items of a partition by model, in one Query; `models` are by the prefix of their sort keys."""
    found: dict[type[StoredModel], list[Any]] = {model: [] for model in models.values()}
    for row in queries.every(lambda **page: queries.query_raw(Row, partition, **options, **page)):
        model = next((models[prefix] for prefix in models if row["SK"]["S"].startswith(prefix)), None)
        if model is not None:
            found[model].append(model.from_raw_data(row))
    return found
