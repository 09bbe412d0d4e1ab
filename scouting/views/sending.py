"""What the pages of the three forms share: the event for which they are sent."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from accounts.rights import SignedInRequest
from dynamo.errors import Invalid, Text
from scouting import keys, repository
from scouting.services import settings

AT_WHICH = _("At which event are you?")


def chosen_event(request: SignedInRequest) -> str | None:
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


def choose_event(request: SignedInRequest, heading: Text = AT_WHICH) -> HttpResponse:
    """The same page for another event, or because nobody has said at which one we are."""
    context = {"events": repository.event_infos.newest_first(), "heading": heading}
    return render(request, "scouting/stand_events.html", context)


def asked_team(request: SignedInRequest, name: str) -> str:
    """A team in the address; what is none is left out."""
    try:
        return keys.team_key(request.GET.get(name, ""))
    except Invalid:
        return ""
