"""What scouting contributes to the pages across domains: tasks for Home, and a search source."""

from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.accounts.rights import may
from core.accounts.user import User
from core.crud import palette
from core.crud.cached_urls import address_of, address_of_record
from core.crud.listing import Badge
from core.crud.palette import Hit, Source
from core.crud.todo import Task, task_source
from core.dynamo.attributes import now
from scouting.events.directory import team_directory
from scouting.events.event import NoSuchEvent, ScoutedEvent
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos
from scouting.forms.repository import stand_forms

TO_SCOUT = Badge("waiting", gettext_lazy("No form yet"))
TO_VISIT = Badge("waiting", gettext_lazy("Not visited yet"))
TO_CORRECT = Badge("waiting", gettext_lazy("Not in this match"))


# What the tasks read: settings and game (cached for 30 seconds), the event, its stand forms and pit forms.
@task_source(requests=5, right="scouting.coverage.view")
def at_event(user: User) -> Iterator[Task]:
    """Robots and pits without a form while the event is on; forms with a mistyped team or match."""
    # Imported here, so that the analysis modules are loaded by the first request of a scout, not at start-up.
    from scouting.analysis import queries
    from scouting.analysis.statistics import coverage
    from scouting.forms import corrections
    from scouting.settings import services as settings

    key = settings.active().event
    if key is None:
        return
    try:
        read = queries.at(key, with_pits=True)
    except NoSuchEvent:
        return
    event = read.event
    for form in coverage.strays(event, read.forms):
        if corrections.may_correct(user, form, event):
            place = {"team": form.team, "match": int(form.match)}
            address = address_of("scouting:form", "stand", stand_forms.key_of(form))
            title = _("Team %(team)s in match %(match)d") % place
            yield Task(title, address, event.name, form.created_at, TO_CORRECT)
    if not _is_on(event):
        return
    robots = coverage.tally(read.coverage)[coverage.MISSING]
    if robots:
        title = ngettext("%(count)d robot", "%(count)d robots", robots) % {"count": robots}
        since = event.schedule_fetched_at or now()
        yield Task(title, _at("scouting:coverage", event), event.name, since, TO_SCOUT)
    pits = len(coverage.pit_progress(event, read.pits.values()).missing)
    if pits:
        title = ngettext("%(count)d pit", "%(count)d pits", pits) % {"count": pits}
        since = event.teams_fetched_at or now()
        yield Task(title, _at("scouting:pits", event), event.name, since, TO_VISIT)


def _is_on(event: ScoutedEvent) -> bool:
    """Whether the event takes place now; one without dates is on as long as the settings name it."""
    has_begun = event.first_day is None or event.first_day <= localdate()
    return has_begun and (event.ends_at is None or now() <= event.ends_at)


def _at(screen: str, event: ScoutedEvent) -> str:
    return f"{address_of(screen)}?{urlencode({'event': event.key})}"


@palette.register_finder("scouting")
def find_in_scouting(user: User) -> Source | None:
    """The search source for events (one Query per word) and teams (read every 30 seconds per process)."""
    sees_events, sees_teams = may(user, "scouting.event.view"), may(user, "scouting.analysis.view")
    if not (sees_events or sees_teams):
        return None
    return Source(
        find=_teams if sees_teams else lambda _wanted: (),
        scopes=[event_infos.scope] if sees_events else (),
        shows={event_infos.entity: _event} if sees_events else {},
    )


def _event(event: EventInfo) -> Hit:
    kind = " · ".join(filter(None, (_("Scouting event"), event.event, event.place)))
    return Hit(event.name, "calendar", address_of_record("scouting:event", event.event), kind=kind)


def _teams(wanted: Sequence[str]) -> Iterator[Hit]:
    for team in team_directory.get():
        if all(any(word.startswith(beginning) for word in team.words) for beginning in wanted):
            address = f"{address_of('scouting:team', team.number)}?event={team.event}"
            kind = " · ".join((_("Scouting team"), team.event_name))
            yield Hit(f"{team.number} {team.name}".strip(), "robot", address, kind=kind)
