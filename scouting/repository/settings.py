"""Settings by year, and game definitions that leads have changed."""

from scouting.models import Settings, StoredGame
from scouting.repository.base import ScoutingRepository


class SettingsRepository(ScoutingRepository[Settings]):
    model = Settings
    entity = "scouting-settings"
    label = "sk"
    partition = "CONFIG"


class StoredGameRepository(ScoutingRepository[StoredGame]):
    model = StoredGame
    entity = "game"
    label = "name"
    partition = "GAME"


settings = SettingsRepository()
stored_games = StoredGameRepository()
