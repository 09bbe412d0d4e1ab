"""What the repositories of scouting share: their keys are made of what a record is about."""

from typing import ClassVar, TypeVar

from dynamo import guards
from dynamo.items import RawItem
from dynamo.repository import Repository
from scouting.models import ScoutedItem

S = TypeVar("S", bound=ScoutedItem)


class ScoutingRepository(Repository[S]):
    scope = "scouting"
    natural_key = True
    # The partition of an entity that shares its table.
    partition: ClassVar[str] = ""
    sort_key: ClassVar[str] = ""

    def owns(self, raw: RawItem) -> bool:
        return self._is_ours(raw["PK"]["S"], self.partition) and self._is_ours(raw["SK"]["S"], self.sort_key)

    def with_guarded_id(self, item_id: str) -> S | None:
        """The record that has this id, where ids are unique by a guard."""
        key = guards.owners_of(self.entity, "id", [item_id]).get(item_id)
        return self.get_many([key], strong=True).get(key) if key else None

    @staticmethod
    def _is_ours(key: str, declared: str) -> bool:
        return key.startswith(declared) if declared.endswith("#") else not declared or key == declared
