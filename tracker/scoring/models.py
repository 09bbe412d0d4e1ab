"""Models of a game's plate appearances, and of the record that one was removed."""

from typing import Any, Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, now, to_iso
from core.dynamo.items import RawItem, new_id
from tracker import keys
from tracker.games.models import Game
from tracker.items import Row, TrackedItem
from tracker.rules.batting import EMPTY_PLACE, NOT_TURNS


class AtBat(TrackedItem):
    """One plate appearance, a play between two of them, or the end of a half-inning, as recorded.

    If it is no turn, `player_id` is the batter at that time, for whom it does not count. `inning` and `outs`
    are what the scorekeeper saw; after a correction of an earlier one they differ from those of
    `tracker.rules.replay`.
    """

    key_format = "GAME#{game_id}", "ATBAT#{id}"

    id = UnicodeAttribute(attr_name="atBatId", default_for_new=new_id)
    game_id = UnicodeAttribute(attr_name="gameId")
    team_id = UnicodeAttribute(attr_name="teamId")
    player_id = UnicodeAttribute(attr_name="playerId")
    # Orders the plate appearances of a game. An inserted one has a number between two others.
    number = NumberAttribute(attr_name="number")
    result = UnicodeAttribute()
    inning = NumberAttribute(default=1)
    outs = NumberAttribute(default=0)
    batting_order = NumberAttribute(attr_name="battingOrder", default=1)
    hit_location = JSONMapAttribute(attr_name="hitLocation", null=True)
    hit_type = UnicodeAttribute(attr_name="hitType", null=True)
    rbis = NumberAttribute(null=True)
    # Only stored if they are not the usual moves: playerId, from, to, out.
    runners = JSONListAttribute(null=True)
    # The first batter, if a substitute came in with two strikes and struck out.
    charged_to = UnicodeAttribute(attr_name="chargedTo", null=True)
    scored_by = UnicodeAttribute(attr_name="scoredBy", null=True)

    @classmethod
    def in_game(cls, game: Game, *ids: str, **fields: Any) -> Self:
        return cls.about(game.id, *ids, **{"team_id": game.team_id, "created_at": now(), **fields})

    @classmethod
    def from_raw_data(cls, data: RawItem) -> Self:
        """Those of other programs have no number: they are in the order in which they were written."""
        at_bat = super().from_raw_data(data)
        if at_bat.number is None and at_bat.created_at is not None:
            at_bat.number = at_bat.created_at.timestamp()
        return at_bat

    @property
    def is_turn(self) -> bool:
        return self.result not in NOT_TURNS

    @property
    def uses_place(self) -> bool:
        """Whether it uses the turn of its slot, so that the next one in the order follows."""
        return self.is_turn or self.result == EMPTY_PLACE

    @property
    def owner_id(self) -> str:
        """The player for whom it counts."""
        return str((self.charged_to if self.result == "K" else None) or self.player_id)

    def derived(self) -> dict[str, Any]:
        return {
            "gsi5_pk": keys.of_player(self.owner_id) if self.is_turn else None,
            "gsi5_sk": (self.gsi5_sk or f"ATBAT#{to_iso(self.created_at)}#{self.id}")
            if self.is_turn
            else None,
        }


class TakenOut(Row):
    """Records that a plate appearance was removed at least once; it may have been restored since.

    Idempotency rows expire after a day. With this item a request that is replayed later is still recognised,
    and does not reverse what was done since.
    """

    at_bat_id = UnicodeAttribute(attr_name="atBatId")
    # Ids of the requests that removed or restored it, the latest last.
    requests = JSONListAttribute(default_for_new=list)

    @classmethod
    def about(cls, game_id: str, at_bat_id: str, **fields: Any) -> Self:
        return cls(pk=keys.of_game(game_id), sk=f"TAKEN#{at_bat_id}", at_bat_id=at_bat_id, **fields)
