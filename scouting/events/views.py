"""The list of events, a new event, the page of an event with its forms, and the trash."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, is_htmx
from core.crud import toasts
from core.crud.form_page import ActionPage, FormPage
from core.crud.forms import RefusableForm
from core.crud.http import page_or_partial
from core.crud.sheets import as_file
from core.crud.toasts import Undo
from core.crud.views.trash import TrashRow
from core.dynamo import trash
from core.dynamo.attributes import now
from core.dynamo.errors import DataError, NotFound, Text, Unavailable
from core.dynamo.paging import DEFAULT_LIMIT, read_token
from scouting.events import exports, services
from scouting.events.forms import EventForm, LinesForm, NewEventForm
from scouting.events.lines import BadLines, match_lines, team_lines
from scouting.events.models import EventInfo, EventList
from scouting.events.repository import EventParts, event_infos
from scouting.form_page import ResendablePage
from scouting.settings import services as settings
from scouting.tba import client

LIST, TRASH = "scouting:events", "scouting:event-trash"


# --- The events ---------------------------------------------------------------------------------------------


@requires("scouting.event.view")
@require_safe
def events(request: SignedInRequest) -> HttpResponseBase:
    """The events, newest year first; with `?as=`, all of them as a file."""
    if "as" in request.GET and (file := as_file(request, exports.events(event_infos.newest_first()), "all")):
        return file
    start = read_token(request.GET.get("after"), request.user.sub, LIST)
    page = event_infos.by_key(newest_first=True, limit=DEFAULT_LIMIT, start=start)
    context = {
        "events": page.items,
        "next_token": page.next_token(request.user.sub, LIST),
        "is_first_page": start is None,
        "active": settings.active().event,
    }
    return render(request, "scouting/events/list.html", context)


@requires("scouting.event.update")
class NewEvent(FormPage[NewEventForm]):
    """Create an event, and fetch what The Blue Alliance knows of it."""

    form_class = NewEventForm
    template = "scouting/events/new.html"

    def save(self) -> None:
        key = self.form.cleaned_data["event"].strip().lower()
        self.answer = {"key": key}
        services.create(self.request.user, key, self.form.fields_of(), once=self.once)

    def context(self) -> Mapping[str, Any]:
        if not client.is_set_up():
            self.form.fields["name"].help_text = _("Leave empty to use its code.")
        return {"asks_tba": client.is_set_up()}

    def done(self) -> HttpResponse:
        key = self.answer["key"]
        if not self.is_replay and self.form.cleaned_data["is_own"]:
            toasts.add(self.request, _("Event added. You can enter its teams and matches."))
        elif not self.is_replay:
            self.refresh(key)
        return go(self.request, reverse("scouting:event", args=[key]))

    def refresh(self, key: str) -> None:
        try:
            toasts.add(self.request, _summary(services.refresh(self.request.user, key)))
        except DataError as error:
            text = _("Event added without its teams: %(why)s") % {"why": error.message}
            toasts.add(self.request, text, level=messages.WARNING)


def _summary(refreshed: services.Refreshed) -> str:
    teams = ngettext("%d team", "%d teams", refreshed.teams) % refreshed.teams
    matches = ngettext("%d match", "%d matches", refreshed.matches) % refreshed.matches
    parts = [_("Up to date: %(teams)s, %(matches)s.") % {"teams": teams, "matches": matches}]
    if refreshed.playoffs:
        playoffs = ngettext("%d match", "%d matches", refreshed.playoffs) % refreshed.playoffs
        parts.append(_("Playoffs: %(matches)s.") % {"matches": playoffs})
    if refreshed.typed_teams or refreshed.typed_matches:
        parts.append(_("Manual changes were kept."))
    return " ".join(parts)


# --- One event ----------------------------------------------------------------------------------------------


@requires("scouting.event.view")
@require_safe
def event(request: SignedInRequest, key: str) -> HttpResponseBase:
    """The page of an event; with `?as=`, its teams or its matches as a file."""
    if "as" in request.GET:
        of = exports.schedule if request.GET.get("list") == "schedule" else exports.teams
        file = as_file(request, of(event_infos.read(key)), key)
        if file:
            return file
    return render(request, "scouting/events/event.html", _about(key))


def _about(key: str) -> dict[str, Any]:
    parts = event_infos.parts(key, strong=True)
    event, teams, schedule = parts.event, parts.teams, parts.schedule
    playing = {match.number for match in event.matches}
    named = {team.number for team in event.teams}
    return {
        "info": parts.info,
        "event": event,
        "typed_teams": [number for number in teams.by_hand if number in named],
        "typed_matches": [number for number in schedule.by_hand if number in playing],
        "removed_teams": [number for number in teams.by_hand if number not in named],
        "removed_matches": [number for number in schedule.by_hand if number not in playing],
        "unlisted": [number for number in event.team_numbers if number not in named] if named else [],
        "is_active": settings.active().event == key,
        "asks_tba": client.is_set_up(),
        "has_teams": teams.version is not None,
        "has_schedule": schedule.version is not None,
    }


class EventAction(FormPage[RefusableForm]):
    """Base of the buttons on the page of an event, which says why something was refused."""

    http_method_names = ["post"]
    form_class = RefusableForm
    template = "scouting/events/event.html"

    def context(self) -> Mapping[str, Any]:
        return _about(self.kwargs["key"])


@requires("scouting.event.update")
class RefreshEvent(EventAction):
    """Refresh from The Blue Alliance; if that fails, the page says why, and how old the stored data is."""

    def save(self) -> None:
        replaces = self.request.POST.get("replace") == "yes"
        key = self.kwargs["key"]
        self.refreshed = services.refresh(self.request.user, key, replaces_typed=replaces)

    def shows_error(self, error: DataError) -> bool:
        return not isinstance(error, NotFound | Unavailable)

    def message(self) -> str:
        return _summary(self.refreshed)

    def success_url(self) -> str:
        return reverse("scouting:event", args=[self.kwargs["key"]])


@requires("scouting.event.update")
class DeleteEvent(EventAction):
    def save(self) -> None:
        self.deleted = services.delete(self.request.user, self.kwargs["key"], seen_version=self.seen_version)

    def context(self) -> Mapping[str, Any]:
        return {**super().context(), "problem": None, "delete_problem": self.problem}

    def message(self) -> str:
        return _("“%(label)s” was deleted.") % {"label": self.deleted.name}

    def undo(self) -> Undo:
        return Undo(reverse("scouting:event-restore"), {"key": event_infos.key_of(self.deleted)})

    def success_url(self) -> str:
        return reverse(LIST)


# --- Editing by hand ----------------------------------------------------------------------------------------


@requires("scouting.event.update")
class EditEvent(ResendablePage[EventForm]):
    form_class = EventForm
    template = "scouting/events/edit.html"
    success_message = gettext_lazy("Saved.")

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
    success_message = gettext_lazy("Saved.")
    # The edited one of the items of the event, and what stores its lines.
    part: str
    store: ClassVar[Callable[..., EventList]]
    title: Text
    label: Text
    help: Text

    def get_object(self) -> EventParts:
        return event_infos.parts(self.kwargs["key"], strong=True)

    def compare(self) -> str:
        """The stored lines."""
        raise NotImplementedError

    def initial(self) -> Mapping[str, Any]:
        return {"text": self.compare()}

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"label": self.label, "help": self.help}

    def save(self) -> None:
        user, key, text = self.request.user, self.kwargs["key"], self.form.cleaned_data["text"]
        type(self).store(user, key, text, seen_version=self.seen_version, once=self.once)

    def refuse(self, error: DataError) -> HttpResponse:
        if isinstance(error, BadLines):
            for problem in error.problems:
                self.form.add_error("text", str(problem))
            return self.correct()
        return super().refuse(error)

    def context(self) -> Mapping[str, Any]:
        parts = self.object
        edited = getattr(parts, self.part)
        return {"info": parts.info, "event": parts.event, "title": self.title, "edited": edited}

    def success_url(self) -> str:
        return reverse("scouting:event", args=[self.kwargs["key"]])


@requires("scouting.event.update")
class EditTeams(LinesPage):
    part = "teams"
    store = services.type_teams
    title = pgettext_lazy("scouting", "Teams")
    label = gettext_lazy("One team per line")
    help = gettext_lazy("Number, name and, after a bar, its town: 254 The Cheesy Poofs | San Jose")

    def compare(self) -> str:
        return team_lines(self.object.event.teams)


@requires("scouting.event.update")
class EditSchedule(LinesPage):
    part = "schedule"
    store = services.type_matches
    title = gettext_lazy("Matches")
    label = gettext_lazy("One match per line")
    help = gettext_lazy(
        "Number, red, blue, and the score if there is one: 1: 254 1678 20 - 2053 2095 254B = 45 - "
        "60. Use ? for an open place, and add ! to a disqualified team: 2095!"
    )

    def compare(self) -> str:
        return match_lines(self.object.event.matches)


# --- The trash ----------------------------------------------------------------------------------------------


@requires("scouting.event.update")
@require_safe
def trashed(request: SignedInRequest) -> HttpResponse:
    """The trash of events, like that of every other list."""
    start = read_token(request.GET.get("after"), request.user.sub, TRASH)
    page = trash.page(event_infos.entity, start=start)
    token = page.next_token(request.user.sub, TRASH)
    context = {
        "resource": {"plural": _("FRC events"), "list_address": reverse(LIST)},
        "rows": [
            TrashRow(image.trash_id, image.label, image.actor_name, image.at, until)
            for image in page.items
            # DynamoDB removes expired items late.
            if (until := image.at + trash.KEPT_FOR) > now()
        ],
        "days": trash.KEPT_FOR.days,
        "next_address": f"?{urlencode({'after': token})}" if token else "",
        "is_first_page": start is None,
        "restore_address": reverse("scouting:event-restore"),
    }
    return page_or_partial(request, "core/crud/trash.html", "more", context)


@requires("scouting.event.update")
class RestoreEvent(ActionPage):
    """Restore by the id of a trash row, or from an "Undo" by the key of the event deleted last."""

    def save(self) -> None:
        sent = self.request.POST
        user, trash_id, key = self.request.user, sent.get("id", ""), sent.get("key", "")
        self.restored = services.restore(user, trash_id=trash_id, key=key)

    def message(self) -> str:
        return _("“%(label)s” was restored.") % {"label": self.restored.name}

    def success_url(self) -> str:
        return reverse("scouting:event", args=[self.restored.event])

    def done(self) -> HttpResponse:
        if not is_htmx(self.request) or "id" not in self.request.POST:
            return super().done()
        info = self.restored
        context = {"label": info.name, "key": info.event, "address": self.success_url()}
        return render(self.request, "core/crud/trash.html#restored", context)
