"""The lists of events, teams, matches and own forms as sheets for a file."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from core.crud.sheets import Cell, Sheet, numbers, words
from core.dynamo.attributes import from_iso
from scouting.event import Alliance, Match, Playoff, ScoutedEvent
from scouting.models import CommentForm, EventInfo, PitForm, StandForm
from scouting.sheets import cells, moment, yes_no


def events(infos: Iterable[EventInfo]) -> Sheet:
    titles = words(_("Event"), _("Name"), _("Where"), _("First day"), _("Last day"), _("Our own"))
    rows = [
        cells(info.event, info.name, info.place, info.starts_on, info.ends_on, yes_no(info.is_own))
        for info in infos
    ]
    return Sheet("events", _("Events"), titles, rows)


def teams(event: ScoutedEvent) -> Sheet:
    titles = [*words(_("Team"), _("Name"), _("Where")), *numbers(_("Rank")), *words(_("Record"))]
    rows = [cells(team.number, team.name, team.place, team.rank or None, team.record) for team in event.teams]
    return Sheet("teams", _("Teams"), titles, rows)


def schedule(event: ScoutedEvent) -> Sheet:
    """One column for each robot, so that a file can be joined with another by the number of a team."""
    places = [_("Red 1"), _("Red 2"), _("Red 3"), _("Blue 1"), _("Blue 2"), _("Blue 3")]
    titles = [*numbers(_("Match")), *words(_("Time"), *places), *numbers(_("Red score"), _("Blue score"))]
    titles += words(_("Disqualified"), _("Video"))
    rows = [_match(match) for match in (*event.matches, *event.playoffs)]
    return Sheet("schedule", _("Matches"), titles, rows)


def stand_forms(forms: Iterable[StandForm]) -> Sheet:
    titles = [*words(_("Event"), _("Team")), *numbers(_("Match"), _("Auto"), _("Tele"), _("Total"), _("RP"))]
    titles += words(_("Won"), _("Did not come"), _("Incidents"), _("Overall strategy"), _("Extra comments"))
    titles += words(_("Sent"))
    rows = [
        cells(
            *(form.event, form.team, int(form.match)),
            *(form.auto_score, form.tele_score, form.total_score, form.rp_earned),
            *(yes_no(form.win), yes_no(form.no_show), ", ".join(form.criticals)),
            *(form.strategy, form.comments, moment(form.created_at)),
        )
        for form in forms
    ]
    return Sheet("my-forms", _("My forms"), titles, rows)


def pit_forms(forms: Iterable[PitForm]) -> Sheet:
    rows = [cells(form.event, form.team, moment(form.created_at)) for form in forms]
    return Sheet("my-forms", _("My forms"), words(_("Event"), _("Team"), _("Sent")), rows)


def comment_forms(forms: Iterable[CommentForm]) -> Sheet:
    titles = words(_("Event"), _("Team"), _("Comment"), _("Sent"))
    rows = [cells(form.event, form.team, form.comments, moment(form.created_at)) for form in forms]
    return Sheet("my-forms", _("My forms"), titles, rows)


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
