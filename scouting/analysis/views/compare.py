"""The comparison of two to six teams: figures, scores by match, and pit answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.http.response import HttpResponseBase
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.sheets import Heading, Sheet, as_file, words
from core.dynamo.errors import Invalid
from scouting import keys
from scouting.analysis import charts, pages, queries, statistics
from scouting.analysis.charts import Scored
from scouting.analysis.queries import Reading
from scouting.cells import answer, cell, compared, question_title
from scouting.events.event import Team
from scouting.forms import photos, presenters
from scouting.forms.models import PitForm
from scouting.forms.photos import RobotPhoto

MOST_COMPARED = 6


@dataclass(frozen=True)
class Side:
    """A team as a column of the page."""

    team: Team
    address: str
    picture: SafeString | None
    series: list[Scored]
    pit: PitForm | None
    photos: list[RobotPhoto]

    @property
    def series_id(self) -> str:
        return f"series-{self.team.number}"

    @property
    def rows(self) -> SafeString:
        return charts.rows(self.series)


@requires("scouting.analysis.view")
@require_safe
@pages.at_event
def compare(request: SignedInRequest, key: str) -> HttpResponseBase:
    """One column for each team, one row for each figure and each pit question."""
    read = queries.at(key, with_pits=True)
    known, unknown = _teams(request, read)
    chosen = tuple(known[:MOST_COMPARED])
    context = {
        "teams": presenters.team_options(tuple(read.event.team(team) for team in read.seen)),
        "unknown": unknown,
        "slots": [*chosen, *[""] * (MOST_COMPARED - len(chosen))],
        "is_cut": len(known) > MOST_COMPARED,
    }
    if len(chosen) < 2:
        return pages.screen(request, "compare", read, "scouting/analysis/compare.html", context)
    numbers, told = _figures(read, chosen), _pits(read, chosen)
    rows = [*numbers.rows, *([*row, cell(None)] for row in told.rows)]
    file = as_file(request, Sheet("compare", _("Compare"), numbers.headings, rows), read.event.key)
    context |= {
        "sides": list(_sides(read, chosen)),
        "sheets": [sheet for sheet in (numbers, told) if sheet.rows],
        "asked": request.GET.urlencode(),
    }
    return file or pages.screen(request, "compare", read, "scouting/analysis/compare.html", context)


def _teams(request: SignedInRequest, read: Reading) -> tuple[list[str], list[str]]:
    """The requested teams in order, without duplicates: those of the event, and the unknown ones."""
    of_event = {*read.event.team_numbers, *read.seen, *read.pit_by_team}
    typed = [text.strip() for text in request.GET.getlist("team") if text.strip()]
    named = dict.fromkeys(_team(text) for text in typed)
    return [team for team in named if team in of_event], [team for team in named if team not in of_event]


def _team(text: str) -> str:
    """The normalised team number; text that is not a team number is unchanged."""
    try:
        return keys.team_key(text)
    except Invalid:
        return text


def _headings(read: Reading, first: str, chosen: Sequence[str]) -> list[Heading]:
    """Each team heading links to the page of the team."""
    teams = [
        Heading(read.event.team(team).label, address=pages.team_address(team, read.event.key))
        for team in chosen
    ]
    return [*words(first), *teams]


@lru_cache(maxsize=8)
def _figures(read: Reading, chosen: tuple[str, ...]) -> Sheet:
    """One row for each figure; the last column is the difference between the largest and the smallest."""
    values = {row.team: row.values for row in read.rows}
    rows = []
    for column in statistics.columns(read.game):
        told = [values.get(team, {}).get(column.key) for team in chosen]
        known = [value for value in told if value is not None]
        apart = max(known) - min(known) if len(known) > 1 else None
        numbers = [cell(value, is_share=column.is_share) for value in (*told, apart)]
        rows.append([cell(column.label), *numbers])
    headings = [*_headings(read, _("Figure"), chosen), Heading(_("Difference"))]
    return Sheet("figures", _("Figures"), headings, rows)


@lru_cache(maxsize=8)
def _pits(read: Reading, chosen: tuple[str, ...]) -> Sheet:
    """The pit questions that at least one team answered; different answers are marked."""
    told = [(pit.answers or {}) if (pit := read.pit_by_team.get(team)) else {} for team in chosen]
    rows = []
    for question in read.game.pit:
        answers = [answer(question, each.get(question.key)) for each in told]
        if any(each is not None for each in answers):
            rows.append(compared(question_title(question), answers))
    return Sheet("pits", _("Pit"), _headings(read, _("Question"), chosen), rows)


def _sides(read: Reading, chosen: Sequence[str]) -> Iterator[Side]:
    """The charts use one scale, so that their heights are comparable."""
    series = {team: charts.by_match(read.seen[team].figures) for team in chosen if team in read.seen}
    highest = max(map(charts.top_of, series.values()), default=1)
    label = _("Scores of %(team)s by match: autonomous below, teleop above")
    for team in chosen:
        pit = read.pit_by_team.get(team)
        seen = series.get(team, [])
        yield Side(
            team=read.event.team(team),
            address=pages.team_address(team, read.event.key),
            picture=charts.stacked(label % {"team": team}, seen, highest=highest, is_narrow=True)
            if seen
            else None,
            series=seen,
            pit=pit,
            photos=photos.described(pit) if pit else [],
        )
