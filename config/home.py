"""The first page: what needs the person, what happened lately, and what they may begin."""

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.rights import SignedInRequest, may_open_page, requires
from accounts.user import User
from crud import finding, registry, waiting
from crud.addresses import address_of
from crud.home import desk, shown_scopes
from crud.http import page_or_partial
from crud.scopes import TITLES

# What is begun most often; the rest follows in its own order.
OFTEN = ("news", "event", "media", "bus", "quest")


@requires("home.page.view")
@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    user, scopes = request.user, shown_scopes(request.user)
    wanted = request.GET.get("scope", "")
    scope = wanted if wanted in scopes else next(iter(scopes), "")
    actions = _to_begin(user)
    context = {
        "first_name": user.name.split()[0] if user.name.strip() else "",
        "desk": desk(user, scopes, scope),
        "scope": scope,
        "scopes": [(each, TITLES[each]) for each in scopes],
        "actions": actions,
        "screens": [] if actions else _screens(user),
    }
    return page_or_partial(request, "config/home.html", "activity", context)


@requires("home.page.view")
@require_safe
def later(request: SignedInRequest) -> HttpResponse:
    """What Home has not asked for; its requests are as many as the person's other sources make."""
    context = {
        "tasks": list(waiting.tasks_later(request.user)),
        # The first page has found nothing either.
        "is_all": request.GET.get("else") == "nothing",
    }
    return page_or_partial(request, "config/waiting.html", "tasks", context)


def _screens(user: User) -> list[finding.Hit]:
    return [hit for hit in finding.screens(user) if hit.address != address_of("home")]


def _to_begin(user: User) -> list[finding.Hit]:
    """Scouts come to scout; administrators, who may do that too, have other things to do."""
    actions = _most_used_first(finding.actions(user))
    stand = finding.Hit(title=_("Scout a match"), icon="robot", address=address_of("scouting:stand"))
    if not may_open_page(user, stand.address):
        return actions
    return [*actions, stand] if user.is_admin else [stand, *actions]


def _most_used_first(actions: list[finding.Hit]) -> list[finding.Hit]:
    often = [registry.resource_for(entity).new_address for entity in OFTEN]
    return sorted(actions, key=lambda hit: often.index(hit.address) if hit.address in often else len(often))
