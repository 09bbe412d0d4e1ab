"""Pages for editing an event by hand: its fields, its teams, its matches."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import requires
from core.crud.form_page import FormPage
from core.dynamo.errors import AlreadyExists, Conflict, DataError, Text
from scouting.events import services
from scouting.events.forms import EventForm, LinesForm
from scouting.events.lines import BadLines, match_lines, team_lines
from scouting.events.models import EventInfo, EventList
from scouting.events.repository import EventParts, event_infos
from scouting.form_page import ResendablePage, version_to_replace


@requires("scouting.event.update")
class EditEvent(ResendablePage[EventForm]):
    form_class = EventForm
    template = "scouting/events/edit.html"
    success_message = _("Saved.")

    def get_object(self) -> EventInfo:
        return event_infos.parts(self.kwargs["key"], strong=True).info

    def initial(self) -> Mapping[str, Any]:
        return EventForm.initial_of(self.object)

    def save(self) -> None:
        user, values = self.request.user, self.form.fields_of()
        services.edit(user, self.kwargs["key"], values, seen_version=self.seen_version, once=self.once)

    def context(self) -> Mapping[str, Any]:
        return {"info": self.object}

    def success_url(self) -> str:
        return reverse("scouting:event", args=[self.kwargs["key"]])


class LinesPage(FormPage[LinesForm]):
    """Base of the pages that edit a list as text, one item per line; a refused text is shown again."""

    form_class = LinesForm
    template = "scouting/events/lines.html"
    success_message = _("Saved.")
    stale = (Conflict, AlreadyExists)
    title: Text
    label: Text
    help: Text

    def get_object(self) -> EventParts:
        return event_infos.parts(self.kwargs["key"], strong=True)

    def stored_list(self) -> EventList:
        """The edited one of the three items of the event."""
        raise NotImplementedError

    def stored_lines(self) -> str:
        raise NotImplementedError

    def initial(self) -> Mapping[str, Any]:
        return {"text": self.stored_lines()}

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"label": self.label, "help": self.help}

    def refuse(self, error: DataError) -> HttpResponse:
        if isinstance(error, BadLines):
            self.form.add_problems(error)
            return self.correct()
        return super().refuse(error)

    def compare(self) -> str:
        return self.stored_lines()

    def context(self) -> Mapping[str, Any]:
        parts = self.object
        version = version_to_replace(self, self.stored_list().seen_version)
        return {"info": parts.info, "event": parts.event, "title": self.title, "version": version}

    def success_url(self) -> str:
        return reverse("scouting:event", args=[self.kwargs["key"]])


@requires("scouting.event.update")
class EditTeams(LinesPage):
    title = _("Teams")
    label = _("One team to a line")
    help = _("Its number, its name and, behind a bar, its place: 254 The Cheesy Poofs | San Jose")

    def stored_list(self) -> EventList:
        teams: EventList = self.object.teams
        return teams

    def stored_lines(self) -> str:
        return team_lines(self.object.event.teams)

    def save(self) -> None:
        user, text = self.request.user, self.form.cleaned_data["text"]
        services.type_teams(user, self.kwargs["key"], text, seen_version=self.seen_version, once=self.once)


@requires("scouting.event.update")
class EditSchedule(LinesPage):
    title = _("Matches")
    label = _("One match to a line")
    help = _(
        "Number, red, blue, and the score if there is one: 1: 254 1678 20 - 2053 2095 254B = 45 - 60. "
        "A place that is still open is a ?, and a ! follows a team that was disqualified: 2095!"
    )

    def stored_list(self) -> EventList:
        schedule: EventList = self.object.schedule
        return schedule

    def stored_lines(self) -> str:
        return match_lines(self.object.event.matches)

    def save(self) -> None:
        user, text = self.request.user, self.form.cleaned_data["text"]
        services.type_matches(user, self.kwargs["key"], text, seen_version=self.seen_version, once=self.once)
