"""The games of a team by week, and a new one."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go
from core.crud import toasts
from core.crud.http import page_or_partial
from core.dynamo.errors import DataError, KeyReused, NotFound, Replayed, Unavailable
from core.dynamo.items import new_id
from core.dynamo.queries import every
from core.stores import idempotency
from tracker import policy, repository
from tracker.games import schedule
from tracker.games.forms.games import GameForm
from tracker.games.models import Season
from tracker.games.presenters import Card
from tracker.games.services import calendar_feed
from tracker.games.services import games as service
from tracker.navigation import frame
from tracker.policy import Access

# So many past games are shown until somebody asks for all.
PAST_AT_FIRST = 10


@requires("tracker.team.view")
@require_safe
def games(request: SignedInRequest, team: str) -> HttpResponse:
    access = policy.access(request.user, team)
    roster = repository.teams.roster(team)
    asked = request.GET.get("season", "")
    found = every(lambda **options: repository.games.listed(team, **options))
    shown = [game for game in found if not asked or (game.season_id or "") == asked]
    groups = [
        {"name": group.name, "title": group.title, "cards": [Card(game) for game in group.games]}
        for group in schedule.grouped(shown, localdate())
    ]
    hidden = 0
    for group in groups:
        if group["name"] == schedule.PAST and "all" not in request.GET:
            cards: list[Card] = group["cards"]  # type: ignore[assignment]
            hidden = max(0, len(cards) - PAST_AT_FIRST)
            group["cards"] = cards[:PAST_AT_FIRST]
    context = frame(access, "games") | {
        "groups": groups,
        "hidden": hidden,
        "seasons": roster.seasons,
        "asked": asked,
        "may_manage": access.may("manage_games"),
        "feed": feed_address(request, access),
    }
    return page_or_partial(request, "tracker/games/games.html", "schedule", context)


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest, team: str) -> HttpResponse:
    access = policy.access(request.user, team)
    access.ensure("manage_games")
    seasons = repository.teams.roster(team).seasons
    if request.method != "POST":
        return _new_page(request, access, _blank(seasons))
    form = GameForm(request.POST, seasons=seasons, without=service.SCORES)
    if not form.is_valid():
        form.focus_first_error()
        return _new_page(request, access, form, status=422)
    game_id = new_id()
    try:
        once = idempotency.once(request, answer={"game": game_id})
        service.create(request.user, team, form.fields_of(), game_id=game_id, once=once)
    except (Replayed, KeyReused) as earlier:
        if isinstance(earlier, KeyReused):
            form.add_refusal(earlier)
            return _new_page(request, access, form, status=earlier.status_code)
        game_id = earlier.answer["game"]
    except Unavailable:
        raise
    except DataError as error:
        if isinstance(error, NotFound) and error.field is None:
            raise
        form.add_refusal(error)
        return _new_page(request, access, form, status=error.status_code)
    toasts.add(request, _("The game is in the schedule."))
    return go(request, reverse("tracker:game", args=[game_id]))


def feed_address(request: SignedInRequest, access: Access) -> str:
    """What this person's calendar program subscribes to; nothing for an administrator who is no member."""
    if access.membership is None:
        return ""
    token = calendar_feed.token_for(access.membership)
    return request.build_absolute_uri(reverse("tracker:games-feed", args=[token]))


def _blank(seasons: list[Season]) -> GameForm:
    """In the season that is now."""
    today = localdate()
    now = next((season.id for season in seasons if season.holds(today)), "")
    return GameForm(seasons=seasons, without=service.SCORES, initial={"season_id": now})


def _new_page(request: SignedInRequest, access: Access, form: GameForm, *, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = frame(access, "games") | {"form": form}
    return render(request, "tracker/games/game_form.html", context, status=status)
