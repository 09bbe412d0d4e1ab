"""The statistics of a player in a team, and a person's own across all teams, deleted ones included."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud import sheets
from core.crud.sheets import Row, Sheet
from core.dynamo.errors import NotFound
from core.dynamo.queries import every
from tracker import repository
from tracker.games.models import Season
from tracker.navigation import team_context
from tracker.statistics import queries, spray, totals
from tracker.statistics.queries import ALL, Career, Choice, GameFilter
from tracker.statistics.sheets import log_sheet, opponent_of, split_sheet, totals_sheet
from tracker.statistics.totals import COLUMNS, GameLine


@requires("tracker.team.view")
@require_safe
def my_statistics(request: SignedInRequest) -> HttpResponseBase:
    career = queries.career_of(request.user.sub)
    asked = request.GET
    games = GameFilter(asked.get("of", ""), _day(asked.get("from", "")), _day(asked.get("to", "")))
    lines = [each for each in career.lines if games.holds(each)]
    names = {team_id: career.team_name(team_id) for team_id in career.team_ids}
    linked = [team_id for team_id, team in career.teams.items() if not team.is_deleted]
    tables = {
        "log": log_sheet(lines, names, linked=linked),
        "teams": _teams_sheet(lines, career),
        "splits": split_sheet(totals.splits(lines)),
    }
    file = sheets.as_file(request, sheets.listed(request, tables), request.user.name)
    if file is not None:
        return file
    context = _figures(lines, career.player_ids) | {
        **tables,
        "asked_for": games,
        "choices": _choices(career),
        "has_games": bool(career.lines),
        "asked": sheets.asked(asked),
    }
    return render(request, "tracker/statistics/my_statistics.html", context)


@requires("tracker.team.view")
@require_safe
def player(request: SignedInRequest, team: str, player: str) -> HttpResponseBase:
    """Without `?season` all games."""
    read = queries.team(request.user, team)
    found = read.roster.player(player)
    if found is None:
        raise NotFound
    every_game = totals.game_lines(repository.boxes.of_team(team), {player})
    season = read.season(request.GET.get("season", ALL))
    lines = [each for each in every_game if season.holds(each.box)]
    tables = {
        "log": log_sheet(lines),
        "seasons": _seasons_sheet(every_game, read.seasons),
        "splits": split_sheet(totals.splits(lines)),
    }
    if request.GET.get("list") == "turns":
        tables["turns"] = _turns_sheet(player, lines)
    about = f"{found.name} {read.access.team.name}"
    file = sheets.as_file(request, sheets.listed(request, tables), about)
    if file is not None:
        return file
    own = read.roster.of_person(request.user.sub)
    context = (
        team_context(read.access, "statistics")
        | _figures(lines, [player])
        | {
            **tables,
            "player": found,
            "is_own": own is not None and own.id == player,
            "own": own,
            "season": season,
            "season_choices": read.seasons,
            "asked": f"season={season.value}",
        }
    )
    return render(request, "tracker/statistics/player.html", context)


def _figures(lines: Sequence[GameLine], player_ids: Sequence[str]) -> dict[str, Any]:
    """The context of the sum of these games: the first four figures, and where the balls went."""
    total, balls = totals.total(lines), spray.balls_of(lines, player_ids)
    return {
        "total": total,
        "tiles": [(column.title, column.name, column.text(total.line)) for column in COLUMNS[:4]],
        "columns": COLUMNS,
        "balls": balls,
        "picture": spray.chart(balls),
        "zones": spray.zones(balls),
    }


def _turns_sheet(player_id: str, lines: Iterable[GameLine]) -> Sheet:
    """Every turn at bat in these games as recorded, by time; a file for own evaluations."""
    boxes = {each.box.game_id: each.box for each in lines}
    turns = every(lambda **options: repository.at_bats.of_player(player_id, **options))
    rows: list[Row] = []
    for each in turns:
        if each.game_id in boxes:
            box, where = boxes[each.game_id], each.hit_location or {}
            rows.append(
                [
                    sheets.day(box.scheduled_start),
                    *map(sheets.text, (opponent_of(box), each.result)),
                    *map(sheets.number, (int(each.inning), int(each.outs))),
                    sheets.text(each.hit_type or ""),
                    *map(sheets.number, (where.get("x"), where.get("y"))),
                ]
            )
    headings = [
        *sheets.text_columns(_("Date"), _("Opponent"), _("Result")),
        *sheets.numbers(_("Inning"), _("Outs before")),
        *sheets.text_columns(_("Kind of ball")),
        *sheets.numbers("x", "y"),
    ]
    return Sheet("turns", _("Turns at bat"), headings, rows)


def _seasons_sheet(lines: Sequence[GameLine], seasons: Sequence[Choice]) -> Sheet:
    """A row per season, the latest first, then games without one; the total in the foot."""
    parts = [(choice, [each for each in lines if choice.holds(each.box)]) for choice in seasons[:-1]]
    rows = [([sheets.text(choice.name)], totals.total(part)) for choice, part in parts if part]
    foot = ([sheets.text(_("Total"))], totals.total(lines)) if lines else None
    return totals_sheet("seasons", _("By season"), sheets.text_columns(_("Season")), rows, foot)


def _teams_sheet(lines: Sequence[GameLine], career: Career) -> Sheet:
    """A row per team and season."""
    rows = []
    for (team_id, season_id), part in totals.by_season(lines).items():
        season = career.seasons.get(season_id or "")
        names = [sheets.text(career.team_name(team_id)), sheets.side_cell(season.name if season else "")]
        rows.append((names, totals.total(part)))
    foot = ([sheets.text(_("Total")), sheets.side_cell("")], totals.total(lines)) if lines else None
    headings = [*sheets.text_columns(_("Team")), *sheets.side_columns(_("Season"))]
    return totals_sheet("teams", _("By team and season"), headings, rows, foot)


def _choices(career: Career) -> list[tuple[str, str, list[Season]]]:
    """The choices of the filter: team id, team name, seasons with games."""
    played = {each.box.season_id for each in career.lines}
    return [
        (
            team_id,
            career.team_name(team_id),
            [each for each in career.seasons.values() if each.team_id == team_id and each.id in played],
        )
        for team_id in career.team_ids
    ]


def _day(text: str) -> date | None:
    try:
        return parse_date(text)
    except ValueError:
        return None
