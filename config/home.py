"""The first page: what needs the person, what happened lately, and what they may begin."""

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, requires
from crud import finding
from crud.home import desk, shown_scopes
from crud.http import page_or_partial
from crud.scopes import TITLES


@requires("home.page.view")
@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    user, scopes = request.user, shown_scopes(request.user)
    wanted = request.GET.get("scope", "")
    scope = wanted if wanted in scopes else next(iter(scopes), "")
    actions = finding.actions(user)
    screens = [hit for hit in finding.screens(request, user) if hit.address != reverse("home")]
    context = {
        "first_name": user.name.split()[0] if user.name.strip() else "",
        "desk": desk(user, scopes, scope),
        "scope": scope,
        "scopes": [(each, TITLES[each]) for each in scopes],
        "actions": actions,
        "screens": [] if actions else screens,
    }
    return page_or_partial(request, "config/home.html", "activity", context)
