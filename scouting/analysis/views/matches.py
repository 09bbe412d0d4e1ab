"""The matches of an event: results, forecasts, one of them for the drive team; coverage, also of pits."""

from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.formats import localize
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from core.accounts.rights import SignedInRequest, may, requires
from core.accounts.user import User
from core.common.http import small_number
from core.crud.cached_urls import address_of
from core.crud.sheets import Cell, Heading, Sheet, as_file, numbers, text_columns
from core.dynamo.errors import NotFound, Text
from scouting.analysis import pages, queries
from scouting.analysis.queries import Reading
from scouting.analysis.statistics import coverage as statistics
from scouting.cells import answers, cell, cells, question_title
from scouting.events.event import BLUE, RED, Alliance, Match, Playoff
from scouting.events.lines import OPEN
from scouting.forms.models import PitForm

STATES: dict[str, Text] = {
    statistics.DONE: gettext_lazy("done"),
    statistics.MISSING: gettext_lazy("missing"),
    statistics.DOUBLE: gettext_lazy("double"),
    statistics.COMING: gettext_lazy("to come"),
}
COUNTED = (statistics.DONE, statistics.MISSING, statistics.DOUBLE)


@requires("scouting.analysis.view")
@pages.at_event
def matches(request: SignedInRequest, key: str) -> HttpResponseBase:
    """All matches, playoffs last: results and forecasts."""
    read = queries.at(key)
    titles = text_columns(pgettext("scouting", "Match"), _("Red teams"), _("Blue teams"))
    titles += numbers(_("Red, expected"), _("Blue, expected"), _("Red wins"), _("Red score"), _("Blue score"))
    rows = []
    for match in (*read.event.matches, *read.event.playoffs):
        expected = read.forecasts.of(match)
        rows.append(
            [
                _named(match, read.event.key),
                *cells(_in_places(match.red), _in_places(match.blue), expected.red, expected.blue),
                cell(expected.red_chance, is_share=True),
                *cells(match.red.score, match.blue.score),
            ]
        )
    table = Sheet("matches", _("Matches"), titles, rows)
    return pages.sheet(request, "matches", read, table, remark=_remark(read))


@requires("scouting.analysis.view")
@pages.at_event
def match(request: SignedInRequest, key: str, number: str) -> HttpResponse:
    """Both alliances side by side, for the drive team; can be printed."""
    read = queries.at(key)
    found = read.event.match(small_number(number))
    if found is None:
        raise NotFound
    context = {"match": found, "sides": _sides(read, found), "remark": _remark(read)}
    return pages.screen(request, "matches", read, "scouting/analysis/match.html", context)


def _named(match: Match, event: str) -> Cell:
    """The match number, linked to its page; playoffs have none."""
    if isinstance(match, Playoff):
        return cell(match.label)
    return cell(str(match.number), f"{reverse('scouting:match', args=[match.number])}?event={event}")


def _in_places(alliance: Alliance) -> str:
    return " ".join(team or OPEN for team in alliance.places)


def _remark(read: Reading) -> str:
    """Text about the forecasts of an event."""
    return " ".join(filter(None, (_hit_rate(read), _without_fouls(read))))


def _without_fouls(read: Reading) -> str:
    """A warning if some official scores include an unknown number of foul points."""
    played = [match for match in read.official.matches if match.was_played]
    if all(alliance.tells_fouls for match in played for alliance in (match.red, match.blue)):
        return ""
    return _("Scores without foul details are counted including fouls.")


def _hit_rate(read: Reading) -> str:
    """The hit rate of the forecasts as text; empty until a match with a forecast was played."""
    hits = read.forecasts.hits
    if hits.share is None:
        return ""
    text = _(
        "So far %(right)d of %(named)d forecasts were right (%(percent)d%%). Each used only data "
        "from before its match. Expected points exclude fouls."
    )
    return text % {"right": hits.right, "named": hits.named, "percent": round(100 * hits.share)}


def _sides(read: Reading, match: Match) -> list[dict[str, Any]]:
    """The alliances as columns of the page."""
    forecast = read.forecasts.of(match)
    chance = forecast.red_chance
    sides = [(RED, _("Red"), forecast.red, chance)]
    sides.append((BLUE, _("Blue"), forecast.blue, None if chance is None else 1 - chance))
    return [
        {
            "colour": colour,
            "title": title,
            "robots": [_robot(read, team) for team in match.alliance(colour).teams],
            "expected": expected,
            "score": match.alliance(colour).score,
            "chance": chance,
        }
        for colour, title, expected, chance in sides
    ]


def _robot(read: Reading, team: str) -> dict[str, Any]:
    figures = read.figures[team]
    return {
        "team": read.event.team(team),
        "figures": figures,
        "address": pages.team_address(team, read.event.key),
        # The remark that was written last.
        "remark": next((each.comments or each.strategy for each in reversed(figures.remarks)), ""),
    }


# --- Coverage -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Robot:
    """A robot of a match on the coverage page; `address` links to its forms, or to a new one."""

    place: statistics.CoveredRobot
    address: str

    @property
    def html(self) -> str:
        place = self.place
        looks = f'class="coverage-robot {place.colour} {place.state}"'
        text = f"<strong>{escape(place.team)}</strong> <span>{escape(str(STATES[place.state]))}</span>"
        if self.address:
            return f'<li><a {looks} href="{escape(self.address)}">{text}</a></li>'
        return f"<li><span {looks}>{text}</span></li>"


@dataclass(frozen=True)
class Line:
    covered: statistics.Covered
    robots: list[Robot]

    @property
    def html(self) -> SafeString:
        """Built without a template, which would look up a dozen variables for each of hundreds of robots."""
        looks = "coverage-line" if self.covered.is_due else "coverage-line coming"
        title = escape(_("Match %(number)s") % {"number": localize(self.covered.match.number)})
        robots = "".join(robot.html for robot in self.robots)
        content = f'<span class="coverage-match">{title}</span><ul>{robots}</ul>'
        return mark_safe(f'<li class="{looks}">{content}</li>')  # noqa: S308


@requires("scouting.coverage.view")
@pages.at_event
def coverage(request: SignedInRequest, key: str) -> HttpResponseBase:
    """Each match with its six robots."""
    read = queries.at(key)
    file = as_file(request, _sheet(read), read.event.key) if "as" in request.GET else None
    if file:
        return file
    counts = statistics.tally(read.coverage)
    context = {
        "lines": [
            Line(
                each, [Robot(place, _robot_address(request.user, read, each, place)) for place in each.places]
            )
            for each in read.coverage
        ],
        "counts": [(state, STATES[state], counts[state]) for state in COUNTED],
        "missing": [
            (each.match.number, place.team)
            for each in read.coverage
            if each.is_due
            for place in each.places
            if not place.form_ids
        ],
        "strays": [
            (form, pages.form_address(form) if may(request.user, "scouting.form.view", form) else "")
            for form in statistics.strays(read.event, read.forms)
        ],
    }
    return pages.screen(request, "coverage", read, "scouting/analysis/coverage.html", context)


@requires("scouting.coverage.view")
@pages.at_event
def pits(request: SignedInRequest, key: str) -> HttpResponseBase:
    """The teams and their pit forms; teams without a form, or without a photo, come first."""
    read = queries.at(key, with_forms=False, with_pits=True)
    progress = statistics.pit_progress(read.event, read.pits.values())
    complete = {pit.team for pit in read.pits.values() if _has_photo(pit)}
    listed = sorted((*progress.missing, *progress.done), key=complete.__contains__)
    # Teams that are not listed, by a typing error or because the list is incomplete.
    teams = [*listed, *(pit.team for pit in read.pits.values() if pit.team not in read.event.team_numbers)]
    titles = [*pages.team_headings(), *text_columns(_("Form"), _("Photo"), _("Scout"))]
    counts = {"done": len(progress.done), "all": len(listed)}
    return pages.sheet(
        request,
        "pits",
        read,
        Sheet("pits", _("Pits"), titles, [_pit(read, team) for team in teams]),
        in_file=lambda: (
            _answers(read, titles, teams) if may(request.user, "scouting.analysis.view") else None
        ),
        remark=_("%(done)d of %(all)d teams visited.") % counts if listed else "",
    )


def _has_photo(pit: PitForm) -> bool:
    return bool(pit.photos or pit.robot_image)


def _pit(read: Reading, team: str) -> list[Cell]:
    pit, numbers = read.pit_by_team.get(team), read.event.team_numbers
    is_listed = not numbers or team in numbers
    query = urlencode({"event": read.event.key, "team": team})
    address = f"{address_of('scouting:pit')}?{query}"
    return [
        *pages.team_cells(read, team, address, _("Pit form of %(team)s") % {"team": team}),
        cell(_("missing") if pit is None else _("yes") if is_listed else _("yes, not on the list")),
        cell(_("yes") if pit and _has_photo(pit) else _("missing")),
        cell(pit.scout_name if pit else None),
    ]


def _answers(read: Reading, titles: list[Heading], teams: list[str]) -> Sheet:
    """The pit forms with all answers for the file: one column for each question."""
    questions = read.game.pit
    rows = []
    for team in teams:
        pit = read.pit_by_team.get(team)
        rows.append([*_pit(read, team), *answers(questions, pit.answers if pit else {})])
    return Sheet("pits", _("Pits"), [*titles, *text_columns(*map(question_title, questions))], rows)


def _robot_address(
    user: User, read: Reading, covered: statistics.Covered, place: statistics.CoveredRobot
) -> str:
    if not place.form_ids:
        query = {"event": read.event.key, "match": covered.match.number, "team": place.team}
        return f"{address_of('scouting:stand')}?{urlencode(query)}"
    if place.state == statistics.DOUBLE and may(user, "scouting.analysis.view"):
        address = address_of("scouting:reports", place.team, str(covered.match.number))
        return f"{address}?event={read.event.key}"
    # The first form that the user may view: any for leads, a scout's own.
    found = (form for form in read.seen[place.team].forms if form.id in place.form_ids)
    seen = next((form for form in found if may(user, "scouting.form.view", form)), None)
    return pages.form_address(seen) if seen else ""


def _sheet(read: Reading) -> Sheet:
    rows = [
        cells(
            each.match.number,
            place.colour,
            place.team,
            read.event.team(place.team).name,
            str(STATES[place.state]),
            len(place.form_ids),
        )
        for each in read.coverage
        for place in each.places
    ]
    titles = text_columns(
        pgettext("scouting", "Match"),
        _("Alliance"),
        pgettext("scouting", "Team"),
        _("Name"),
        _("State"),
        _("Forms"),
    )
    return Sheet("coverage", _("Coverage"), titles, rows)
