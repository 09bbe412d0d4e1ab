"""All teams of an event: their figures in a table, as a picture, and by the official scores."""

from dataclasses import dataclass

from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from dynamo.errors import Text
from scouting import charts, figures, ratings
from scouting.figures.table import Column, Row
from scouting.figures.team import AUTO_SCORE, TELE_SCORE
from scouting.reading import Reading
from scouting.sheets import Cell, Heading, Sheet, numbers, words
from scouting.views import shown

USUAL = (
    "matches",
    "totalScore.mean",
    "autoScore.mean",
    "teleScore.mean",
    "totalScore.deviation",
    "totalScore.last_three",
    "rp",
    "win",
    "criticals",
    "opr",
)
# What the figures of The Blue Alliance are called here; others keep their names.
RANKED_BY: dict[str, Text] = {
    "rp": gettext_lazy("Ranking points"),
    "points": gettext_lazy("Points"),
    "autoPoints": gettext_lazy("Auto points"),
    "hubScore.autoPoints": gettext_lazy("Auto points"),
    "totalTowerPoints": gettext_lazy("Tower points"),
    "coopertitionBonusAchieved": gettext_lazy("Coopertition"),
    "coopertitionCriteriaMet": gettext_lazy("Coopertition"),
    "endGameTotalStagePoints": gettext_lazy("Stage points"),
    "endGameBargePoints": gettext_lazy("Barge points"),
}


@dataclass(frozen=True)
class Limits:
    """What a figure must be between to be listed; in per cent for shares, as the page shows them."""

    column: Column
    least: str
    most: str

    def hold(self, row: Row) -> bool:
        value = row.values.get(self.column.key)
        if value is None:
            return not (_number(self.least) or _number(self.most))
        value = value * 100 if self.column.is_share else value
        least, most = _number(self.least), _number(self.most)
        return (least is None or value >= least) and (most is None or value <= most)


@requires("scouting.analysis.view")
@require_safe
def table(request: SignedInRequest) -> HttpResponseBase:
    """The figures that were chosen, sorted by one of them, between the limits that were typed."""
    read = shown.read_event(request)
    if read is None:
        return shown.no_event(request)
    offered = figures.columns(read.game)
    chosen = _chosen(request.GET, offered)
    sort = request.GET.get("sort", "-totalScore.mean")
    limits = [Limits(each, *_typed(request.GET, each.key)) for each in chosen]
    rows = [row for row in _sorted(read, sort) if all(limit.hold(row) for limit in limits)]
    sheet = Sheet(
        "teams",
        _("All teams"),
        [_heading(Column("team", _("Team")), sort), *(_heading(each, sort) for each in chosen)],
        [_cells(read, row, chosen) for row in rows],
    )
    return shown.sheet(
        request,
        "analysis",
        read,
        sheet,
        offered=offered,
        chosen=[each.key for each in chosen],
        limits=limits,
        sort=sort,
    )


@requires("scouting.analysis.view")
@require_safe
def scatter(request: SignedInRequest) -> HttpResponse:
    """Autonomous against teleop, one dot for each team that was seen."""
    read = shown.read_event(request)
    if read is None:
        return shown.no_event(request)
    points = [
        charts.Point(team, auto, tele)
        for team, each in read.figures.items()
        if (auto := each.measures[AUTO_SCORE].summary.mean) is not None
        and (tele := each.measures[TELE_SCORE].summary.mean) is not None
    ]
    found = request.GET.get("team", "").strip().upper()
    picture = charts.scatter(
        _("Mean autonomous score across, mean teleop score upwards, for each team"),
        charts.Axis(_("Autonomous"), max((point.x for point in points), default=0)),
        charts.Axis(_("Teleop"), max((point.y for point in points), default=0)),
        points,
        found=found,
    )
    context = {"picture": picture, "points": points, "found": found}
    return shown.screen(request, "scatter", read, "scouting/scatter.html", context)


@requires("scouting.analysis.view")
@require_safe
def ranking(request: SignedInRequest) -> HttpResponseBase:
    """By the official scores of the matches that were played, with OPR, DPR and CCWM."""
    read = shown.read_event(request, with_forms=False)
    if read is None:
        return shown.no_event(request)
    rated = ratings.ratings(read.event.matches)
    names = [*words(_("Team")), *numbers(_("Rank"), _("Matches")), *words(_("Record"))]
    names += numbers(*(RANKED_BY.get(key, key) for key in read.game.ranking), "OPR", "DPR", "CCWM")
    rows = []
    for row in ratings.ranking(read.event.matches, read.game.ranking):
        rating = rated.get(row.team) if rated else None
        by_matches = (rating.opr, rating.dpr, rating.ccwm) if rating else (None, None, None)
        values = (row.rank, row.matches, str(row.record), *row.figures, *by_matches)
        rows.append([shown.team_cell(read, row.team), *map(Cell, values)])
    remark = ""
    if rows and rated is None:
        remark = _(
            "OPR, DPR and CCWM need more matches: there are too few matches yet to tell the teams apart."
        )
    return shown.sheet(request, "ranking", read, Sheet("ranking", _("Ranking"), names, rows), remark=remark)


def _chosen(asked: QueryDict, offered: list[Column]) -> list[Column]:
    wanted = asked.getlist("column") or USUAL
    return [each for each in offered if each.key in wanted]


def _sorted(read: Reading, sort: str) -> list[Row]:
    key = sort.removeprefix("-")
    if key == "team":
        return list(reversed(read.rows)) if sort.startswith("-") else read.rows
    return figures.ordered(read.rows, key, descending=sort.startswith("-"))


def _heading(column: Column, sort: str) -> Heading:
    """A second click turns the order; figures begin with the largest, numbers of teams with the smallest."""
    key, is_team = column.key, column.key == "team"
    order = {key: "ascending", f"-{key}": "descending"}.get(sort, "")
    first, second = (key, f"-{key}") if is_team else (f"-{key}", key)
    return Heading(column.label, is_number=not is_team, sort=second if sort == first else first, order=order)


def _cells(read: Reading, row: Row, chosen: list[Column]) -> list[Cell]:
    values = [Cell(row.values.get(each.key), is_share=each.is_share) for each in chosen]
    return [shown.team_cell(read, row.team), *values]


def _typed(asked: QueryDict, key: str) -> tuple[str, str]:
    return asked.get(f"min-{key}", ""), asked.get(f"max-{key}", "")


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ".")) if text else None
    except ValueError:
        return None
