"""What the pages of the three forms share: the event for which they are sent, and sending them once."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import SignedInRequest
from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.dynamo.errors import DataError, Invalid, Text
from core.dynamo.idempotency import LONGEST_KEY, IdempotencyKey
from core.dynamo.items import new_id
from core.stores import idempotency
from scouting import keys
from scouting.events.event import NoSuchEvent, ScoutedEvent
from scouting.events.models import EventInfo
from scouting.events.repository import event_infos
from scouting.forms import presenters
from scouting.forms.limits import SENDING
from scouting.forms.services import Deleted, Taken
from scouting.settings import services as settings

F = TypeVar("F", bound=RefusableForm)
AT_WHICH = _("At which event are you?")


class SubmitPage(FormPage[F]):
    """A stand, pit or comment form: for the event that is asked for, sent once, and not too often."""

    partial = "page"
    # Nothing is edited here, so nothing stored is newer than what the person saw.
    stale = ()
    route: ClassVar[str]
    # Refusals that have a part of the template of their own.
    told_apart: ClassVar[tuple[type[DataError], ...]] = (Taken, Deleted)
    event_key: str
    # What was stored.
    sent: Any

    def dispatch(self, request: SignedInRequest, /, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        """Where no event is known, or the one that is known is gone, people choose another one."""
        if str(request.method).lower() not in self.http_method_names:
            return self.http_method_not_allowed(request)
        event = _chosen_event(request)
        if event is None:
            return choose_event(request)
        self.event_key = event
        try:
            return super().dispatch(request, *args, **kwargs)
        except NoSuchEvent as error:
            return choose_instead(request, error)

    @cached_property
    def event(self) -> ScoutedEvent:
        """What was typed is shown again, also where its event is gone."""
        try:
            return event_infos.read(self.event_key)
        except NoSuchEvent:
            if self.request.method != "POST":
                raise
            return ScoutedEvent(self.event_key, self.event_key)

    @property
    def once(self) -> IdempotencyKey | None:
        """The key of the form; whoever sends a deleted one anew has chosen another one for it."""
        once = idempotency.once(self.request, route=self.route)
        anew = self.request.POST.get("anew", "")[:LONGEST_KEY]
        return replace(once, key=anew) if once and anew else once

    def initial(self) -> Mapping[str, Any]:
        return {"event": self.event_key, "team": self.request.GET.get("team", "")}

    def save(self) -> None:
        SENDING.ensure(self.request.user.sub)
        self.sent = self.submit()

    def submit(self) -> Any:
        """Call the service; returns the form as it is stored."""
        raise NotImplementedError

    @property
    def taken(self) -> Any:
        """The form that is stored where this one belongs."""
        return self.problem.current if isinstance(self.problem, Taken) else None

    def refuse(self, error: DataError) -> HttpResponse:
        if isinstance(error, self.told_apart):
            self.problem = error
            return self.show(error.status_code)
        return super().refuse(error)

    def context(self) -> Mapping[str, Any]:
        """A form that a lead has deleted keeps its key: only its own button sends it as a new one."""
        deleted = isinstance(self.problem, Deleted)
        return {
            **self._about_event(),
            "doubt": presenters.unlisted(self.event, asked_team(self.request, "sent")),
            "taken": self.taken,
            "sent_key": idempotency.key_of(self.request) if deleted else "",
            "new_key": new_id() if deleted else "",
        }

    def success_url(self) -> str:
        return f"{reverse(self.route)}?{urlencode({'event': self.event_key, 'sent': self.sent.team})}"

    def _about_event(self) -> dict[str, Any]:
        """A form that was refused because of its event has a choice of others."""
        is_refused = self.form.is_bound and "event" in self.form.errors
        return {
            "event": self.event,
            "season": settings.active(),
            "other_events": _open_events() if is_refused else [],
        }


def _chosen_event(request: SignedInRequest) -> str | None:
    """What the form says, else what the address says; the event at which we are if neither does."""
    season = settings.active()
    if "choose" in request.GET and not season.is_locked:
        return None
    text = request.POST.get("event") or request.GET.get("event", "")
    # A form that was opened before the event was locked is refused when it is sent, with what was typed.
    if text and (request.method == "POST" or not season.is_locked):
        try:
            return keys.event_key(text)
        except Invalid:
            return season.event
    return season.event


def choose_event(
    request: SignedInRequest, heading: Text = AT_WHICH, *, problem: Text = "", status: int = 200
) -> HttpResponse:
    """The same page for another event, or because nobody has said at which one we are."""
    context = {
        "events": event_infos.newest_first(),
        "heading": heading,
        "problem": problem,
    }
    return render(request, "scouting/forms/choose_event.html", context, status=status)


def choose_instead(request: SignedInRequest, error: NoSuchEvent, heading: Text = AT_WHICH) -> HttpResponse:
    """Perhaps we were there until just now: what this process knows may be out of date."""
    settings.forget()
    return choose_event(request, heading, problem=error.message, status=error.status_code)


def _open_events() -> list[EventInfo]:
    season, events = settings.active(), event_infos.newest_first()
    return [event for event in events if not season.is_locked or event.event == season.event]


def asked_team(request: SignedInRequest, name: str) -> str:
    """A team in the address; what is none is left out."""
    try:
        return keys.team_key(request.GET.get(name, ""))
    except Invalid:
        return ""
