"""What the plate appearances of a game come to, as it is stored."""

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute
from core.dynamo.items import StoredModel
from tracker.items import TABLE


class StoredBox(StoredModel):
    """What a game's plate appearances come to: always equal to `tracker.rules.box_scores.box_of` of them.

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
    # By player: the counts that are not zero, under the names of `tracker.rules.batting.Line`.
    lines = JSONMapAttribute(default_for_new=dict)
    # Who played without a figure: ran for somebody, fielded, or was in the order and never came to bat.
    also_played = JSONListAttribute(attr_name="alsoPlayed", null=True)
    # By player: x, y and what it counted as, of each ball whose place was tapped.
    balls = JSONMapAttribute(null=True)

    class Meta:
        table_name = TABLE
