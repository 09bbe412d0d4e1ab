"""What waits for scouts and leads at the event that the settings name."""

from collections.abc import Iterator
from urllib.parse import urlencode

from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.accounts.user import User
from core.crud.addresses import address_of
from core.crud.listing import Badge
from core.crud.todo import Task, waiting
from core.dynamo.attributes import now
from scouting import repository
from scouting.event import NoSuchEvent, ScoutedEvent

TO_SCOUT = Badge("waiting", gettext_lazy("No form yet"))
TO_VISIT = Badge("waiting", gettext_lazy("Not visited yet"))
TO_CORRECT = Badge("waiting", gettext_lazy("Not in that match"))


# The settings and the game, kept for half a minute; the event, its stand forms and its pit forms.
@waiting(requests=5, right="scouting.coverage.view")
def at_event(user: User) -> Iterator[Task]:
    """Robots and pits without a form while the event is on; forms with a mistyped team or match."""
    # What computes an event is loaded with the first request of a scout.
    from scouting import figures, reading
    from scouting.figures.coverage import MISSING
    from scouting.services import corrections, settings

    key = settings.active().event
    if key is None:
        return
    try:
        read = reading.at(key, with_pits=True)
    except NoSuchEvent:
        return
    event = read.event
    for form in figures.strays(event, read.forms):
        if corrections.may_correct(user, form, event):
            place = {"team": form.team, "match": int(form.match)}
            address = address_of("scouting:form", "stand", repository.stand_forms.key_of(form))
            title = _("Team %(team)s in match %(match)d") % place
            yield Task(title, address, event.name, form.created_at, TO_CORRECT)
    if not _is_on(event):
        return
    robots = figures.tally(read.coverage)[MISSING]
    if robots:
        title = ngettext("%(count)d robot", "%(count)d robots", robots) % {"count": robots}
        since = event.schedule_fetched_at or now()
        yield Task(title, _at("scouting:coverage", event), event.name, since, TO_SCOUT)
    pits = len(figures.pit_progress(event, read.pits.values()).missing)
    if pits:
        title = ngettext("%(count)d pit", "%(count)d pits", pits) % {"count": pits}
        since = event.teams_fetched_at or now()
        yield Task(title, _at("scouting:pits", event), event.name, since, TO_VISIT)


def _is_on(event: ScoutedEvent) -> bool:
    """Events whose days nobody entered are on as long as the settings name them."""
    has_begun = event.first_day is None or event.first_day <= localdate()
    return has_begun and (event.ends_at is None or now() <= event.ends_at)


def _at(screen: str, event: ScoutedEvent) -> str:
    return f"{address_of(screen)}?{urlencode({'event': event.key})}"
