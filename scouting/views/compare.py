"""Two to six teams side by side."""

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from dynamo.errors import Invalid
from scouting import charts, figures, keys
from scouting.event import Team
from scouting.reading import Reading
from scouting.sheets import Cell, Heading, Sheet, as_file
from scouting.views import shown

MOST_COMPARED = 6


@requires("scouting.analysis.view")
@require_safe
def compare(request: SignedInRequest) -> HttpResponseBase:
    """One column for each team, one row for each figure."""
    read = shown.read_event(request)
    if read is None:
        return shown.no_event(request)
    chosen = _chosen(request)
    sheet = _sheet(read, chosen)
    context = {
        "teams": [read.event.team(team) for team in read.figures],
        "slots": [*chosen, *[""] * (MOST_COMPARED - len(chosen))],
        "pictures": _pictures(read, chosen),
    }
    if len(chosen) < 2:
        return shown.screen(request, "analysis", read, "scouting/compare.html", context)
    file = as_file(request, sheet, read.event.key)
    context |= {"sheet": sheet, "asked": request.GET.urlencode()}
    return file or shown.screen(request, "analysis", read, "scouting/compare.html", context)


def _chosen(request: SignedInRequest) -> list[str]:
    """Each once, in the order that was asked for; what is no team is passed over."""
    teams: dict[str, None] = {}
    for text in request.GET.getlist("team"):
        try:
            teams[keys.team_key(text)] = None
        except Invalid:
            continue
    return list(teams)[:MOST_COMPARED]


def _sheet(read: Reading, chosen: list[str]) -> Sheet:
    values = {row.team: row.values for row in read.rows}
    titles = [Heading(_("Figure"), is_number=False)]
    titles += [Heading(read.event.team(team).label) for team in chosen]
    rows = [
        [
            Cell(column.label),
            *(Cell(values.get(team, {}).get(column.key), is_share=column.is_share) for team in chosen),
        ]
        for column in figures.columns(read.game)
    ]
    return Sheet("compare", _("Compare"), titles, rows)


def _pictures(read: Reading, chosen: list[str]) -> list[tuple[Team, str]]:
    """On one scale, so that heights can be compared."""
    series = {team: charts.by_match(read.figures[team]) for team in chosen if team in read.figures}
    highest = max(map(charts.top_of, series.values()), default=1)
    label = _("Scores of %(team)s by match: autonomous below, teleop above")
    return [
        (read.event.team(team), charts.stacked(label % {"team": team}, each, highest=highest))
        for team, each in series.items()
    ]
