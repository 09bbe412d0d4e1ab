"""The base repository of the tracker's single-table design; key prefixes tell the entities apart."""

from functools import cached_property
from typing import Any, ClassVar, TypeVar

from core.dynamo.items import RawItem
from core.dynamo.repository import Repository
from tracker import keys
from tracker.items import TrackedItem

R = TypeVar("R", bound=TrackedItem)


class TrackerRepository(Repository[R]):
    scope = "tracker"
    natural_key = True
    # The prefixes of PK and SK of the entity's items.
    partition: ClassVar[str]
    sort_key: ClassVar[str]
    # The projection that lists and searches read; empty means all attributes.
    list_fields: ClassVar[tuple[str, ...]] = ()

    def owns(self, raw: RawItem) -> bool:
        return bool(raw["PK"]["S"].startswith(self.partition) and raw["SK"]["S"].startswith(self.sort_key))

    def scope_of(self, item: R) -> str:
        """The search scope: records of a team are found by its members only."""
        team_id: Any = getattr(item, "team_id", None)
        return f"team:{team_id}" if team_id else self.scope

    @cached_property
    def listed_fields(self) -> tuple[str, ...]:
        return tuple(self.model.stored_names(self.list_fields))

    def at(self, partition: str, sort_key: str = keys.METADATA) -> str:
        """The record key, as one string, of the item with these PK and SK."""
        return self.key_of(self.model(pk=partition, sk=sort_key))
