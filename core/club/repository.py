"""The repository of the club's settings, which are one record."""

from core.club.models import CLUB, SETTINGS, ClubSettings
from core.dynamo import queries
from core.dynamo.items import RawItem
from core.dynamo.repository import Repository

KEY: RawItem = {"PK": {"S": CLUB}, "SK": {"S": SETTINGS}}


class ClubRepository(Repository[ClubSettings]):
    model = ClubSettings
    entity = "club"
    scope = "admin"
    label = "name"
    natural_key = True

    def owns(self, raw: RawItem) -> bool:
        return {name: raw[name] for name in KEY} == KEY

    def stored(self, *, strong: bool = False) -> ClubSettings:
        """The settings; those of the environment, with version 0, if nothing is stored."""
        return queries.get(ClubSettings, KEY, strong=strong) or ClubSettings.default()


club_settings = ClubRepository()
