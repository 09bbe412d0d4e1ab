"""The item of a year's settings."""

from typing import Any, Self

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from core.dynamo.items import RawItem
from scouting.models import ConfigItem

NO_LOCK = "none"


class Settings(ConfigItem):
    """The settings of a year; the item DEFAULT says which year is current."""

    entity = UnicodeAttribute(default="Config")
    year = NumberAttribute(null=True)
    # The current event; "none" for no event.
    event = UnicodeAttribute(default=NO_LOCK)
    # Whether forms can be sent for that event only.
    locked = BooleanAttribute(default=False)
    # The year of the game definition that forms use.
    game_year = NumberAttribute(attr_name="gameYear", null=True)

    @classmethod
    def from_raw_data(cls, data: RawItem) -> Self:
        """Other programs name the year in the key alone, and their event is always a lock."""
        settings = super().from_raw_data(data)
        year = data["SK"]["S"].removeprefix("YEAR#") if "SK" in data else ""
        if settings.year is None and year.isdecimal():
            settings.year = int(year)
        if "locked" not in data:
            settings.locked = settings.active_event is not None
        return settings

    @classmethod
    def of_year(cls, year: int, **fields: Any) -> "Settings":
        return cls(pk="CONFIG", sk=f"YEAR#{year}", year=year, **fields)

    @classmethod
    def default(cls, year: int) -> "Settings":
        return cls(pk="CONFIG", sk="DEFAULT", year=year)

    @property
    def active_event(self) -> str | None:
        return None if self.event in (None, "", NO_LOCK) else str(self.event)
