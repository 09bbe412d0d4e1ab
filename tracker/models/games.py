"""Games, what happened in them, and what that comes to."""

from typing import Any

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute, now, to_iso
from core.dynamo.items import Item, StoredModel, new_id
from tracker import keys
from tracker.batting import EMPTY_PLACE, NOT_TURNS
from tracker.indexes import by_kind, by_login, by_player, by_team
from tracker.models.base import SCHEDULED, TABLE, TrackedItem


class Game(TrackedItem):
    """A game of a team, from its date to its score.

    `lineup` are those who began: playerId, battingOrder from 1, position. `substitutions` came later:
    battingOrder, playerId, and `after`, the number of the plate appearance before it, 0 before the first.
    One that is marked as `left` names who left the place with nobody to follow.
    """

    id = UnicodeAttribute(attr_name="gameId", default_for_new=new_id)
    team_id = UnicodeAttribute(attr_name="teamId")
    status = UnicodeAttribute(default=SCHEDULED)
    scheduled_start = TimestampAttribute(attr_name="scheduledStart", null=True)
    opponent_name = UnicodeAttribute(attr_name="opponentName", null=True)
    location = UnicodeAttribute(null=True)
    season_id = UnicodeAttribute(attr_name="seasonId", null=True)
    is_home = BooleanAttribute(attr_name="isHome", default=False)
    # Follows from the plate appearances while there are some, so an edit of the game never writes it then.
    team_score = NumberAttribute(attr_name="teamScore", default=0)
    opponent_score = NumberAttribute(attr_name="opponentScore", default=0)
    opponent_by_inning = JSONListAttribute(attr_name="opponentByInning", default_for_new=list)
    lineup = JSONListAttribute(default_for_new=list)
    substitutions = JSONListAttribute(default_for_new=list)
    # What the season said when the game began: changed rules change no game that was played.
    rules = JSONMapAttribute(null=True)
    # When somebody started it: the time limit counts from there.
    started_at = TimestampAttribute(attr_name="startedAt", null=True)
    # Who has won by forfeit, OWN or OPPONENT: then the score follows from that alone.
    forfeited_to = UnicodeAttribute(attr_name="forfeitedTo", null=True)
    # The digest of the token with which, and only with which, everybody sees the live page; and what the
    # token is made from, beside a secret that is not in the table.
    share_token = UnicodeAttribute(attr_name="shareToken", null=True)
    share_key = UnicodeAttribute(attr_name="shareKey", null=True)
    # What was taken back by Undo and not written down since, the last one last: atBatId, playerId, result.
    undone = JSONListAttribute(null=True)
    # How often somebody said whether they come: whoever deletes the game has seen all of it.
    answered = NumberAttribute(null=True)
    gsi1_pk = UnicodeAttribute(attr_name="GSI1PK", null=True)
    gsi1_sk = UnicodeAttribute(attr_name="GSI1SK", null=True)
    gsi2_pk = UnicodeAttribute(attr_name="GSI2PK", null=True)
    gsi2_sk = UnicodeAttribute(attr_name="GSI2SK", null=True)
    gsi3_pk = UnicodeAttribute(attr_name="GSI3PK", null=True)
    gsi3_sk = UnicodeAttribute(attr_name="GSI3SK", null=True)
    by_login = by_login()
    by_kind = by_kind()
    by_team = by_team()

    counters = (*Item.counters, "answered")

    class Meta:
        table_name = TABLE

    @classmethod
    def about(cls, game_id: str, team_id: str, **fields: Any) -> "Game":
        return cls(pk=keys.of_game(game_id), sk=keys.METADATA, id=game_id, team_id=team_id, **fields)

    @property
    def named(self) -> set[str]:
        """Everybody whom the line-up names, from the beginning or later."""
        return {str(each["playerId"]) for each in (*(self.lineup or ()), *(self.substitutions or ()))}

    def derived(self) -> dict[str, Any]:
        # Without a date it sorts before all others, so it is the last where the newest is the first.
        start = to_iso(self.scheduled_start) if self.scheduled_start else ""
        return {
            "gsi1_pk": f"SHARE#{self.share_token}" if self.share_token else None,
            "gsi1_sk": "GAME" if self.share_token else None,
            "gsi2_pk": "ENTITY#GAME",
            "gsi2_sk": f"METADATA#{self.id}",
            "gsi3_pk": keys.of_team(self.team_id),
            "gsi3_sk": f"GAME#{start}#{self.id}",
        }


class AtBat(TrackedItem):
    """One plate appearance, a play between two of them, or the end of a half-inning, as it was written down.

    What is no turn names who is at bat, whose figures it never counts for.

    `inning` and `outs` are what the scorekeeper saw; what they are after a correction of an earlier one,
    `tracker.replay` tells.
    """

    id = UnicodeAttribute(attr_name="atBatId", default_for_new=new_id)
    game_id = UnicodeAttribute(attr_name="gameId")
    team_id = UnicodeAttribute(attr_name="teamId")
    player_id = UnicodeAttribute(attr_name="playerId")
    # The place in the game. One that was forgotten has a number between two others.
    number = NumberAttribute(attr_name="number")
    result = UnicodeAttribute()
    inning = NumberAttribute(default=1)
    outs = NumberAttribute(default=0)
    batting_order = NumberAttribute(attr_name="battingOrder", default=1)
    hit_location = JSONMapAttribute(attr_name="hitLocation", null=True)
    hit_type = UnicodeAttribute(attr_name="hitType", null=True)
    rbis = NumberAttribute(null=True)
    # Told when they are not the usual ones: playerId, from, to, out.
    runners = JSONListAttribute(null=True)
    # The first batter, when a substitute came with two strikes and struck out.
    charged_to = UnicodeAttribute(attr_name="chargedTo", null=True)
    scored_by = UnicodeAttribute(attr_name="scoredBy", null=True)
    gsi5_pk = UnicodeAttribute(attr_name="GSI5PK", null=True)
    gsi5_sk = UnicodeAttribute(attr_name="GSI5SK", null=True)
    by_player = by_player()

    class Meta:
        table_name = TABLE

    @classmethod
    def about(cls, game: Game, at_bat_id: str = "", **fields: Any) -> "AtBat":
        at_bat_id = at_bat_id or new_id()
        pk, sk = keys.of_game(game.id), keys.of_at_bat(at_bat_id)
        fields.setdefault("created_at", now())
        return cls(pk=pk, sk=sk, id=at_bat_id, game_id=game.id, team_id=game.team_id, **fields)

    @property
    def is_turn(self) -> bool:
        return self.result not in NOT_TURNS

    @property
    def uses_place(self) -> bool:
        """Whether the next one in the order follows."""
        return self.is_turn or self.result == EMPTY_PLACE

    @property
    def owner_id(self) -> str:
        """Whose figures it counts for."""
        return str((self.charged_to if self.result == "K" else None) or self.player_id)

    def derived(self) -> dict[str, Any]:
        return {
            "gsi5_pk": keys.of_player(self.owner_id) if self.is_turn else None,
            "gsi5_sk": f"ATBAT#{to_iso(self.created_at)}#{self.id}" if self.is_turn else None,
        }


class Answer(TrackedItem):
    """Whether somebody is coming to a game."""

    game_id = UnicodeAttribute(attr_name="gameId")
    team_id = UnicodeAttribute(attr_name="teamId")
    player_id = UnicodeAttribute(attr_name="playerId")
    answer = UnicodeAttribute()
    note = UnicodeAttribute(default="")

    class Meta:
        table_name = TABLE

    @classmethod
    def about(cls, game: Game, player_id: str, **fields: Any) -> "Answer":
        pk, sk = keys.of_game(game.id), keys.of_answer(player_id)
        return cls(pk=pk, sk=sk, game_id=game.id, team_id=game.team_id, player_id=player_id, **fields)


class TakenOut(StoredModel):
    """That a plate appearance was taken out at least once, whether or not it was brought back.

    Rows of requests expire after a day; whoever sends one again later must not undo what was decided since.
    """

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    at_bat_id = UnicodeAttribute(attr_name="atBatId")
    # What took it out or brought it back, the latest last.
    requests = JSONListAttribute(default_for_new=list)

    class Meta:
        table_name = TABLE

    @classmethod
    def about(cls, game_id: str, at_bat_id: str, **fields: Any) -> "TakenOut":
        pk, sk = keys.of_game(game_id), keys.of_taken_out(at_bat_id)
        return cls(pk=pk, sk=sk, at_bat_id=at_bat_id, **fields)


class StoredBox(StoredModel):
    """What a game's plate appearances come to: always equal to `tracker.boxes.box_of` of them.

    It carries what pages of a season say about the game, so that these read nothing else. Each write
    takes the next `revision`; who has seen another one has not seen the game as it is.
    """

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    game_id = UnicodeAttribute(attr_name="gameId")
    team_id = UnicodeAttribute(attr_name="teamId")
    season_id = UnicodeAttribute(attr_name="seasonId", null=True)
    revision = NumberAttribute(default=0)
    # Which plate appearances it was made of, in which versions: what was read beside it may be older.
    made_of = UnicodeAttribute(attr_name="madeOf", null=True)
    pa_count = NumberAttribute(attr_name="paCount", default=0)
    status = UnicodeAttribute()
    scheduled_start = TimestampAttribute(attr_name="scheduledStart", null=True)
    opponent_name = UnicodeAttribute(attr_name="opponentName", null=True)
    is_home = BooleanAttribute(attr_name="isHome", default=False)
    opponent_score = NumberAttribute(attr_name="opponentScore", default=0)
    runs = NumberAttribute(default=0)
    runs_by_inning = JSONListAttribute(attr_name="runsByInning", default_for_new=list)
    left_on_base = NumberAttribute(attr_name="leftOnBase", default=0)
    putouts = NumberAttribute(default=0)
    placed_runners = NumberAttribute(attr_name="placedRunners", default=0)
    # Outs for places in the order whose batter left.
    empty_outs = NumberAttribute(attr_name="emptyOuts", null=True)
    on_base = NumberAttribute(attr_name="onBase", default=0)
    problems = NumberAttribute(default=0)
    # By player: the counts that are not zero, under the names of `tracker.batting.Line`.
    lines = JSONMapAttribute(default_for_new=dict)
    # Who played without a figure: ran for somebody, fielded, or was in the order and never came to bat.
    also_played = JSONListAttribute(attr_name="alsoPlayed", null=True)
    # By player: x, y and what it counted as, of each ball whose place was tapped.
    balls = JSONMapAttribute(null=True)

    class Meta:
        table_name = TABLE
