"""Settings by year, and game definitions that leads have changed."""

from operator import attrgetter

from core.dynamo.queries import every
from scouting.models import Settings, StoredGame
from scouting.repository.base import ScoutingRepository
from scouting.repository.event import of_its_event


class SettingsRepository(ScoutingRepository[Settings]):
    model = Settings
    entity = "scouting-settings"
    label = "sk"
    partition = "CONFIG"
    references = (of_its_event(attrgetter("active_event")),)

    def all(self) -> list[Settings]:
        """Of every year, and which one it is, as it is now: it is kept, or edited."""
        return every(lambda **options: self.page("CONFIG", strong=True, **options))


class StoredGameRepository(ScoutingRepository[StoredGame]):
    model = StoredGame
    entity = "game"
    label = "name"
    partition = "GAME"

    def all(self) -> list[StoredGame]:
        """The definitions that leads have changed, by year, as they are now."""
        return every(lambda **options: self.page("GAME", strong=True, **options))


settings = SettingsRepository()
stored_games = StoredGameRepository()
