"""Home: what is on, what is to do, what comes next, and what people did lately."""

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, may_open_page, requires
from core.accounts.user import User
from core.crud import home as sources
from core.crud import registry
from core.crud.cached_urls import address_of
from core.crud.http import page_or_partial
from core.crud.palette import Hit
from desk import palette
from desk.activity import recent_activity, visible_scopes

# The most used actions come first; the others keep their order.
FIRST_ENTITIES = ("news", "event", "media", "bus", "quest")
# Where somebody begins for whom there is nothing yet: URL name, title, text, icon.
BEGINNINGS = (
    ("quests:quest-list", _("Find a quest"), _("Help the club and earn points."), "flag"),
    ("cms:calendar", _("See what is on"), _("Events, training and matches of the club."), "calendar"),
    ("tracker:home", _("Play softball"), _("Your teams, games and stats."), "ball"),
)


@requires("home.page.view")
@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    """What fits into the request budget of Home; `later` and `activity` are loaded after it."""
    user = request.user
    loaded = sources.load_at_once(user)
    context = {
        "first_name": user.name.split()[0] if user.name.strip() else "",
        "highlights": loaded.highlights,
        "tasks": loaded.tasks,
        "later": _later_address(loaded) if sources.has_later(user, loaded) else "",
        "beginnings": _beginnings(user),
        "actions": _quick_actions(user),
        "has_activity": bool(visible_scopes(user)),
    }
    return render(request, "desk/home.html", context)


@requires("home.page.view")
@require_safe
def later(request: SignedInRequest) -> HttpResponse:
    """The highlights, tasks and dates of the sources that Home has not run."""
    given = request.GET
    loaded = sources.load_later(request.user, without=given.get("without", "").split(","))
    context = {
        "highlights": loaded.highlights,
        "tasks": loaded.tasks,
        "dates": loaded.next_dates(),
        # Whether Home shows no task either.
        "is_all": "empty" in given,
        "beginnings": _beginnings(request.user),
        "may_see_calendar": may_open_page(request.user, address_of("cms:calendar")),
    }
    return page_or_partial(request, "desk/later.html", "parts", context)


@requires("home.page.view")
@require_safe
def activity(request: SignedInRequest) -> HttpResponse:
    context = {"lines": recent_activity(request.user)}
    return page_or_partial(request, "desk/activity.html", "lines", context)


def _later_address(loaded: sources.Loaded) -> str:
    query = {"without": ",".join(loaded.sources)} if loaded.sources else {}
    if not loaded.tasks:
        query["empty"] = "yes"
    return f"{address_of('later')}?{urlencode(query, safe=',')}" if query else address_of("later")


def _beginnings(user: User) -> list[Hit]:
    hits = [Hit(title, icon, address_of(name), kind=text) for name, title, text, icon in BEGINNINGS]
    return [hit for hit in hits if may_open_page(user, hit.address)]


def _quick_actions(user: User) -> list[Hit]:
    """The quick actions, the most used first; for scouts "Scout a match"."""
    often = [registry.resource_for(entity).new_address for entity in FIRST_ENTITIES]
    actions = sorted(
        palette.actions(user),
        key=lambda hit: often.index(hit.address) if hit.address in often else len(often),
    )
    stand = Hit(title=_("Scout a match"), icon="robot", address=address_of("scouting:stand"))
    if not may_open_page(user, stand.address):
        return actions
    return [*actions, stand] if user.is_admin else [stand, *actions]
