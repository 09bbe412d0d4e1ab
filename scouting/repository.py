"""The base repository of scouting: records have natural keys."""

from typing import ClassVar, TypeVar

from core.dynamo import guards
from core.dynamo.errors import NotFound
from core.dynamo.items import RawItem
from core.dynamo.repository import Repository
from scouting.models import ScoutedItem

S = TypeVar("S", bound=ScoutedItem)


class ScoutingRepository(Repository[S]):
    scope = "scouting"
    natural_key = True
    # The partition key of an entity in a shared table, or a prefix that ends with #.
    partition: ClassVar[str] = ""
    sort_key: ClassVar[str] = ""

    def owns(self, raw: RawItem) -> bool:
        return self._is_ours(raw["PK"]["S"], self.partition) and self._is_ours(raw["SK"]["S"], self.sort_key)

    def find(self, item: S, *, strong: bool = False) -> S | None:
        """The record that is stored under the key of this item, or None."""
        try:
            return self.get(self.key_of(item), strong=strong)
        except NotFound:
            return None

    def in_the_way(self, item: S) -> S | None:
        """The stored record that holds a unique value of this item, or None."""
        for unique in self.unique:
            owners = guards.owners_of(self.entity, unique.field, unique.values_of(item))
            for found in self.get_many(owners.values(), strong=True).values():
                return found
        return None

    @staticmethod
    def _is_ours(key: str, declared: str) -> bool:
        return key.startswith(declared) if declared.endswith("#") else not declared or key == declared
