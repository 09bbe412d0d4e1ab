"""Home: tasks, recent activity and quick actions."""

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, may_open_page, requires
from core.accounts.user import User
from core.crud import registry, todo
from core.crud.cached_urls import address_of
from core.crud.http import page_or_partial
from core.crud.palette import Hit
from core.crud.registry import SCOPE_TITLES
from desk import palette
from desk.activity import home_content, visible_scopes

# The most used actions come first; the others keep their order.
FIRST_ENTITIES = ("news", "event", "media", "bus", "quest")


@requires("home.page.view")
@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    user, scopes = request.user, visible_scopes(request.user)
    wanted = request.GET.get("scope", "")
    scope = wanted if wanted in scopes else next(iter(scopes), "")
    actions = _quick_actions(user)
    context = {
        "first_name": user.name.split()[0] if user.name.strip() else "",
        "desk": home_content(user, scopes, scope),
        "scope": scope,
        "scopes": [(each, SCOPE_TITLES[each]) for each in scopes],
        "actions": actions,
        "screens": []
        if actions
        else [hit for hit in palette.screens(user) if hit.address != address_of("home")],
    }
    return page_or_partial(request, "desk/home.html", "activity", context)


@requires("home.page.view")
@require_safe
def later(request: SignedInRequest) -> HttpResponse:
    """The tasks that Home did not load, from the sources that need too many requests."""
    context = {
        "tasks": list(todo.tasks(todo.later(request.user), request.user)),
        # Whether the first page was empty as well.
        "is_all": request.GET.get("else") == "nothing",
    }
    return page_or_partial(request, "desk/waiting.html", "tasks", context)


def _quick_actions(user: User) -> list[Hit]:
    """The quick actions, for scouts with "Scout a match" first; for administrators it is last."""
    actions = _most_used_first(palette.actions(user))
    stand = Hit(title=_("Scout a match"), icon="robot", address=address_of("scouting:stand"))
    if not may_open_page(user, stand.address):
        return actions
    return [*actions, stand] if user.is_admin else [stand, *actions]


def _most_used_first(actions: list[Hit]) -> list[Hit]:
    often = [registry.resource_for(entity).new_address for entity in FIRST_ENTITIES]
    return sorted(actions, key=lambda hit: often.index(hit.address) if hit.address in often else len(often))
