"""Two to six teams side by side."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires


@requires("scouting.analysis.view")
@require_safe
def compare(request: SignedInRequest) -> HttpResponse:
    return render(request, "scouting/no_event.html")
