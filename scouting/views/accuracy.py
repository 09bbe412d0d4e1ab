"""How the scouts do, and all that they wrote at an event."""

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from scouting import figures
from scouting.models import StandForm
from scouting.sheets import Cell, Sheet, cells, numbers, words
from scouting.views import shown


@requires("scouting.analysis.view")
@require_safe
def scouts(request: SignedInRequest) -> HttpResponseBase:
    """Who wrote how much, and how near it is to the official scores."""
    read = shown.read_event(request, with_pits=True)
    if read is None:
        return shown.no_event(request)
    judged = {each.scout.id: each for each in figures.accuracy(read.event.matches, read.sightings)}
    rows = []
    for each in figures.leaderboard([*read.forms, *read.pits]):
        found = judged.get(each.scout.id)
        values = (found.judged, found.mean_error, found.bias) if found else (0, None, None)
        rows.append(cells(each.scout.name, each.forms, *values))
    titles = words(_("Scout")) + numbers(
        _("Forms"), _("Alliances judged"), _("Mean error"), _("Too much (+) or too little (-)")
    )
    remark = _(
        "The error compares three robots of an alliance together with its official score without fouls."
    )
    return shown.sheet(
        request, "scouts", read, Sheet("scouts", _("Scouts"), titles, rows), remark=remark if rows else ""
    )


@requires("scouting.analysis.view")
@require_safe
def forms(request: SignedInRequest) -> HttpResponseBase:
    """All stand forms of the event, by team and match."""
    read = shown.read_event(request)
    if read is None:
        return shown.no_event(request)
    text = request.GET.get("q", "").strip()
    found = [form for team in read.by_team.values() for form in team if fits(form, text)]
    titles = [
        *words(_("Team")),
        *numbers(_("Match"), _("Auto"), _("Tele"), _("Total"), _("RP")),
        *words(_("Won"), _("Incidents"), _("Scout")),
    ]
    rows = [_row(form) for form in found]
    return shown.sheet(request, "event-forms", read, Sheet("forms", _("Forms"), titles, rows), searched=text)


def fits(form: StandForm, text: str) -> bool:
    """A number is a team, "match 7" is a match, and anything else part of a scout's name."""
    words = text.casefold().split()
    if not words:
        return True
    if len(words) == 2 and words[0] == _("match").casefold() and words[1].isdecimal():
        return int(form.match) == int(words[1])
    return form.team == text.upper() or text.casefold() in form.scout_name.casefold()


def _row(form: StandForm) -> list[Cell]:
    values = (
        int(form.match),
        form.auto_score,
        form.tele_score,
        form.total_score,
        form.rp_earned,
        _("yes") if form.win else _("no"),
        ", ".join(form.criticals),
        form.scout_name,
    )
    return [Cell(form.team, shown.form_address(form)), *cells(*values)]
