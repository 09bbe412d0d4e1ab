"""Events, their teams and their matches as sheets for file export."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.crud.sheets import Cell, Sheet, numbers, text_columns
from core.dynamo.attributes import from_iso
from scouting.cells import cells, moment, yes_no
from scouting.events.event import Alliance, Match, Playoff, ScoutedEvent
from scouting.events.models import EventInfo


def events(infos: Iterable[EventInfo]) -> Sheet:
    titles = text_columns(
        pgettext("scouting", "Event"),
        _("Name"),
        _("Where"),
        _("First day"),
        _("Last day"),
        _("Our own event"),
    )
    rows = [
        cells(info.event, info.name, info.place, info.starts_on, info.ends_on, yes_no(info.is_own))
        for info in infos
    ]
    return Sheet("events", _("FRC events"), titles, rows)


def teams(event: ScoutedEvent) -> Sheet:
    titles = [
        *text_columns(pgettext("scouting", "Team"), _("Name"), _("Where")),
        *numbers(_("Rank")),
        *text_columns(pgettext("scouting", "Record")),
    ]
    rows = [cells(team.number, team.name, team.place, team.rank or None, team.record) for team in event.teams]
    return Sheet("teams", pgettext("scouting", "Teams"), titles, rows)


def schedule(event: ScoutedEvent) -> Sheet:
    """The matches, with one column per robot, so that a file can be joined with another by team number."""
    places = [_("Red 1"), _("Red 2"), _("Red 3"), _("Blue 1"), _("Blue 2"), _("Blue 3")]
    titles = [
        *numbers(pgettext("scouting", "Match")),
        *text_columns(_("Time"), *places),
        *numbers(_("Red score"), _("Blue score")),
    ]
    titles += text_columns(_("Disqualified"), _("Video"))
    rows = [_match(match) for match in (*event.matches, *event.playoffs)]
    return Sheet("schedule", _("Matches"), titles, rows)


def _match(match: Match) -> list[Cell]:
    videos = [f"https://www.youtube.com/watch?v={video}" for video in match.videos]
    return cells(
        match.label if isinstance(match, Playoff) else match.number,
        moment(from_iso(match.time)) if match.time else None,
        *_robots(match.red),
        *_robots(match.blue),
        *(match.red.score, match.blue.score),
        *(", ".join(match.disqualified), " ".join(videos)),
    )


def _robots(alliance: Alliance) -> list[str]:
    return [*alliance.places, "", "", ""][:3]
