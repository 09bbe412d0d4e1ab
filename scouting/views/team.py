"""A team at an event."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires


@requires("scouting.analysis.view")
@require_safe
def team(request: SignedInRequest, number: str) -> HttpResponse:
    return render(request, "scouting/no_event.html")
