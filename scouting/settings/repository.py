"""The repository of settings by year."""

from operator import attrgetter

from core.dynamo.queries import every
from scouting.events.repository import AtEventRepository, of_its_event
from scouting.settings.models import Settings


class SettingsRepository(AtEventRepository[Settings]):
    model = Settings
    entity = "scouting-settings"
    label = "sk"
    partition = "CONFIG"
    references = (of_its_event(attrgetter("active_event")),)

    def all(self) -> list[Settings]:
        """The settings of every year and DEFAULT; a consistent read, as the result is cached or edited."""
        return every(lambda **options: self.page("CONFIG", strong=True, **options))


stored_settings = SettingsRepository()
