"""What the repositories of the tracker share: one table, told apart by its keys."""

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
    # How the keys of its items begin.
    partition: ClassVar[str]
    sort_key: ClassVar[str]
    # What lists and searches read of a record; without any, all of it.
    list_fields: ClassVar[tuple[str, ...]] = ()

    def owns(self, raw: RawItem) -> bool:
        return bool(raw["PK"]["S"].startswith(self.partition) and raw["SK"]["S"].startswith(self.sort_key))

    def scope_of(self, item: R) -> str:
        """What belongs to a team is found by its members only."""
        team_id: Any = getattr(item, "team_id", None)
        return f"team:{team_id}" if team_id else self.scope

    @cached_property
    def listed_fields(self) -> tuple[str, ...]:
        return tuple(self.model.stored_names(self.list_fields))

    def at(self, partition: str, sort_key: str = keys.METADATA) -> str:
        """The key, as one text, of the item there."""
        return self.key_of(self.model(pk=partition, sk=sort_key))
