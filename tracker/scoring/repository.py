"""The repository of plate appearances."""

from collections.abc import Iterator
from typing import Unpack

from core.dynamo import adoption
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from core.dynamo.transactions import Operation
from tracker import keys
from tracker.base_repository import TrackerRepository
from tracker.roster.repository import players
from tracker.scoring.models import AtBat
from tracker.statistics.appearances import players_in


class AtBatRepository(TrackerRepository[AtBat]):
    model = AtBat
    entity = "at-bat"
    label = "result"
    adopts = True

    def adopted_with(self, item: AtBat) -> Iterator[Operation]:
        """Who has a part in it cannot be deleted from the roster."""
        if not adoption.is_adopted(item.stored):
            yield from players.counted(item.team_id, players_in(item), "at_bats")

    def of_player(self, player_id: str, **options: Unpack[PageOptions]) -> Page[AtBat]:
        """A player's plate appearances by time, across games (GSI5)."""
        return self.page(keys.of_player(player_id), index="GSI5", prefix="ATBAT#", **options)


at_bats = AtBatRepository()
