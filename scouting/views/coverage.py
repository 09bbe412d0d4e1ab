"""Who still has to be seen: robots in matches, and teams in their pits."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, may, requires
from dynamo.errors import Text
from scouting import figures
from scouting.figures.coverage import DONE, DOUBLE, MISSING, Covered, Place
from scouting.reading import Reading
from scouting.sheets import Cell, Sheet, as_file, cells, words
from scouting.views import shown

STATES: dict[str, Text] = {
    DONE: gettext_lazy("done"),
    MISSING: gettext_lazy("missing"),
    DOUBLE: gettext_lazy("double"),
}


@dataclass(frozen=True)
class Robot:
    """A robot of a match as the board shows it; `address` leads to its form, or to a new one."""

    place: Place
    state: str
    address: str


@dataclass(frozen=True)
class Line:
    covered: Covered
    robots: list[Robot]


@requires("scouting.coverage.view")
@require_safe
def coverage(request: SignedInRequest) -> HttpResponseBase:
    """Each match with its six robots."""
    read = shown.read_event(request)
    if read is None:
        return shown.no_event(request)
    covered = figures.coverage(read.event, read.forms)
    file = as_file(request, _sheet(covered), read.event.key)
    if file:
        return file
    sees_forms = may(request.user, "scouting.form.view")
    counts = figures.tally(covered)
    context = {
        "lines": [
            Line(each, [_robot(read, each, place, sees_forms) for place in each.places]) for each in covered
        ],
        "counts": [(state, title, counts[state]) for state, title in STATES.items()],
        "missing": [
            (each.match.number, place.team)
            for each in covered
            if each.is_due
            for place in each.places
            if not place.form_ids
        ],
        "strays": [(form, shown.form_address(form)) for form in figures.strays(read.event, read.forms)],
        "sees_forms": sees_forms,
    }
    return shown.screen(request, "coverage", read, "scouting/coverage.html", context)


@requires("scouting.coverage.view")
@require_safe
def pits(request: SignedInRequest) -> HttpResponseBase:
    """The teams whose pit nobody visited, and those of whose robot there is no photo, come first."""
    read = shown.read_event(request, with_forms=False, with_pits=True)
    if read is None:
        return shown.no_event(request)
    progress = figures.pit_progress(read.event, read.pits)
    rows = [_pit(read, team) for team in (*progress.missing, *progress.done)]
    rows.sort(key=lambda row: [cell.value for cell in row[1:3]] == [_("yes"), _("yes")])
    told = {"done": len(progress.done), "all": len(progress.done) + len(progress.missing)}
    return shown.sheet(
        request,
        "pits",
        read,
        Sheet("pits", _("Pits"), words(_("Team"), _("Form"), _("Photo"), _("Scout")), rows),
        remark=_("%(done)d of %(all)d teams were visited.") % told if told["all"] else "",
    )


def _pit(read: Reading, team: str) -> list[Cell]:
    pit = read.pit_by_team.get(team)
    asked = urlencode({"event": read.event.key, "team": team})
    name = Cell(read.event.team(team).label, f"{reverse('scouting:pit')}?{asked}")
    has_photo = bool(pit and (pit.photo_ids or pit.robot_image))
    return [
        name,
        Cell(_("yes") if pit else _("missing")),
        Cell(_("yes") if has_photo else _("missing")),
        Cell(pit.scout_name if pit else None),
    ]


def _robot(read: Reading, covered: Covered, place: Place, sees_forms: bool) -> Robot:
    state = place.state if covered.is_due else ("coming" if not place.form_ids else place.state)
    if not place.form_ids:
        asked = {"event": read.event.key, "after": covered.match.number - 1}
        asked |= {"match": covered.match.number, "team": place.team}
        return Robot(place, state, f"{reverse('scouting:stand')}?{urlencode(asked)}")
    first = next(form for form in read.by_team[place.team] if form.id == place.form_ids[0])
    return Robot(place, state, shown.form_address(first) if sees_forms else "")


def _sheet(covered: list[Covered]) -> Sheet:
    rows = [
        cells(each.match.number, place.colour, place.team, str(STATES[place.state]), len(place.form_ids))
        for each in covered
        for place in each.places
    ]
    titles = words(_("Match"), _("Alliance"), _("Team"), _("State"), _("Forms"))
    return Sheet("coverage", _("Coverage"), titles, rows)
