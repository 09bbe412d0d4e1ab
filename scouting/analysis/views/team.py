"""The page of a team, and the comparison of two to six teams: figures, scores by match, and pit answers."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from core.accounts.rights import SignedInRequest, requires
from core.crud.sheets import Heading, Sheet, as_file, text_columns
from core.dynamo.errors import Invalid
from scouting import keys
from scouting.analysis import charts, consensus, pages, queries
from scouting.analysis.queries import Reading
from scouting.analysis.statistics import table
from scouting.analysis.statistics.team import team_figures
from scouting.cells import answer, cell, compared, question_title
from scouting.events.repository import event_infos
from scouting.forms import photos, presenters
from scouting.forms.models import PitForm
from scouting.forms.repository import comment_forms, stand_forms
from scouting.forms.services import game_of


@requires("scouting.analysis.view")
@pages.at_event
def team(request: SignedInRequest, key: str, number: str) -> HttpResponse:
    """Five requests: the session, the event with the pit form, forms, comments, and other events."""
    number = keys.in_address(keys.team_key, number)
    event, pit = event_infos.read_with(PitForm.about(key, number))
    here = stand_forms.of_team(key, number)
    read = Reading(event, game_of(key, [*here, *([pit] if pit else [])]))
    seen_at = {form.event for form in stand_forms.across_events(number)}
    figures = team_figures(number, consensus.sightings(here, read.game), read.game)
    columns = charts.by_match(figures)
    context = {
        "team": event.team(number),
        "figures": figures,
        "picture": charts.stacked(_("Score of each match: autonomous below, teleop above"), columns),
        "rows": charts.rows(columns),
        "forms": [(form, pages.form_address(form)) for form in here],
        "comments": comment_forms.of_team(key, number),
        "matches": [(match, match.alliance_of(number)) for match in event.matches_of(number)],
        "elsewhere": sorted(seen_at - {key}, reverse=True),
        "pit": pit,
    }
    if pit:
        context |= {"answers": presenters.answers_of(read.game, pit), "photos": photos.described(pit)}
    return pages.screen(request, "analysis", read, "scouting/analysis/team.html", context)


@requires("scouting.analysis.view")
@pages.at_event
def compare(request: SignedInRequest, key: str) -> HttpResponseBase:
    """One column for each team, one row for each figure and each pit question."""
    read = queries.at(key, with_pits=True)
    known, unknown = _teams(request, read)
    chosen = tuple(known[: pages.MOST_COMPARED])
    context = {
        "teams": presenters.team_options(tuple(read.event.team(team) for team in read.seen)),
        "unknown": unknown,
        "slots": [*chosen, *[""] * (pages.MOST_COMPARED - len(chosen))],
        "is_cut": len(known) > pages.MOST_COMPARED,
    }
    if len(chosen) < 2:
        return pages.screen(request, "compare", read, "scouting/analysis/compare.html", context)
    figures, pits = _figures(read, chosen), _pits(read, chosen)
    rows = [*figures.rows, *([*row, cell(None)] for row in pits.rows)]
    file = as_file(request, Sheet("compare", _("Compare"), figures.headings, rows), read.event.key)
    context |= {
        "sides": list(_sides(read, chosen)),
        "sheets": [sheet for sheet in (figures, pits) if sheet.rows],
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
    return [*text_columns(first), *teams]


@lru_cache(maxsize=8)
def _figures(read: Reading, chosen: tuple[str, ...]) -> Sheet:
    """One row for each figure; the last column is the difference between the largest and the smallest."""
    values = {row.team: row.values for row in read.rows}
    rows = []
    for column in table.columns(read.game):
        figures = [values.get(team, {}).get(column.key) for team in chosen]
        known = [figure for figure in figures if figure is not None]
        apart = max(known) - min(known) if len(known) > 1 else None
        numbers = [cell(figure, is_share=column.is_share) for figure in (*figures, apart)]
        rows.append([cell(column.label), *numbers])
    headings = [*_headings(read, _("Stat"), chosen), Heading(_("Difference"))]
    return Sheet("figures", _("Stats"), headings, rows)


@lru_cache(maxsize=8)
def _pits(read: Reading, chosen: tuple[str, ...]) -> Sheet:
    """The pit questions that at least one team answered; different answers are marked."""
    pits = [read.pit_by_team.get(team) for team in chosen]
    rows = []
    for question in read.game.pit:
        answers = [answer(question, ((pit and pit.answers) or {}).get(question.key)) for pit in pits]
        if any(each is not None for each in answers):
            rows.append(compared(question_title(question), answers))
    return Sheet("pits", _("Pit"), _headings(read, _("Question"), chosen), rows)


def _sides(read: Reading, chosen: Sequence[str]) -> Iterator[dict[str, Any]]:
    """A column of the page for each team. The charts use one scale, so that their heights are comparable."""
    series = {team: charts.by_match(read.seen[team].figures) for team in chosen if team in read.seen}
    highest = max(map(charts.top_of, series.values()), default=1)
    label = _("Scores of %(team)s by match: autonomous below, teleop above")
    for team in chosen:
        pit, columns = read.pit_by_team.get(team), series.get(team, ())
        picture = charts.stacked(label % {"team": team}, columns, highest=highest, is_narrow=True)
        yield {
            "team": read.event.team(team),
            "address": pages.team_address(team, read.event.key),
            "picture": picture if columns else None,
            "rows": charts.rows(columns),
            "series_id": f"series-{team}",
            "pit": pit,
            "photos": photos.described(pit) if pit else [],
        }
