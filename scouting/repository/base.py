"""What the repositories of scouting share: their keys are made of what a record is about."""

from typing import ClassVar, TypeVar

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

    @staticmethod
    def _is_ours(key: str, declared: str) -> bool:
        return key.startswith(declared) if declared.endswith("#") else not declared or key == declared
