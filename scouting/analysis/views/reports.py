"""The reports of several scouts about one robot in one match, next to the merged result."""

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import small_number
from core.crud.sheets import Cell, Sheet, words
from core.dynamo.errors import Invalid, NotFound
from scouting import keys
from scouting.analysis import consensus, pages
from scouting.analysis.consensus import Sighting
from scouting.analysis.queries import Reading
from scouting.cells import Value, answer, cell, compared, question_title
from scouting.events.repository import event_infos
from scouting.forms.models import StandForm
from scouting.forms.repository import stand_forms
from scouting.forms.services import game_of
from scouting.games.definition import Question


@requires("scouting.analysis.view")
@require_safe
@pages.at_event
def reports(request: SignedInRequest, key: str, team: str, match: str) -> HttpResponseBase:
    """One column for each report; the last one is the merged result that the analysis uses."""
    forms = _reports(key, team, match)
    read = Reading(event_infos.read(key), game_of(key, forms))
    told = consensus.sighting(forms, read.game)
    titles = words(_("Question"), *(form.scout_name or "?" for form in told.reports), _("Agreed"))
    rows = [_row(label, values) for label, values in _figures(told)]
    rows += [_row(question_title(each), _answers(each, told)) for each in read.game.questions]
    heading = _("%(team)s in match %(match)d") % {"team": told.team, "match": told.match}
    return pages.sheet(
        request,
        "analysis",
        read,
        Sheet("reports", heading, titles, rows),
        heading=heading,
        links=[(form, pages.form_address(form)) for form in told.reports],
    )


def _reports(event: str, team: str, match: str) -> list[StandForm]:
    try:
        forms = stand_forms.of_robot(event, keys.team_key(team), small_number(match))
    except Invalid as error:
        raise NotFound from error
    if not forms:
        raise NotFound
    return forms


def _figures(told: Sighting) -> list[tuple[str, list[Value]]]:
    """The rows that every game has."""
    reports = told.reports
    return [
        (_("Score"), [*(form.total_score for form in reports), told.scores.total]),
        (_("Ranking points"), [*(form.rp_earned for form in reports), told.rp_earned]),
        (_("The robot did not come"), _yes_no([*(form.no_show for form in reports), told.no_show])),
        (_("Its alliance won"), _yes_no([*(form.win for form in reports), told.win])),
        (_("It played defence"), _yes_no([*(form.defense for form in reports), told.defense])),
        (
            _("It was defended against"),
            _yes_no([*(form.defended_against for form in reports), told.defended_against]),
        ),
        (
            _("What went wrong"),
            [", ".join(each) for each in (*(form.criticals for form in reports), told.criticals)],
        ),
    ]


def _answers(question: Question, told: Sighting) -> list[Value]:
    every = [(form.scores or {}).get(question.key) for form in told.reports]
    return [answer(question, value) for value in (*every, told.values[question.key])]


def _yes_no(values: list[bool | None]) -> list[Value]:
    return [_("Yes") if value else _("No") for value in values]


def _row(label: str, values: list[Value]) -> list[Cell]:
    *said, agreed = values
    return [*compared(label, said), cell(agreed)]
