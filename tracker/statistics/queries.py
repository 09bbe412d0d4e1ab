"""The reads of the pages of games and statistics: a game, a team with its seasons, a person's career."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from django.utils.timezone import localdate, localtime
from django.utils.translation import gettext as _

from core.accounts.user import User
from core.dynamo.errors import Text
from tracker import repository
from tracker.games.models import Game, Season
from tracker.games.repository import GameStory
from tracker.policy import Access, access
from tracker.roster.repository import Roster
from tracker.rules import box_scores
from tracker.rules.replay import Box
from tracker.statistics import totals
from tracker.statistics.models import StoredBox
from tracker.statistics.totals import GameLine
from tracker.teams.models import Team
from tracker.teams.summary import season_on

ALL, NO_SEASON = "all", "-"


def name_of(roster: Roster, player_id: str | None) -> str:
    """A player's name. Players with statistics are never deleted here, but another program may do so."""
    player = roster.player(player_id or "")
    return player.name if player else _("Someone who left the roster")


# --- A game -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReadGame:
    """A game with the person's access and the roster, as the pages of a game need them."""

    access: Access
    story: GameStory
    roster: Roster

    @cached_property
    def box(self) -> Box:
        return box_scores.box_of(self.game, self.story.at_bats)

    @property
    def game(self) -> Game:
        return self.story.game

    def named(self, player_id: str) -> str:
        return name_of(self.roster, player_id)

    @property
    def about(self) -> str:
        """The base of file names."""
        start = self.game.scheduled_start
        day = localtime(start).date().isoformat() if start else ""
        return f"{self.access.team.name} {self.game.opponent_name or ''} {day}"


def game(user: User, game_id: str, *, strong: bool = False) -> ReadGame:
    """A game, in three requests: its partition, team and membership, roster. The page after a write reads it
    `strong`, because it must show it."""
    story = repository.games.story(game_id, strong=strong)
    found = access(user, story.game.team_id)
    return ReadGame(found, story, repository.teams.roster(story.game.team_id))


# --- A team -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """A choice of the season filter: a season, all games, or those without a season."""

    value: str
    name: Text

    def boxes(self, team_id: str) -> list[StoredBox]:
        if self.value == ALL:
            return repository.boxes.of_team(team_id)
        return repository.boxes.of_season(team_id, None if self.value == NO_SEASON else self.value)

    def holds(self, box: StoredBox) -> bool:
        return self.value in (ALL, box.season_id or NO_SEASON)


@dataclass(frozen=True)
class ReadTeam:
    """A team with the person's access, the roster and the choices of seasons."""

    access: Access
    roster: Roster

    @cached_property
    def seasons(self) -> list[Choice]:
        """The choices: seasons, the latest first, then games without one, then all games."""
        seasons = sorted(self.roster.seasons, key=lambda season: (season.starts_on or date.min, season.id))
        return [
            *(Choice(season.id, season.name) for season in reversed(seasons)),
            Choice(NO_SEASON, _("Without a season")),
            Choice(ALL, _("All games")),
        ]

    def season(self, asked: str) -> Choice:
        """The requested choice; else the season whose record the team's page shows, else all games."""
        choices = {choice.value: choice for choice in self.seasons}
        on = season_on(self.roster.seasons, localdate())
        return choices.get(asked) or choices[on.id if on else ALL]


def team(user: User, team_id: str) -> ReadTeam:
    """A team, in two requests: team and membership, roster with seasons."""
    return ReadTeam(access(user, team_id), repository.teams.roster(team_id))


# --- A person -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameFilter:
    """The filter of games: by team or season (`of`) and by date."""

    of: str
    earliest: date | None
    latest: date | None

    def holds(self, each: GameLine) -> bool:
        if self.of and self.of not in (each.box.team_id, each.box.season_id):
            return False
        if self.earliest is None and self.latest is None:
            return True
        start = each.box.scheduled_start
        if start is None:
            return False
        day = localdate(start)
        return (self.earliest or day) <= day <= (self.latest or day)


@dataclass(frozen=True)
class Career:
    """All games of a person, with their teams and seasons by id."""

    lines: list[GameLine]
    player_ids: list[str]
    teams: Mapping[str, Team]
    seasons: Mapping[str, Season]

    def team_name(self, team_id: str) -> str:
        team = self.teams.get(team_id)
        if team is None:
            return _("A team that no longer exists")
        return _("%(name)s (deleted)") % {"name": team.name} if team.is_deleted else team.name

    @property
    def team_ids(self) -> list[str]:
        """The ids of the teams, in the order of their latest games."""
        return list(dict.fromkeys(each.box.team_id for each in self.lines))


def career_of(user_id: str) -> Career:
    """The career from the person's players (GSI4) and the box scores of their teams, also of deleted ones.

    One request for the players, one per team in which they played, one for the names. Box scores instead of
    plate appearances, because they have the counted results (a home run above the limit is an out) and the
    runs of substitute runners.
    """
    # Players whom no game names have no statistics; most people never use their personal team.
    players = [player for player in repository.players.of_person(user_id) if player.is_kept]
    ids = [player.id for player in players]
    boxes = [box for team in {player.team_id for player in players} for box in repository.boxes.of_team(team)]
    lines = totals.game_lines(boxes, ids)
    teams, seasons = repository.teams.with_seasons((each.box.team_id, each.box.season_id) for each in lines)
    return Career(lines, ids, teams, seasons)
