"""What scouting contributes to the pages across domains: the next match, tasks and dates; a search source."""

from collections.abc import Iterator, Sequence
from datetime import datetime, time
from urllib.parse import urlencode

from django.utils.timezone import get_current_timezone, localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.accounts.rights import may
from core.accounts.user import User
from core.crud import palette
from core.crud.cached_urls import address_of, address_of_record
from core.crud.home import ComingDate, Highlight, Task, home_source
from core.crud.listing import Badge
from core.crud.palette import Hit, Source
from core.crud.times import formatted
from core.dynamo.attributes import now
from scouting.events.directory import team_directory
from scouting.events.event import Match, NoSuchEvent, ScoutedEvent
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos
from scouting.forms.presenters import LATEST
from scouting.forms.presenters import next_match as choose_next_match
from scouting.forms.repository import stand_forms
from scouting.settings import services as settings

TO_CORRECT = Badge("waiting", gettext_lazy("Not in this match"))


# How many of the next matches are dates on Home.
NEXT_MATCHES = 3


# Requests: settings and game (cached for 30 seconds), the event, the latest stand forms.
@home_source("scouting.form.create", requests=4, first=True)
def next_match(user: User) -> Iterator[Highlight]:
    """While the event is on, the match that the stand page opens with."""
    event = _active_event()
    if event is None or not _is_on(event):
        return
    sent = stand_forms.latest(event.key, newest_first=True, limit=LATEST).items
    match = event.match(choose_next_match(event, sent, user.sub, None) or 0)
    if match is None:
        return
    title = _("Match %(number)d") % {"number": match.number}
    starts = _start(match)
    if starts:
        time = formatted(starts, "TIME_FORMAT")
        title = _("Match %(number)d, %(time)s") % {"number": match.number, "time": time}
    yield Highlight(
        label=_("Next match at %(event)s") % {"event": event.name},
        title=title,
        address=f"{_at('scouting:stand', event)}&match={match.number}",
        action=_("Scout this match"),
        icon="robot",
        details=[
            _("Red: %(teams)s") % {"teams": ", ".join(match.red.teams)},
            _("Blue: %(teams)s") % {"teams": ", ".join(match.blue.teams)},
        ],
    )


# Requests: settings and game (cached for 30 seconds), the event, its stand forms and pit forms.
@home_source("scouting.coverage.view", requests=5, at_once=False)
def at_event(user: User) -> Iterator[Task | ComingDate]:
    """The next matches; robots and pits without a form while the event is on; forms with a mistyped team or
    match."""
    # Imported here, so that the analysis modules are loaded by the first request of a scout, not at start-up.
    from scouting.analysis import queries
    from scouting.analysis.statistics import coverage
    from scouting.forms import corrections

    key = settings.active().event
    if key is None:
        return
    try:
        read = queries.at(key, with_pits=True)
    except NoSuchEvent:
        return
    event = read.event
    yield from _dates(event)
    for form in coverage.strays(event, read.forms):
        if corrections.may_correct(user, form, event):
            place = {"team": form.team, "match": int(form.match)}
            address = address_of("scouting:form", "stand", stand_forms.key_of(form))
            title = _("Team %(team)s in match %(match)d") % place
            yield Task(title, address, event.name, form.created_at, TO_CORRECT, _("Correct"))
    if not _is_on(event):
        return
    robots = coverage.tally(read.coverage)[coverage.MISSING]
    if robots:
        title = ngettext("%(count)d robot without a form", "%(count)d robots without a form", robots)
        title %= {"count": robots}
        since = event.schedule_fetched_at or now()
        yield Task(title, _at("scouting:coverage", event), event.name, since, action=_("See which"))
    pits = len(coverage.pit_progress(event, read.pits.values()).missing)
    if pits:
        title = ngettext("%(count)d pit to visit", "%(count)d pits to visit", pits) % {"count": pits}
        since = event.teams_fetched_at or now()
        yield Task(title, _at("scouting:pits", event), event.name, since, action=_("See which"))


def _dates(event: ScoutedEvent) -> Iterator[ComingDate]:
    """The first day of an event to come, or the next matches of one that is on."""
    if event.first_day and event.first_day > localdate():
        starts = datetime.combine(event.first_day, time(), get_current_timezone())
        address = address_of("scouting:coverage")
        yield ComingDate(event.name, address, _("FRC event"), starts, is_all_day=True)
    times = ((match, _start(match)) for match in event.matches if not match.was_played)
    coming = [(match, start) for match, start in times if start and start > now()]
    for match, start in coming[:NEXT_MATCHES]:
        title = _("Match %(number)d") % {"number": match.number}
        yield ComingDate(title, f"{_at('scouting:stand', event)}&match={match.number}", event.name, start)


def _active_event() -> ScoutedEvent | None:
    key = settings.active().event
    try:
        return event_infos.read(key) if key else None
    except NoSuchEvent:
        return None


def _start(match: Match) -> datetime | None:
    return datetime.fromisoformat(match.time) if match.time else None


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
