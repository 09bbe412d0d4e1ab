"""The page of a player: statistics by season, splits, game log and spray chart."""

from collections.abc import Sequence

from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud import sheets
from core.crud.sheets import Row, Sheet
from core.dynamo.errors import NotFound
from core.dynamo.queries import every
from tracker import repository
from tracker.navigation import frame
from tracker.scoring.models import AtBat
from tracker.statistics import queries, spray, totals
from tracker.statistics.figure_tables import figure_tiles, log_sheet, opponent_of, split_sheet
from tracker.statistics.models import StoredBox
from tracker.statistics.queries import ALL, Choice
from tracker.statistics.sheets import figure_headings, figures
from tracker.statistics.totals import GameLine


@requires("tracker.team.view")
@require_safe
def player(request: SignedInRequest, team: str, player: str) -> HttpResponseBase:
    """Without `?season` all games."""
    read = queries.team(request.user, team)
    found, roster = read.access, read.roster
    shown = roster.player(player)
    if shown is None:
        raise NotFound
    every_game = totals.game_lines(repository.boxes.of_team(team), {player})
    season = read.season(request.GET.get("season", ALL))
    lines = [each for each in every_game if season.holds(each.box)]
    tables: dict[str, Sheet] = {
        "log": log_sheet(lines),
        "seasons": _seasons_sheet(every_game, read.seasons),
        "splits": split_sheet(totals.splits(lines)),
    }
    if request.GET.get("list") == "turns":
        tables["turns"] = _turns_sheet(player, lines)
    file = sheets.as_file(request, sheets.listed(request, tables), f"{shown.name} {found.team.name}")
    if file is not None:
        return file
    balls = spray.balls_of(lines, [player])
    own = roster.of_person(request.user.sub)
    context = (
        frame(found, "statistics")
        | tables
        | {
            "player": shown,
            "is_own": own is not None and own.id == player,
            "own": own,
            "season": season,
            "season_choices": read.seasons,
            "total": totals.total(lines),
            "tiles": figure_tiles(totals.total(lines)),
            "balls": balls,
            "picture": spray.chart(balls),
            "zones": spray.zones(balls),
            "columns": totals.COLUMNS,
            "asked": f"season={season.value}",
        }
    )
    return render(request, "tracker/statistics/player.html", context)


def _turns_sheet(player_id: str, lines: Sequence[GameLine]) -> Sheet:
    """Every turn at bat in these games as recorded, by time; a file for own evaluations."""
    boxes = {each.box.game_id: each.box for each in lines}
    turns = every(lambda **options: repository.at_bats.of_player(player_id, **options))
    rows = [_turn(each, boxes[each.game_id]) for each in turns if each.game_id in boxes]
    headings = [
        *sheets.words(_("Date"), _("Opponent"), _("Result")),
        *sheets.numbers(_("Inning"), _("Outs before")),
        *sheets.words(_("Kind of ball")),
        *sheets.numbers("x", "y"),
    ]
    return Sheet("turns", _("Turns at bat"), headings, rows)


def _turn(at_bat: AtBat, box: StoredBox) -> Row:
    where = at_bat.hit_location or {}
    return [
        sheets.day(box.scheduled_start),
        sheets.text(opponent_of(box)),
        sheets.text(at_bat.result),
        sheets.number(int(at_bat.inning)),
        sheets.number(int(at_bat.outs)),
        sheets.text(at_bat.hit_type or ""),
        sheets.number(where.get("x")),
        sheets.number(where.get("y")),
    ]


def _seasons_sheet(lines: Sequence[GameLine], seasons: Sequence[Choice]) -> Sheet:
    """A row per season, the latest first, then games without one; the total in the foot."""
    rows = []
    for choice in seasons[:-1]:
        part = [each for each in lines if choice.holds(each.box)]
        if part:
            rows.append([sheets.text(choice.name), *figures(totals.total(part))])
    foot = [sheets.text(_("Total")), *figures(totals.total(lines))]
    headings = [*sheets.words(_("Season")), *figure_headings()]
    return Sheet("seasons", _("By season"), headings, rows, [foot] if lines else [])
