"""A team: what it does at an event, what it told, what was written of it, and where else it was."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from dynamo.errors import Invalid, NotFound
from dynamo.registry import records_at
from scouting import charts, consensus, figures, keys, reading, repository
from scouting.event import ScoutedEvent
from scouting.forms import showing
from scouting.models import CommentForm, PitForm, StandForm
from scouting.reading import Reading
from scouting.views import shown

# Of a team across all its events.
MOST = 200
PHOTO = "media"


@requires("scouting.analysis.view")
@require_safe
def team(request: SignedInRequest, number: str) -> HttpResponse:
    """Five requests, one more for photos: what was written of a team is read across its events."""
    key = reading.chosen_event(request.GET.get("event", ""))
    if key is None:
        return shown.no_event(request)
    try:
        number = keys.team_key(number)
    except Invalid as error:
        raise NotFound from error
    forms = list(repository.stand_forms.across_events(number, limit=MOST, newest_first=True).items)
    pits = list(repository.pit_forms.across_events(number, newest_first=True).items)
    comments = list(repository.comment_forms.across_events(number, newest_first=True).items)
    read = Reading(reading.event_at(key), reading.game_of(key))
    here = sorted((form for form in forms if form.event == key), key=lambda form: (form.match, form.sk))
    told = figures.team_figures(number, consensus.sightings(here, read.game), read.game)
    context = {
        "team": read.event.team(number),
        "figures": told,
        "picture": charts.stacked(
            _("Score of each match: autonomous below, teleop above"), charts.by_match(told)
        ),
        "series": charts.by_match(told),
        "forms": [(form, shown.form_address(form)) for form in here],
        "comments": [comment for comment in comments if comment.event == key],
        "matches": _matches(read.event, number),
        "elsewhere": _elsewhere(key, forms, pits, comments),
        **_pit(read, next((pit for pit in pits if pit.event == key), None)),
    }
    return shown.screen(request, "analysis", read, "scouting/team.html", context)


def _pit(read: Reading, pit: PitForm | None) -> dict[str, Any]:
    if pit is None:
        return {"pit": None}
    places = [(PHOTO, each) for each in pit.photo_ids]
    found = records_at(places) if places else {}
    return {
        "pit": pit,
        "told": showing.told_pit(read.game, pit),
        "photos": [found[place] for place in places if place in found],
    }


def _matches(event: ScoutedEvent, number: str) -> list[Any]:
    return [(match, match.alliance_of(number)) for match in event.matches_of(number)]


def _elsewhere(
    key: str, forms: list[StandForm], pits: list[PitForm], comments: list[CommentForm]
) -> list[str]:
    """The other events at which somebody wrote of the team, the newest first."""
    events = {form.event for form in forms} | {pit.event for pit in pits}
    events |= {comment.event for comment in comments}
    return sorted(events - {key}, reverse=True)
