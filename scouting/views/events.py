"""The events at which we scout."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from dynamo.paging import DEFAULT_LIMIT, read_token
from scouting import repository
from scouting.services import settings

PLACE = "scouting:events"


@requires("scouting.event.view")
@require_safe
def events(request: SignedInRequest) -> HttpResponse:
    """The newest year first."""
    start = read_token(request.GET.get("after"), request.user.sub, PLACE)
    page = repository.event_infos.by_key(newest_first=True, limit=DEFAULT_LIMIT, start=start)
    context = {
        "events": page.items,
        "next_token": page.next_token(request.user.sub, PLACE),
        "is_first_page": start is None,
        "active": settings.active().event,
    }
    return render(request, "scouting/events.html", context)
