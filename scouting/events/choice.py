"""The page that asks for which event to open a screen."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from core.accounts.rights import SignedInRequest
from core.dynamo.errors import Text
from scouting.events.event import NoSuchEvent
from scouting.events.repository import event_infos
from scouting.settings import services as settings

AT_WHICH = gettext_lazy("Which event are you at?")


def choose_event(
    request: SignedInRequest, heading: Text = AT_WHICH, *, problem: Text = "", status: int = 200
) -> HttpResponse:
    context = {"events": event_infos.newest_first(), "heading": heading, "problem": problem}
    return render(request, "scouting/events/choose.html", context, status=status)


def choose_other_event(
    request: SignedInRequest, error: NoSuchEvent, heading: Text = AT_WHICH
) -> HttpResponse:
    """The choice of events after an error; drops the cached season, which may be out of date."""
    settings.forget()
    return choose_event(request, heading, problem=error.message, status=error.status_code)
