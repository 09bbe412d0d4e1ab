"""The model of a game's stored box score."""

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from core.dynamo.attributes import JSONListAttribute, JSONMapAttribute, TimestampAttribute
from tracker.items import Row


class StoredBox(Row):
    """The stored box score of a game, always that of `tracker.rules.box_scores.stored_box`.

    It also has the data of the game that season pages show, so that these read nothing else. Each write
    increments `revision`, and is conditional on the one that was read.
    """

    game_id = UnicodeAttribute(attr_name="gameId")
    team_id = UnicodeAttribute(attr_name="teamId")
    season_id = UnicodeAttribute(attr_name="seasonId", null=True)
    revision = NumberAttribute(default=0)
    # A hash of the plate appearances and versions it was made of, to detect reads from different moments.
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
    # Outs for empty places in the order.
    empty_outs = NumberAttribute(attr_name="emptyOuts", null=True)
    on_base = NumberAttribute(attr_name="onBase", default=0)
    problems = NumberAttribute(default=0)
    # By player id: the counts that are not zero, by the names of `tracker.rules.batting.Line`.
    lines = JSONMapAttribute(default_for_new=dict)
    # Ids of players without a count: ran for somebody, fielded, or were in the order and never batted.
    also_played = JSONListAttribute(attr_name="alsoPlayed", null=True)
    # By player id: x, y and the counted result of each ball with a hit location.
    balls = JSONMapAttribute(null=True)
