"""The repository of plate appearances."""

from typing import Unpack

from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions
from tracker import keys
from tracker.base_repository import TrackerRepository
from tracker.scoring.models import AtBat


class AtBatRepository(TrackerRepository[AtBat]):
    model = AtBat
    entity = "at-bat"
    label = "result"

    def of_player(self, player_id: str, **options: Unpack[PageOptions]) -> Page[AtBat]:
        """A player's plate appearances by time, across games (GSI5)."""
        return self.page(keys.of_player(player_id), index="GSI5", prefix="ATBAT#", **options)


at_bats = AtBatRepository()
