"""Coverage pages: robots without a report, and teams without a pit form."""

from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

from django.http.response import HttpResponseBase
from django.utils.formats import localize
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import SignedInRequest, may, requires
from core.accounts.user import User
from core.crud.addresses import address_of
from core.crud.sheets import Cell, Heading, Sheet, as_file, words
from core.dynamo.errors import Text
from scouting.analysis import pages, queries
from scouting.analysis.queries import Reading
from scouting.analysis.statistics.coverage import (
    COMING,
    DONE,
    DOUBLE,
    MISSING,
    Covered,
    CoveredRobot,
    pit_progress,
    strays,
    tally,
)
from scouting.cells import answers, cell, cells, question_title
from scouting.forms.models import PitForm

STATES: dict[str, Text] = {
    DONE: gettext_lazy("done"),
    MISSING: gettext_lazy("missing"),
    DOUBLE: gettext_lazy("double"),
    COMING: gettext_lazy("to come"),
}
COUNTED = (DONE, MISSING, DOUBLE)


@dataclass(frozen=True)
class Robot:
    """A robot of a match on the coverage page; `address` links to its forms, or to a new one."""

    place: CoveredRobot
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
    covered: Covered
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
    counts = tally(read.coverage)
    context = {
        "lines": [
            Line(each, [Robot(place, _address(request.user, read, each, place)) for place in each.places])
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
            for form in strays(read.event, read.forms)
        ],
    }
    return pages.screen(request, "coverage", read, "scouting/analysis/coverage.html", context)


@requires("scouting.coverage.view")
@pages.at_event
def pits(request: SignedInRequest, key: str) -> HttpResponseBase:
    """The teams and their pit forms; teams without a form, or without a photo, come first."""
    read = queries.at(key, with_forms=False, with_pits=True)
    progress = pit_progress(read.event, read.pits.values())
    complete = {pit.team for pit in read.pits.values() if _has_photo(pit)}
    listed = sorted((*progress.missing, *progress.done), key=complete.__contains__)
    # Teams that are not listed, by a typing error or because the list is incomplete.
    teams = [*listed, *(pit.team for pit in read.pits.values() if pit.team not in read.event.team_numbers)]
    titles = [*pages.team_headings(), *words(_("Form"), _("Photo"), _("Scout"))]
    counts = {"done": len(progress.done), "all": len(listed)}
    return pages.sheet(
        request,
        "pits",
        read,
        Sheet("pits", _("Pits"), titles, [_pit(read, team) for team in teams]),
        in_file=lambda: (
            _answers(read, titles, teams) if may(request.user, "scouting.analysis.view") else None
        ),
        remark=_("%(done)d of %(all)d teams were visited.") % counts if listed else "",
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
    return Sheet("pits", _("Pits"), [*titles, *words(*map(question_title, questions))], rows)


def _address(user: User, read: Reading, covered: Covered, place: CoveredRobot) -> str:
    if not place.form_ids:
        query = {"event": read.event.key, "match": covered.match.number, "team": place.team}
        return f"{address_of('scouting:stand')}?{urlencode(query)}"
    if place.state == DOUBLE and may(user, "scouting.analysis.view"):
        return pages.reports_address(place.team, covered.match.number, read.event.key)
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
    titles = words(_("Match"), _("Alliance"), _("Team"), _("Name"), _("State"), _("Forms"))
    return Sheet("coverage", _("Coverage"), titles, rows)
