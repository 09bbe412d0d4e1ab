"""The page of a player: figures by season, splits, game by game, and where the balls went."""

from collections.abc import Sequence

from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from crud import sheets
from crud.sheets import Sheet
from dynamo.errors import NotFound
from dynamo.queries import every
from tracker import repository, spray, statistics
from tracker.frame import frame
from tracker.models import AtBat
from tracker.policy import access
from tracker.repository import Roster
from tracker.sheets import figure_headings, figures
from tracker.statistics import GameLine
from tracker.views.figures import (
    ALL,
    chosen_season,
    figure_tiles,
    log_sheet,
    season_choices,
    split_sheet,
)


@requires("tracker.team.view")
@require_safe
def player(request: SignedInRequest, team: str, player: str) -> HttpResponseBase:
    """Without a season that is asked for, all games."""
    found = access(request.user, team)
    roster = repository.teams.roster(team)
    shown = roster.player(player)
    if shown is None:
        raise NotFound
    every_game = statistics.game_lines(repository.boxes.of_team(team), {player})
    season = chosen_season(request.GET, roster) if "season" in request.GET else season_choices(roster)[-1]
    lines = [each for each in every_game if season.value in (ALL, each.box.season_id or "-")]
    tables = {
        "log": log_sheet(lines),
        "seasons": _seasons_sheet(every_game, roster),
        "splits": split_sheet(statistics.splits(lines)),
    }
    file = sheets.as_file(request, sheets.listed(request, tables), f"{shown.name} {found.team.name}")
    if file is not None:
        return file
    games = {each.box.game_id for each in lines}
    balls = spray.balls_of(each for each in appearances_of([player]) if each.game_id in games)
    own = roster.of_person(request.user.sub)
    context = (
        frame(found, "statistics")
        | tables
        | {
            "player": shown,
            "is_own": own is not None and own.id == player,
            "own": own,
            "season": season,
            "season_choices": season_choices(roster),
            "total": statistics.total(lines),
            "tiles": figure_tiles(statistics.total(lines)),
            "balls": balls,
            "picture": spray.chart(balls),
            "zones": spray.zones(balls),
            "columns": statistics.COLUMNS,
            "asked": f"season={season.value}",
        }
    )
    return render(request, "tracker/player.html", context)


def appearances_of(player_ids: Sequence[str]) -> list[AtBat]:
    """All plate appearances of the players that somebody is, by time."""
    found: list[AtBat] = []
    for player_id in player_ids:
        found += every(
            lambda player_id=player_id, **options: repository.at_bats.of_player(player_id, **options)
        )
    return found


def _seasons_sheet(lines: Sequence[GameLine], roster: Roster) -> Sheet:
    """The latest first, then what belongs to none, and all together."""
    rows = []
    for choice in season_choices(roster)[:-1]:
        part = [each for each in lines if (each.box.season_id or "-") == choice.value]
        if part:
            rows.append([sheets.text(choice.name), *figures(statistics.total(part))])
    foot = [sheets.text(_("Total")), *figures(statistics.total(lines))]
    headings = [*sheets.words(_("Season")), *figure_headings()]
    return Sheet("seasons", _("By season"), headings, rows, [foot] if lines else [])
