"""Models: seasons and games of a team, and the players' answers to a game."""

from datetime import date
from typing import Any, Self

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from core.dynamo.attributes import (
    DayAttribute,
    JSONListAttribute,
    JSONMapAttribute,
    TimestampAttribute,
    to_iso,
)
from core.dynamo.items import Item, RawItem, new_id
from tracker import keys
from tracker.items import METADATA, TrackedItem

SCHEDULED, IN_PROGRESS, FINAL, POSTPONED = "SCHEDULED", "IN_PROGRESS", "FINAL", "POSTPONED"
COMING, MAYBE, NOT_COMING = "yes", "maybe", "no"
SCORES = ("team_score", "opponent_score")


class Season(TrackedItem):
    """A period in which a team plays by the same rules, which `tracker.rules.season_rules` reads."""

    key_format = "TEAM#{team_id}", "SEASON#{id}"

    id = UnicodeAttribute(attr_name="seasonId", default_for_new=new_id)
    team_id = UnicodeAttribute(attr_name="teamId")
    name = UnicodeAttribute()
    starts_on = DayAttribute(attr_name="startsOn", null=True)
    ends_on = DayAttribute(attr_name="endsOn", null=True)
    rules = JSONMapAttribute(default_for_new=dict)

    def holds(self, day: date) -> bool:
        return (not self.starts_on or self.starts_on <= day) and (not self.ends_on or day <= self.ends_on)


class Game(TrackedItem):
    """A game of a team.

    `lineup` holds the starters: playerId, battingOrder from 1, position. `substitutions` hold battingOrder,
    playerId, and `after`, the number of the plate appearance before it, 0 before the first. One with `left`
    has the playerId of the player who left the place without a substitute.
    """

    key_format = "GAME#{id}", METADATA

    id = UnicodeAttribute(attr_name="gameId", default_for_new=new_id)
    team_id = UnicodeAttribute(attr_name="teamId")
    status = UnicodeAttribute(default=SCHEDULED)
    scheduled_start = TimestampAttribute(attr_name="scheduledStart", null=True)
    opponent_name = UnicodeAttribute(attr_name="opponentName", null=True)
    location = UnicodeAttribute(null=True)
    season_id = UnicodeAttribute(attr_name="seasonId", null=True)
    is_home = BooleanAttribute(attr_name="isHome", default=False)
    # Derived from the plate appearances if there are any; then an edit of the game never writes it.
    team_score = NumberAttribute(attr_name="teamScore", default=0)
    opponent_score = NumberAttribute(attr_name="opponentScore", default=0)
    opponent_by_inning = JSONListAttribute(attr_name="opponentByInning", default_for_new=list)
    lineup = JSONListAttribute(default_for_new=list)
    substitutions = JSONListAttribute(default_for_new=list)
    # A copy of the season's rules when the game began, so that changed rules affect no game that was played.
    rules = JSONMapAttribute(null=True)
    # When the game was started; the time limit counts from here.
    started_at = TimestampAttribute(attr_name="startedAt", null=True)
    # The winner of a forfeited game, OWN or OPPONENT; the score is then derived from this alone.
    forfeited_to = UnicodeAttribute(attr_name="forfeitedTo", null=True)
    # The hash of the token of the live page, and the random part that the token is an HMAC of. The secret key
    # is not in the table, so the table alone does not reveal the token.
    share_token = UnicodeAttribute(attr_name="shareToken", null=True)
    share_key = UnicodeAttribute(attr_name="shareKey", null=True)
    # The stack of undone plays that can be redone, the last one last: atBatId, playerId, result.
    undone = JSONListAttribute(null=True)
    # Counts the writes of answers; a delete of the game is conditional on it, so no answer is deleted unread.
    answered = NumberAttribute(null=True)

    counters = (*Item.counters, "answered")

    @classmethod
    def from_raw_data(cls, data: RawItem) -> Self:
        """The document has the ids of the players in batting order; `stored` stays as it is."""
        game = super().from_raw_data(data)
        game.lineup = [
            {"playerId": each, "battingOrder": place, "position": ""} if isinstance(each, str) else each
            for place, each in enumerate(game.lineup or (), start=1)
        ]
        return game

    @property
    def named(self) -> set[str]:
        """The ids of all players in the line-up and in the substitutions."""
        return {str(each["playerId"]) for each in (*(self.lineup or ()), *(self.substitutions or ()))}

    def derived(self) -> dict[str, Any]:
        # Without a date a game sorts first, so newest-first lists have it last.
        start = to_iso(self.scheduled_start) if self.scheduled_start else ""
        # As the document says; the key that another program has written stays.
        without_start = f"GAME#{self.id}"
        is_theirs = self.gsi3_sk == without_start
        return {
            "gsi1_pk": f"SHARE#{self.share_token}" if self.share_token else None,
            "gsi1_sk": "GAME" if self.share_token else None,
            "gsi2_pk": "ENTITY#GAME",
            "gsi2_sk": f"METADATA#{self.id}",
            "gsi3_pk": keys.of_team(self.team_id),
            "gsi3_sk": without_start if is_theirs else f"GAME#{start}#{self.id}",
        }


class Answer(TrackedItem):
    """A player's answer whether they come to a game."""

    key_format = "GAME#{game_id}", "ANSWER#{player_id}"

    game_id = UnicodeAttribute(attr_name="gameId")
    team_id = UnicodeAttribute(attr_name="teamId")
    player_id = UnicodeAttribute(attr_name="playerId")
    answer = UnicodeAttribute()
    note = UnicodeAttribute(default="")
