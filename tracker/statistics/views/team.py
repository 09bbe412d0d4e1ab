"""The statistics of a team: players, leaders, games and record."""

from collections.abc import Mapping

from django.http import QueryDict
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import small_number
from core.crud import sheets
from core.crud.cached_urls import address_of
from core.crud.http import page_or_partial
from core.crud.sheets import Cell, Sheet
from tracker.navigation import team_context
from tracker.roster.repository import Roster
from tracker.rules.batting import figure_text
from tracker.statistics import queries
from tracker.statistics import totals as statistics
from tracker.statistics.queries import name_of
from tracker.statistics.sheets import games_sheet, totals_sheet
from tracker.statistics.totals import BY_KEY, LEADING, Column, Leader, Total

USUAL_SORT = "-avg"


@requires("tracker.team.view")
@require_safe
def team_statistics(request: SignedInRequest, team: str) -> HttpResponseBase:
    """Four requests: session, team and membership, roster with seasons, box scores."""
    read = queries.team(request.user, team)
    found, roster = read.access, read.roster
    season = read.season(request.GET.get("season", ""))
    boxes = season.boxes(team)
    totals = _in_roster_order(statistics.by_player(boxes), roster)
    together = statistics.of_team(boxes)
    least = small_number(request.GET.get("least", ""))
    sheet = players_sheet(totals, together, roster, team, sort=_sort(request.GET), least=least)
    games = games_sheet(boxes)
    file = sheets.as_file(
        request,
        sheets.listed(request, {"players": sheet, "games": games}),
        f"{found.team.name} {season.name}",
    )
    if file is not None:
        return file
    least_of_leaders = least or statistics.APPEARANCES_PER_GAME * together.games
    own = roster.of_person(request.user.sub)
    record = statistics.record(boxes)
    context = team_context(found, "statistics") | {
        "sheet": sheet,
        "games": games,
        "season": season,
        "seasons": read.seasons,
        "least": least or "",
        "least_of_leaders": least_of_leaders,
        "left_out": len(totals) - len(sheet.rows),
        "leaders": _leaders(totals, roster, team, least_of_leaders),
        "record": record,
        "win_share": figure_text(record.share),
        "own": own,
        "columns": statistics.COLUMNS,
        "asked": sheets.asked(request.GET),
        "sort": _sort(request.GET),
        "sort_asked": sheets.asked(request.GET, "sort"),
    }
    return page_or_partial(request, "tracker/statistics/team.html", "figures", context)


def players_sheet(
    totals: Mapping[str, Total], together: Total, roster: Roster, team_id: str, *, sort: str, least: int
) -> Sheet:
    column = BY_KEY[sort.removeprefix("-")]
    enough = {player: each for player, each in totals.items() if each.line.plate_appearances >= least}
    rows = [
        ([_name_cell(roster, team_id, player)], enough[player])
        for player in statistics.ordered(enough, column, descending=sort.startswith("-"))
    ]
    foot = ([sheets.text(_("Team"))], together) if totals else None
    headings = sheets.text_columns(_("Player"))
    return totals_sheet("statistics", _("Players"), headings, rows, foot, sort=sort)


def _name_cell(roster: Roster, team_id: str, player_id: str) -> Cell:
    """The name with a link to the player's page, unless they are no longer on the roster."""
    is_known = roster.player(player_id) is not None
    address = address_of("tracker:player", team_id, player_id) if is_known else ""
    return sheets.text(name_of(roster, player_id), address)


def _in_roster_order(totals: Mapping[str, Total], roster: Roster) -> dict[str, Total]:
    """Sorted by jersey number, so that ties in a later stable sort are not in random order."""
    order = [player.id for player in roster.players if player.id in totals]
    return {player: totals[player] for player in dict.fromkeys([*order, *totals])}


def _leaders(
    totals: Mapping[str, Total], roster: Roster, team_id: str, least: int
) -> list[tuple[Column, list[tuple[Leader, Cell]]]]:
    found = [(column, statistics.leaders(totals, column, least=least)) for column in LEADING]
    return [
        (column, [(leader, _name_cell(roster, team_id, leader.player_id)) for leader in best])
        for column, best in found
        if best
    ]


def _sort(asked: QueryDict) -> str:
    sort = asked.get("sort", "")
    return sort if sort.removeprefix("-") in BY_KEY else USUAL_SORT
