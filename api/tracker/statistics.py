"""Statistics of a game, of a team by season, of a player and of oneself: what the pages compute."""

from collections.abc import Mapping
from datetime import date
from itertools import zip_longest
from typing import Annotated, Any

from django.http import HttpResponse
from ninja import Query
from pydantic import BaseModel, ConfigDict, Field

from api import answers
from api.fields import Day
from api.operations import Operations
from api.tracker import play_schemas as schemas
from core.accounts.rights import SignedInRequest
from core.dynamo.errors import NotFound
from tracker import repository
from tracker.rules import box_scores
from tracker.rules.batting import Line
from tracker.statistics import presenters, queries, totals
from tracker.statistics.queries import ALL, GameFilter, ReadGame, name_of
from tracker.statistics.sheets import figures
from tracker.statistics.totals import COLUMNS, LEADING, Column, GameLine, Total

part = Operations("Softball statistics")
SeasonChoice = Annotated[
    str | None, Query(max_length=128, description="A seasonId, all, or - for games without a season.")
]
Least = Annotated[int, Query(ge=0, le=10_000, description="The fewest plate appearances of a player.")]


@part.get("/games/{game}/box-score", right="tracker.team.view", answer=schemas.BoxScore)
def get_box_score(request: SignedInRequest, game: str, strong: bool = False) -> HttpResponse:
    """The box score of a game, with what each play came to."""
    read = queries.game(request.user, game, strong=strong)
    found, box, at_bats = read.game, read.box, read.story.at_bats
    return answers.answer(
        {
            "gameId": found.id,
            "teamId": found.team_id,
            "status": found.status,
            "isHome": bool(found.is_home),
            "runs": box_scores.runs_of(found, at_bats, box),
            "opponentScore": int(found.opponent_score or 0),
            "innings": _innings(read),
            "leftOnBase": box_scores.left_on_base(found, box),
            "putouts": box.putouts,
            "batting": [
                {
                    "playerId": each.player_id,
                    "name": read.named(each.player_id),
                    "battingOrder": each.slot,
                    "position": each.position,
                    "isSubstitute": each.is_substitute,
                    "figures": _figures(each.line),
                }
                for each in presenters.batters(found, box)
            ],
            "team": _figures(box.team),
            "plays": [
                {
                    "atBatId": at_bat.id,
                    "playerId": at_bat.player_id,
                    "result": at_bat.result,
                    "countedAs": play.result,
                    "inning": play.inning,
                    "outsBefore": play.outs_before,
                    "outs": play.outs,
                    "runs": play.runs,
                    "runsBattedIn": play.runs_batted_in,
                    "scored": list(play.scored),
                }
                for at_bat, play in zip(at_bats, box.plays, strict=True)
            ],
            "problems": [
                {"atBatId": each.at_bat_id, "inning": each.inning, "text": each.text}
                for each in presenters.missing(box, at_bats, read.named)
            ],
            "figuresStand": box_scores.figures_stand(found, box),
        }
    )


@part.get("/teams/{team}/statistics", right="tracker.team.view", answer=schemas.TeamStatistics)
def get_team_statistics(
    request: SignedInRequest, team: str, season: SeasonChoice = None, least: Least = 0
) -> HttpResponse:
    """The record and the figures of a team; without a season those of the current one."""
    read = queries.team(request.user, team)
    chosen = read.season(season or "")
    boxes = chosen.boxes(team)
    players, together, record = totals.by_player(boxes), totals.of_team(boxes), totals.record(boxes)
    enough = {key: each for key, each in players.items() if each.line.plate_appearances >= least}
    least_of_leaders = least or totals.APPEARANCES_PER_GAME * together.games
    return answers.answer(
        {
            "teamId": team,
            "season": chosen.value,
            "record": {
                "wins": record.wins,
                "losses": record.losses,
                "ties": record.ties,
                "share": None if record.share is None else round(float(record.share), 3),
            },
            **_total(together),
            "players": [
                {"playerId": key, "name": name_of(read.roster, key), **_total(enough[key])}
                for key in totals.ordered(enough, COLUMNS[0], descending=True)
            ],
            "leaders": {column.key: _leaders(players, column, least_of_leaders) for column in LEADING},
        }
    )


@part.get(
    "/teams/{team}/players/{player}/statistics",
    right="tracker.team.view",
    answer=schemas.PersonStatistics,
)
def get_player_statistics(
    request: SignedInRequest, team: str, player: str, season: SeasonChoice = ALL
) -> HttpResponse:
    """The figures of a player in a team, of all games or of a season."""
    read = queries.team(request.user, team)
    if read.roster.player(player) is None:
        raise NotFound
    chosen = read.season(season or ALL)
    lines = totals.game_lines(repository.boxes.of_team(team), {player})
    return _answer([each for each in lines if chosen.holds(each.box)])


class OwnGamesQuery(BaseModel):
    """Which of your games."""

    model_config = ConfigDict(populate_by_name=True)

    of: Annotated[str, Field(max_length=128, description="A teamId or a seasonId.")] = ""
    from_: Annotated[Day | None, Field(alias="from", description="The first day of the club.")] = None
    to: Annotated[Day | None, Field(description="The last day, included.")] = None


@part.get("/users/me/statistics", right="tracker.team.view", answer=schemas.PersonStatistics)
def get_own_statistics(request: SignedInRequest, query: Query[OwnGamesQuery]) -> HttpResponse:
    """Your own figures across all teams, deleted ones included."""
    games = GameFilter(query.of, _day(query.from_), _day(query.to))
    return _answer([each for each in queries.career_of(request.user.sub).lines if games.holds(each)])


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _innings(read: ReadGame) -> list[dict[str, Any]]:
    """The runs of both sides by inning; null where nothing is recorded."""
    own = list(read.box.runs_by_inning[: read.box.innings_begun]) if read.game.lineup else []
    theirs = [int(runs) for runs in read.game.opponent_by_inning or ()]
    return [
        {"inning": inning, "team": ours, "opponent": others}
        for inning, (ours, others) in enumerate(zip_longest(own, theirs), start=1)
    ]


def _answer(lines: list[GameLine]) -> HttpResponse:
    return answers.answer(
        {
            **_total(totals.total(lines)),
            "seasons": [
                {"teamId": team, "seasonId": season, **_total(totals.total(part))}
                for (team, season), part in totals.by_season(lines).items()
            ],
            "log": [_logged(each) for each in lines],
        }
    )


def _leaders(players: Mapping[str, Total], column: Column, least: int) -> list[dict[str, Any]]:
    return [
        {
            "rank": leader.rank,
            "playerId": leader.player_id,
            "value": _figures(players[leader.player_id].line)[column.key],
        }
        for leader in totals.leaders(players, column, least=least)
    ]


def _logged(each: GameLine) -> dict[str, Any]:
    box = each.box
    return {
        "gameId": box.game_id,
        "teamId": box.team_id,
        "seasonId": box.season_id,
        "status": box.status,
        "scheduledStart": box.scheduled_start,
        "opponentName": box.opponent_name,
        "isHome": bool(box.is_home),
        "teamScore": int(box.runs),
        "opponentScore": int(box.opponent_score),
        "figures": _figures(each.line),
    }


def _total(total: Total) -> dict[str, Any]:
    return {"games": total.games, "figures": _figures(total.line)}


def _figures(line: Line) -> dict[str, Any]:
    """The figures by their keys, rounded as in files."""
    return {column.key: cell.value for column, cell in zip(COLUMNS, figures(line), strict=True)}
