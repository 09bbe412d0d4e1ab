"""All teams of an event: the table of figures, the scatter plot, and the ranking by official scores."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter

from django.http.response import HttpResponseBase
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from core.accounts.rights import SignedInRequest, requires
from core.crud import sheets
from core.crud.sheets import Heading, Sheet, numbers
from core.dynamo.errors import Text
from scouting.analysis import charts, pages, queries, ratings
from scouting.analysis.queries import Reading
from scouting.analysis.statistics.table import Column, Row, columns, ordered
from scouting.analysis.statistics.team import AUTO_SCORE, TELE_SCORE, Summary
from scouting.cells import cell, cells

# In this order: what matters most is in sight on a laptop.
USUAL = (
    "totalScore.mean",
    "opr",
    "autoScore.mean",
    "teleScore.mean",
    "totalScore.last_three",
    "totalScore.deviation",
    "rp",
    "win",
    "criticals",
    "matches",
)
MEAN, DEVIATION = "mean", "deviation"
SCATTERED: dict[str, Text] = {
    MEAN: gettext_lazy("Mean score"),
    DEVIATION: gettext_lazy("Deviation in % of the mean"),
}
# Titles of figures of The Blue Alliance; others are displayed by their names.
RANKED_BY: dict[str, Text] = {
    ratings.WIN_SHARE: gettext_lazy("Win rate"),
    "rp": gettext_lazy("Ranking points"),
    "points": gettext_lazy("Points"),
    "autoPoints": gettext_lazy("Auto points"),
    "hubScore.autoPoints": gettext_lazy("Auto points"),
    "totalTowerPoints": gettext_lazy("Tower points"),
    "coopertitionBonusAchieved": gettext_lazy("Coopertition"),
    "coopertitionCriteriaMet": gettext_lazy("Coopertition"),
    "both2.wallAlgaeCount": gettext_lazy("Coopertition"),
    "endGameTotalStagePoints": gettext_lazy("Stage points"),
    "endGameBargePoints": gettext_lazy("Barge points"),
}


@dataclass(frozen=True)
class Limits:
    """The range of a figure for listed teams; in per cent for shares, as displayed."""

    column: Column
    least: str
    most: str

    def hold(self, row: Row) -> bool:
        value = row.values.get(self.column.key)
        least, most = _number(self.least), _number(self.most)
        if value is None:
            return least is None and most is None
        value = value * 100 if self.column.is_share else value
        return (least is None or value >= least) and (most is None or value <= most)


@requires("scouting.analysis.view")
@pages.at_event
def table(request: SignedInRequest, key: str) -> HttpResponseBase:
    """The chosen figures of the teams within the limits, sorted by one of them."""
    read = queries.at(key)
    offered = columns(read.game)
    query = request.GET
    wanted = query.getlist("column") or USUAL
    chosen = tuple(sorted((each for each in offered if each.key in wanted), key=_place))
    sort = query.get("sort", "-totalScore.mean")
    limits = tuple(
        Limits(each, query.get(f"min-{each.key}", ""), query.get(f"max-{each.key}", "")) for each in chosen
    )
    return pages.sheet(
        request,
        "analysis",
        read,
        _sheet(read, sort, chosen, limits),
        offered=offered,
        choices=_boxes("column", ((each.key, each.label) for each in offered), {each.key for each in chosen}),
        limits=limits,
        sort=sort,
        remark="" if read.forms else _("No forms for this event yet."),
    )


def _place(column: Column) -> int:
    return USUAL.index(column.key) if column.key in USUAL else len(USUAL)


@lru_cache(maxsize=8)
def _sheet(read: Reading, sort: str, chosen: tuple[Column, ...], limits: tuple[Limits, ...]) -> Sheet:
    rows = [row for row in _sorted(read, sort) if all(limit.hold(row) for limit in limits)]
    return Sheet(
        "teams",
        _("All teams"),
        [
            _heading(Column("team", pgettext("scouting", "Team")), sort),
            *sheets.side_columns(_("Name")),
            *(_heading(each, sort) for each in chosen),
        ],
        [
            [
                *pages.team_cells(read, row.team),
                *(cell(row.values.get(each.key), is_share=each.is_share) for each in chosen),
            ]
            for row in rows
        ],
        ticked="team",
    )


@requires("scouting.analysis.view")
@pages.at_event
def scatter(request: SignedInRequest, key: str) -> HttpResponseBase:
    """Autonomous against teleop, one dot for each team with a report: mean score, or deviation."""
    read = queries.at(key)
    of = request.GET.get("of", "")
    of = of if of in SCATTERED else MEAN
    figure = _deviation_in_percent if of == DEVIATION else attrgetter("mean")
    points = [
        charts.Point(team, auto, tele)
        for team, each in read.figures.items()
        if (auto := figure(each.measures[AUTO_SCORE].summary)) is not None
        and (tele := figure(each.measures[TELE_SCORE].summary)) is not None
    ]
    unit = " (%)" if of == DEVIATION else ""
    titles = [*pages.team_headings(), *numbers(_("Autonomous") + unit, _("Teleop") + unit)]
    rows = [[*pages.team_cells(read, each.label), *cells(each.x, each.y)] for each in points]
    sheet = Sheet("auto-and-tele", _("Show as a table"), titles, rows)
    found = request.GET.get("team", "").strip().upper()
    picture = charts.scatter(
        _("%(what)s: autonomous across, teleop upwards, for each team") % {"what": SCATTERED[of]},
        charts.Axis(_("Autonomous") + unit, max((point.x for point in points), default=0)),
        charts.Axis(_("Teleop") + unit, max((point.y for point in points), default=0)),
        tuple(points),
        found=found,
    )
    context = {
        "picture": picture,
        "sheet": sheet,
        "found": found,
        "is_missing": bool(found) and found not in {point.label for point in points},
        "of": of,
        "offered": SCATTERED.items(),
    }
    file = sheets.as_file(request, sheet, read.event.key)
    return file or pages.screen(request, "scatter", read, "scouting/analysis/scatter.html", context)


def _deviation_in_percent(summary: Summary) -> float | None:
    """The deviation in per cent of the mean, so that teams with high and low scores are comparable."""
    return None if summary.consistency is None else 100 * (1 - summary.consistency)


@requires("scouting.analysis.view")
@pages.at_event
def ranking(request: SignedInRequest, key: str) -> HttpResponseBase:
    """The ranking by official scores, with OPR, DPR, CCWM and the OPR of score components."""
    read = queries.at(key, with_forms=False)
    matches = read.event.matches
    rated = read.official.ratings
    by = ratings.ranked_by(matches, read.game.ranking)
    official = {team.number: team.rank for team in read.event.teams}
    rank = _("Rank") if ratings.has_ranks(official) else _("Rank (computed)")
    names = [
        *numbers(rank),
        *pages.team_headings(),
        *sheets.text_columns(pgettext("scouting", "Record")),
        *numbers("OPR", *(RANKED_BY.get(key, key) for key in by), "DPR", "CCWM", _("Matches")),
    ]
    parts = {each: RANKED_BY.get(each, each) for each in ratings.component_keys(matches)}
    chosen = [each for each in parts if each in request.GET.getlist("part")]
    names += numbers(*(f"OPR: {parts[each]}" for each in chosen))
    by_part = ratings.component_oprs(matches, chosen) or {}
    rows = []
    for row in ratings.ranking(matches, by, official):
        rating = rated.get(row.team) if rated else None
        opr, dpr, ccwm = (rating.opr, rating.dpr, rating.ccwm) if rating else (None, None, None)
        figures = [
            cell(value, is_share=key == ratings.WIN_SHARE) for key, value in zip(by, row.figures, strict=True)
        ]
        of_parts = [by_part.get(each, {}).get(row.team) for each in chosen]
        rows.append(
            [
                cell(row.rank),
                *pages.team_cells(read, row.team),
                *cells(str(row.record), opr),
                *figures,
                *cells(dpr, ccwm, row.matches, *of_parts),
            ]
        )
    remarks = _ranking_remarks(read, by, official) if rows else ()
    return pages.sheet(
        request,
        "ranking",
        read,
        Sheet("ranking", _("Ranking"), names, rows, is_ranked=True),
        remark=" ".join(remarks),
        parts=parts.items(),
        choices=_boxes("part", parts.items(), chosen),
    )


def _ranking_remarks(read: Reading, by: Sequence[str], official: Mapping[str, int]) -> Iterator[str]:
    """Texts that say where the ranks come from, and what is missing."""
    if ratings.has_ranks(official) and ratings.WIN_SHARE in by:
        yield _("Official ranks, without ranking points.")
    elif ratings.has_ranks(official):
        yield _("Official ranks.")
    elif ratings.WIN_SHARE in by:
        yield _("There are no ranks or ranking points yet. Teams are ordered by win rate, then by points.")
    else:
        yield _(
            "There are no official ranks yet. These are calculated from the matches and may differ in a tie."
        )
        missing = ratings.missing_figures(read.event.matches, by)
        if missing:
            figures = ", ".join(str(RANKED_BY.get(key, key)) for key in missing)
            yield _("The rules also rank by stats that matches do not include: %(figures)s.") % {
                "figures": figures
            }
    if read.official.ratings is None:
        yield _("OPR, DPR and CCWM need more matches to tell the teams apart.")


def _boxes(name: str, offered: Iterable[tuple[str, Text]], chosen: Container[str]) -> SafeString:
    """Checkboxes, built without a template: a game has about a hundred figures."""
    label = '<label for="{0}-{1}"><input type="checkbox" name="{0}" id="{0}-{1}" value="{1}"{2}> {3}</label>'
    ticked = SafeString(" checked")
    return format_html_join(
        "", label, ((name, key, ticked if key in chosen else "", title) for key, title in offered)
    )


def _sorted(read: Reading, sort: str) -> list[Row]:
    key, descending = sort.removeprefix("-"), sort.startswith("-")
    if key == "team":
        return read.rows[::-1] if descending else read.rows
    return ordered(read.rows, key, descending=descending)


def _heading(column: Column, sort: str) -> Heading:
    """A sortable heading: figures sort descending first, team numbers ascending."""
    is_team = column.key == "team"
    heading = Heading(column.label, is_number=not is_team)
    return sheets.sortable(
        heading, column.key, sort, first=sheets.ASCENDING if is_team else sheets.DESCENDING
    )


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ".")) if text else None
    except ValueError:
        return None
