"""Base page of the three forms: choosing the event, and sending once."""

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
    """Base of the stand, pit and comment pages: sends for the requested event, once, with a rate limit."""

    partial = "page"
    # No conflict page: a new form has no stored version to compare with.
    stale = ()
    route: ClassVar[str]
    # Errors that are displayed by a partial of their own.
    told_apart: ClassVar[tuple[type[DataError], ...]] = (Taken, Deleted)
    event_key: str
    # The stored form, after `save`.
    sent: Any

    def dispatch(self, request: SignedInRequest, /, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        """Shows the choice of events if the event is unknown or was deleted."""
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
        """The event. A posted form is shown again even if its event was deleted."""
        try:
            return event_infos.read(self.event_key)
        except NoSuchEvent:
            if self.request.method != "POST":
                raise
            return ScoutedEvent(self.event_key, self.event_key)

    @property
    def once(self) -> IdempotencyKey | None:
        """The idempotency key; a deleted form that is sent anew posts a new key as `anew`."""
        once = idempotency.once(self.request, route=self.route)
        anew = self.request.POST.get("anew", "")[:LONGEST_KEY]
        return replace(once, key=anew) if once and anew else once

    def initial(self) -> Mapping[str, Any]:
        return {"event": self.event_key, "team": self.request.GET.get("team", "")}

    def save(self) -> None:
        SENDING.ensure(self.request.user.sub)
        self.sent = self.submit()

    def submit(self) -> Any:
        """Call the service and return the stored form."""
        raise NotImplementedError

    @property
    def taken(self) -> Any:
        """The existing form in the place of this one, or None."""
        return self.problem.current if isinstance(self.problem, Taken) else None

    def refuse(self, error: DataError) -> HttpResponse:
        if isinstance(error, self.told_apart):
            self.problem = error
            return self.show(error.status_code)
        return super().refuse(error)

    def context(self) -> Mapping[str, Any]:
        """After a `Deleted` refusal the key stays the same;
        only the button for sending anew uses `new_key`."""
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
        """Context for a form that was refused because of its event: the events to choose from."""
        is_refused = self.form.is_bound and "event" in self.form.errors
        return {
            "event": self.event,
            "season": settings.active(),
            "other_events": _open_events() if is_refused else [],
        }


def _chosen_event(request: SignedInRequest) -> str | None:
    """The event of the posted form, else of the URL, else the current event."""
    season = settings.active()
    if "choose" in request.GET and not season.is_locked:
        return None
    text = request.POST.get("event") or request.GET.get("event", "")
    # A form opened before the event was locked is refused by the service on sending, and keeps its input.
    if text and (request.method == "POST" or not season.is_locked):
        try:
            return keys.event_key(text)
        except Invalid:
            return season.event
    return season.event


def choose_event(
    request: SignedInRequest, heading: Text = AT_WHICH, *, problem: Text = "", status: int = 200
) -> HttpResponse:
    """The page that asks for which event to open this view."""
    context = {
        "events": event_infos.newest_first(),
        "heading": heading,
        "problem": problem,
    }
    return render(request, "scouting/forms/choose_event.html", context, status=status)


def choose_instead(request: SignedInRequest, error: NoSuchEvent, heading: Text = AT_WHICH) -> HttpResponse:
    """The choice of events after an error; drops the cached season, which may be out of date."""
    settings.forget()
    return choose_event(request, heading, problem=error.message, status=error.status_code)


def _open_events() -> list[EventInfo]:
    season, events = settings.active(), event_infos.newest_first()
    return [event for event in events if not season.is_locked or event.event == season.event]


def asked_team(request: SignedInRequest, name: str) -> str:
    """The team in the URL; empty if it is not a valid team."""
    try:
        return keys.team_key(request.GET.get(name, ""))
    except Invalid:
        return ""
