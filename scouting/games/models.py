"""The item of a game definition that leads have changed."""

from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from core.dynamo.attributes import JSONMapAttribute
from scouting.models import ConfigItem


class StoredGame(ConfigItem):
    """A game definition changed by leads; unchanged ones are only files in `scouting/games/`."""

    entity = UnicodeAttribute(default="Game")
    year = NumberAttribute()
    name = UnicodeAttribute()
    definition = JSONMapAttribute()

    @classmethod
    def of_year(cls, year: int, **fields: Any) -> "StoredGame":
        return cls(pk="GAME", sk=f"YEAR#{year}", year=year, **fields)
