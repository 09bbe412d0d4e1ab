"""The item of a year's settings."""

from typing import Any

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from scouting.models import ConfigItem

NO_LOCK = "none"


class Settings(ConfigItem):
    """The settings of a year; the item DEFAULT says which year is current."""

    entity = UnicodeAttribute(default="Config")
    year = NumberAttribute()
    # The current event; "none" for no event.
    event = UnicodeAttribute(default=NO_LOCK)
    # Whether forms can be sent for that event only.
    locked = BooleanAttribute(default=False)
    # The year of the game definition that forms use.
    game_year = NumberAttribute(attr_name="gameYear", null=True)

    @classmethod
    def of_year(cls, year: int, **fields: Any) -> "Settings":
        return cls(pk="CONFIG", sk=f"YEAR#{year}", year=year, **fields)

    @classmethod
    def default(cls, year: int) -> "Settings":
        return cls(pk="CONFIG", sk="DEFAULT", year=year)

    @property
    def active_event(self) -> str | None:
        return None if self.event in (None, "", NO_LOCK) else str(self.event)
