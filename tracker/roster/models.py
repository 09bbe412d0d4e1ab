"""The model of a team's players."""

from typing import Any

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from core.dynamo.attributes import JSONListAttribute, TimestampAttribute
from core.dynamo.items import Item, new_id
from tracker import keys
from tracker.items import ACTIVE, TrackedItem

SUB = "sub"
DOUBLE_ZERO = "00"


def jersey_number(number: float | None, is_double_zero: bool | None) -> str:
    """The number as printed on the jersey: 7, 0 or 00; empty without one."""
    if number is None:
        return ""
    return DOUBLE_ZERO if is_double_zero and not number else str(int(number))


class Player(TrackedItem):
    """A player on a roster, linked to a person, or a ghost: a player without an account."""

    key_format = "TEAM#{team_id}", "PLAYER#{id}"

    id = UnicodeAttribute(attr_name="playerId", default_for_new=new_id)
    team_id = UnicodeAttribute(attr_name="teamId")
    first_name = UnicodeAttribute(attr_name="firstName")
    last_name = UnicodeAttribute(attr_name="lastName", null=True)
    number = NumberAttribute(attr_name="playerNumber", null=True)
    # Whether the number 0 is 00 on the jersey, which counts as a different number.
    is_double_zero = BooleanAttribute(attr_name="isDoubleZero", null=True)
    positions = JSONListAttribute(default_for_new=list)
    status = UnicodeAttribute(default=ACTIVE)
    is_ghost = BooleanAttribute(attr_name="isGhost", default=True)
    user_id = UnicodeAttribute(attr_name="userId", null=True)
    linked_at = TimestampAttribute(attr_name="linkedAt", null=True)
    # The public live page does not show the name.
    is_private = BooleanAttribute(attr_name="isPrivate", default=False)
    # A counter of the stored plate appearances in which the player has a part.
    at_bats = NumberAttribute(attr_name="atBats", null=True)
    # A counter of the times that a line-up named the player. Never decremented, because a game in the trash
    # still names them.
    line_ups = NumberAttribute(attr_name="lineUps", null=True)

    counters = (*Item.counters, "at_bats", "line_ups")

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name or ''}".strip()

    @property
    def jersey_number(self) -> str:
        return jersey_number(self.number, self.is_double_zero)

    @property
    def is_kept(self) -> bool:
        """Whether games name the player, who then cannot be deleted."""
        return bool(self.at_bats or self.line_ups)

    @property
    def plays(self) -> bool:
        """Whether the player can be in a line-up; only then the jersey number is reserved."""
        return self.status in (ACTIVE, SUB)

    def derived(self) -> dict[str, Any]:
        linked = self.user_id is not None
        return {
            "gsi4_pk": keys.of_user(self.user_id) if linked else None,
            "gsi4_sk": self.sk if linked else None,
        }
