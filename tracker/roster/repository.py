"""The repository of players, and the roster of a team."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.translation import gettext_lazy as _

from core.dynamo import changeset, transactions
from core.dynamo.guards import Unique
from core.dynamo.transactions import Operation
from tracker import keys
from tracker.base_repository import TrackerRepository, stored
from tracker.games.models import Season
from tracker.roster.models import Player


@dataclass(frozen=True)
class Roster:
    """The players and seasons of a team, with look-ups by id."""

    players: list[Player]
    seasons: list[Season] = field(default_factory=list)

    @cached_property
    def _by_id(self) -> dict[str, Player]:
        return {player.id: player for player in self.players}

    def player(self, player_id: str) -> Player | None:
        return self._by_id.get(player_id)

    def season(self, season_id: str | None) -> Season | None:
        return next((season for season in self.seasons if season.id == season_id), None)

    def of_person(self, user_id: str) -> Player | None:
        return next((player for player in self.players if player.user_id == user_id), None)


def _taken_number(player: Player) -> str | None:
    """The value of the unique guard on numbers; None for inactive players, whose number is free."""
    return f"{player.team_id}#{player.jersey_number}" if player.plays and player.jersey_number else None


def _taken_person(player: Player) -> str | None:
    """The value of the unique guard on people: a person is at most one player of a team."""
    return f"{player.team_id}#{player.user_id}" if player.user_id else None


class PlayerRepository(TrackerRepository[Player]):
    model = Player
    entity = "player"
    label = "name"
    label_fields = ("first_name", "last_name")
    adopts = True
    unique = (
        Unique("number", value=_taken_number, message=_("Another player on this team has this number.")),
        Unique("user_id", value=_taken_person, message=_("This person is already on this roster.")),
    )

    def counted(self, team_id: str, ids: Collection[str], counter: str) -> Iterator[Operation]:
        """One more for the counter of each of these players who are stored."""
        for player in stored(Player.about(team_id, each) for each in ids):
            actions = [getattr(Player, counter).add(1)]
            yield transactions.update(
                Player, player.raw_key(), actions, condition=transactions.exists(Player)
            )

    def recounted(self, seen: Player, at_bats: int) -> Operation:
        """A conditional write of the counter `at_bats`; fails if it has changed since `seen` was read."""
        counter = Player.at_bats.attr_name
        unchanged = transactions.exists(Player) & changeset.attributes_unchanged(seen, counter)
        return transactions.update(Player, seen.raw_key(), [Player.at_bats.set(at_bats)], condition=unchanged)

    def of_person(self, user_id: str) -> list[Player]:
        """The players linked to a person, in all teams, deleted ones included (GSI4)."""
        return self.every(keys.of_user(user_id), index="GSI4", prefix="PLAYER#")


players = PlayerRepository()
