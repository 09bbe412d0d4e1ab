"""The settings of a year."""

from typing import Any

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from scouting.models import ConfigItem

NO_LOCK = "none"


class Settings(ConfigItem):
    """What holds for a year; DEFAULT says which year it is."""

    entity = UnicodeAttribute(default="Config")
    year = NumberAttribute()
    # The event at which we are; "none" for no event.
    event = UnicodeAttribute(default=NO_LOCK)
    # Whether forms can be sent for that event only.
    locked = BooleanAttribute(default=False)
    # Whose game definition the forms follow.
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
