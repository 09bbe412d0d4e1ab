"""Teams, their rosters and their seasons."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Unpack

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from core.dynamo import changeset, queries, transactions
from core.dynamo.guards import Unique
from core.dynamo.paging import Page
from core.dynamo.queries import PageOptions, every
from core.dynamo.transactions import Operation
from tracker import keys
from tracker.models import Membership, Player, Row, Season, Team, TrackedItem
from tracker.repository.base import TrackerRepository

# Nothing else sorts between the two: one Query reads both.
FIRST_OF_ROSTER, LAST_OF_ROSTER = "PLAYER#", "SEASON#~"


@dataclass(frozen=True)
class Roster:
    """Who plays for a team, and when: everything that pages of a team name people and seasons by."""

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


class TeamRepository(TrackerRepository[Team]):
    model = Team
    entity = "tracker-team"
    label = "name"
    partition = "TEAM#"
    sort_key = keys.METADATA
    searched = ("name",)
    list_fields = ("id", "name", "owner_id", "team_type", "status")

    def scope_of(self, item: Team) -> str:
        return f"team:{item.id}"

    def word_scope_of(self, item: Team) -> str:
        """Members know their few teams; it is administrators who look for one among all."""
        return self.scope

    def words_of(self, item: Team, *, without: Collection[str] = ()) -> list[str]:
        """What people keep for themselves is theirs."""
        return [] if item.is_personal or item.is_deleted else super().words_of(item, without=without)

    def unchanged_condition(self, item: Team) -> Condition:
        """What may be done to a personal team depends on its games: one that came since counts."""
        unchanged = super().unchanged_condition(item)
        return unchanged & changeset.as_stored(item, "refs") if item.is_personal else unchanged

    def of(self, team_id: str, *, strong: bool = False) -> Team:
        return self.get(self.at(keys.of_team(team_id)), strong=strong)

    def all(self, **options: Unpack[PageOptions]) -> Page[Team]:
        """By the time when they were made."""
        return self.page("ENTITY#TEAM", index="GSI2", **options)

    def with_ids(self, team_ids: list[str]) -> dict[str, Team]:
        """These teams by id, in one request per hundred."""
        found = self.get_many(self.at(keys.of_team(team_id)) for team_id in team_ids)
        return {team.id: team for team in found.values()}

    def with_seasons(
        self, places: Iterable[tuple[str, str | None]]
    ) -> tuple[dict[str, Team], dict[str, Season]]:
        """These teams, and of each the seasons that are named with it, by id: in one request per hundred."""
        wanted: list[TrackedItem] = []
        for team_id, season_id in places:
            wanted.append(Team.about(team_id))
            if season_id:
                wanted.append(Season.about(team_id, season_id))
        found = queries.get_many((type(item), item.raw_key()) for item in wanted)
        return (
            {item.id: item for item in found if isinstance(item, Team)},
            {item.id: item for item in found if isinstance(item, Season)},
        )

    def with_membership(
        self, team_id: str, user_id: str, *, strong: bool = False
    ) -> tuple[Team | None, Membership | None]:
        """A team and what somebody is in it, in one request."""
        wanted = (Team.about(team_id), Membership.about(user_id, team_id))
        found = queries.get_many(((type(item), item.raw_key()) for item in wanted), strong=strong)
        team = next((item for item in found if isinstance(item, Team)), None)
        membership = next((item for item in found if isinstance(item, Membership)), None)
        return team, membership

    def roster(self, team_id: str, *, strong: bool = False) -> Roster:
        """Players and seasons, in one request."""
        rows = every(
            lambda **options: queries.query_raw(
                Row,
                keys.of_team(team_id),
                at_least=FIRST_OF_ROSTER,
                at_most=LAST_OF_ROSTER,
                strong=strong,
                **options,
            )
        )
        roster = Roster(players=[], seasons=[])
        for row in rows:
            if row["SK"]["S"].startswith("PLAYER#"):
                roster.players.append(Player.from_raw_data(row))
            elif row["SK"]["S"].startswith("SEASON#"):
                roster.seasons.append(Season.from_raw_data(row))
        roster.players.sort(key=_in_order)
        return roster


def _in_order(player: Player) -> tuple[bool, int, str, str, str]:
    """By number, those without one last, then by name."""
    number = player.jersey_number
    return not number, int(number or 0), number, player.last_name or "", player.first_name


class SeasonRepository(TrackerRepository[Season]):
    model = Season
    entity = "season"
    label = "name"
    partition = "TEAM#"
    sort_key = "SEASON#"

    def of(self, team_id: str, season_id: str, *, strong: bool = False) -> Season:
        return self.get(self.at(keys.of_team(team_id), keys.of_season(season_id)), strong=strong)


def _taken_number(player: Player) -> str | None:
    """Those who no longer play give their number back."""
    return f"{player.team_id}#{player.jersey_number}" if player.plays and player.jersey_number else None


def _taken_person(player: Player) -> str | None:
    """Nobody is two players of one team."""
    return f"{player.team_id}#{player.user_id}" if player.user_id else None


class PlayerRepository(TrackerRepository[Player]):
    model = Player
    entity = "player"
    label = "name"
    label_fields = ("first_name", "last_name")
    partition = "TEAM#"
    sort_key = "PLAYER#"
    unique = (
        Unique("number", value=_taken_number, message=_("Another player of this team has this number.")),
        Unique("user_id", value=_taken_person, message=_("This person is on this roster already.")),
    )

    def of(self, team_id: str, player_id: str, *, strong: bool = False) -> Player:
        return self.get(self.at(keys.of_team(team_id), keys.of_player(player_id)), strong=strong)

    def recounted(self, seen: Player, at_bats: int) -> Operation:
        """Store of how many plate appearances a player is part, unless that has changed since it was read."""
        counter = Player.at_bats.attr_name
        unchanged = transactions.exists(Player) & changeset.as_stored(seen, counter)
        return transactions.update(Player, seen.raw_key(), [Player.at_bats.set(at_bats)], condition=unchanged)

    def of_person(self, user_id: str) -> list[Player]:
        """The players that somebody is, in all teams, those of deleted teams included."""
        return every(
            lambda **options: self.page(keys.of_user(user_id), index="GSI4", prefix="PLAYER#", **options)
        )


teams = TeamRepository()
seasons = SeasonRepository()
players = PlayerRepository()
