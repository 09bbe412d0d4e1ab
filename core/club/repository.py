"""The repository of the club's settings, which are one record."""

from core.club.models import CLUB, LOGO, SETTINGS, ClubSettings, StoredLogo
from core.dynamo import queries, transactions
from core.dynamo.items import RawItem
from core.dynamo.repository import Repository
from core.dynamo.transactions import Operation

KEY: RawItem = {"PK": {"S": CLUB}, "SK": {"S": SETTINGS}}


def put_logo(name: str, data: bytes) -> Operation:
    """A logo has the name of its contents, so the same one may be there already."""
    return transactions.put(StoredLogo(pk=CLUB, sk=LOGO + name, data=data))


def logo(name: str) -> bytes | None:
    found = queries.get(StoredLogo, {"PK": {"S": CLUB}, "SK": {"S": LOGO + name}})
    return found.data if found else None


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
