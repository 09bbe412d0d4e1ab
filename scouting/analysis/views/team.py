"""The page of a team: its figures at an event, pit form, reports, and other events."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.dynamo.errors import Invalid, NotFound
from scouting import keys
from scouting.analysis import charts, consensus, pages, statistics
from scouting.analysis.queries import Reading
from scouting.events.event import ScoutedEvent
from scouting.events.repository import event_infos
from scouting.forms import photos, presenters
from scouting.forms.models import PitForm
from scouting.forms.repository import comment_forms, stand_forms
from scouting.forms.services import game_of


@requires("scouting.analysis.view")
@require_safe
@pages.at_event
def team(request: SignedInRequest, key: str, number: str) -> HttpResponse:
    """Five requests: the session, the event with the pit form, forms, comments, and other events."""
    try:
        number = keys.team_key(number)
    except Invalid as error:
        raise NotFound from error
    event, pit = event_infos.read_with(PitForm.about(key, number))
    here = stand_forms.of_team(key, number)
    read = Reading(event, game_of(key, [*here, *([pit] if pit else [])]))
    seen_at = {form.event for form in stand_forms.across_events(number)}
    told = statistics.team_figures(number, consensus.sightings(here, read.game), read.game)
    context = {
        "team": read.event.team(number),
        "figures": told,
        "picture": charts.stacked(
            _("Score of each match: autonomous below, teleop above"), charts.by_match(told)
        ),
        "series": charts.by_match(told),
        "rows": charts.rows(charts.by_match(told)),
        "forms": [(form, pages.form_address(form)) for form in here],
        "comments": comment_forms.of_team(key, number),
        "matches": _matches(read.event, number),
        "elsewhere": sorted(seen_at - {key}, reverse=True),
        **_pit(read, pit),
    }
    return pages.screen(request, "analysis", read, "scouting/analysis/team.html", context)


def _pit(read: Reading, pit: PitForm | None) -> dict[str, Any]:
    if pit is None:
        return {"pit": None}
    return {"pit": pit, "told": presenters.answers_of(read.game, pit), "photos": photos.described(pit)}


def _matches(event: ScoutedEvent, number: str) -> list[Any]:
    return [(match, match.alliance_of(number)) for match in event.matches_of(number)]
