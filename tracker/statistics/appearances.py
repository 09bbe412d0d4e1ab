"""The counter `Player.at_bats`: in how many stored plate appearances a player has a part.

A player whose counter is not zero is never deleted.
"""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from core.dynamo.errors import Invalid
from core.dynamo.items import RawItem
from core.dynamo.transactions import ErrorOf, Transaction
from tracker.roster.models import Player
from tracker.scoring.models import AtBat


def _no_player(_stored: RawItem | None) -> Exception:
    return Invalid(_("This player is no longer on the roster."), field="player")


def count(
    transaction: Transaction, at_bats: Iterable[AtBat], step: int, *, refused: ErrorOf = _no_player
) -> None:
    for at_bat in at_bats:
        for player_id in players_in(at_bat):
            key = Player.about(at_bat.team_id, player_id).raw_key()
            transaction.count(Player, key, Player.at_bats.attr_name, step, refused=refused)


def players_in(at_bat: AtBat) -> set[str]:
    """The ids of the batter, of the player for whom it counts, and of substitute runners, who may score."""
    ran = {str(runner["playerId"]) for runner in at_bat.runners or () if runner.get("playerId")}
    return {str(at_bat.player_id), at_bat.owner_id, *ran} if at_bat.is_turn else ran
