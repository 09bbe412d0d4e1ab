"""The person's own statistics across all teams, deleted ones included."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.dateparse import parse_date
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud import sheets
from core.crud.sheets import Sheet
from tracker.games.models import Season
from tracker.statistics import queries, spray, totals
from tracker.statistics.figure_tables import figure_tiles, log_sheet, split_sheet
from tracker.statistics.queries import Career
from tracker.statistics.sheets import figure_headings, figures
from tracker.statistics.totals import GameLine


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


@requires("tracker.team.view")
@require_safe
def my_statistics(request: SignedInRequest) -> HttpResponseBase:
    career = queries.career_of(request.user.sub)
    asked = GameFilter(
        request.GET.get("of", ""),
        _day(request.GET.get("from", "")),
        _day(request.GET.get("to", "")),
    )
    lines = [each for each in career.lines if asked.holds(each)]
    names = {team_id: career.team_name(team_id) for team_id in career.team_ids}
    tables = {
        "log": log_sheet(lines, names, linked=career.open_teams),
        "teams": _teams_sheet(lines, career),
        "splits": split_sheet(totals.splits(lines)),
    }
    file = sheets.as_file(request, sheets.listed(request, tables), request.user.name)
    if file is not None:
        return file
    balls = spray.balls_of(lines, career.player_ids)
    context = tables | {
        "asked_for": asked,
        "choices": _choices(career),
        "has_games": bool(career.lines),
        "total": totals.total(lines),
        "tiles": figure_tiles(totals.total(lines)),
        "balls": balls,
        "picture": spray.chart(balls),
        "zones": spray.zones(balls),
        "columns": totals.COLUMNS,
        "asked": sheets.asked(request.GET),
    }
    return render(request, "tracker/statistics/my_statistics.html", context)


def _teams_sheet(lines: Sequence[GameLine], career: Career) -> Sheet:
    """A row per team and season."""
    parts: dict[tuple[str, str | None], list[GameLine]] = {}
    for each in lines:
        parts.setdefault((each.box.team_id, each.box.season_id), []).append(each)
    rows = [
        [
            sheets.text(career.team_name(team_id)),
            sheets.beside(_season_name(career, season_id)),
            *figures(totals.total(part)),
        ]
        for (team_id, season_id), part in parts.items()
    ]
    foot = [sheets.text(_("Total")), sheets.beside(""), *figures(totals.total(lines))]
    headings = [*sheets.words(_("Team")), *sheets.besides(_("Season")), *figure_headings()]
    return Sheet("teams", _("By team and season"), headings, rows, [foot] if rows else [])


def _season_name(career: Career, season_id: str | None) -> str:
    season = career.seasons.get(season_id or "")
    return season.name if season else ""


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
