"""The repository of game definitions that leads have changed."""

from core.dynamo.queries import every
from scouting.games.models import StoredGame
from scouting.repository import ScoutingRepository


class StoredGameRepository(ScoutingRepository[StoredGame]):
    model = StoredGame
    entity = "game"
    label = "name"
    partition = "GAME"

    def all(self) -> list[StoredGame]:
        """All changed definitions, by year; a consistent read."""
        return every(lambda **options: self.page("GAME", strong=True, **options))


stored_games = StoredGameRepository()
