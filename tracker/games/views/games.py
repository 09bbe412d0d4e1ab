"""The list of a team's games by week, and the form for a new one."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.cells import link_items
from core.crud.form_page import FormPage
from core.crud.http import page_or_partial
from core.crud.listing import Filter, Link, ListBar
from core.dynamo.items import new_id
from core.dynamo.queries import every
from tracker import policy, repository
from tracker.games import schedule
from tracker.games.forms import GameForm
from tracker.games.models import SCORES, Season
from tracker.games.presenters import Card
from tracker.games.services import calendar_feed
from tracker.games.services import games as game_services
from tracker.navigation import team_context
from tracker.policy import Access

# How many past games are listed without `?all`.
PAST_AT_FIRST = 10


@requires("tracker.team.view")
@require_safe
def games(request: SignedInRequest, team: str) -> HttpResponse:
    access = policy.access(request.user, team)
    roster = repository.teams.roster(team)
    season = request.GET.get("season", "")
    found = every(lambda **options: repository.games.listed(team, **options))
    wanted = [game for game in found if not season or (game.season_id or "") == season]
    groups = schedule.grouped(wanted, localdate())
    past = next((group.games for group in groups if group.name == schedule.PAST), [])
    hidden = 0 if "all" in request.GET else max(0, len(past) - PAST_AT_FIRST)
    del past[len(past) - hidden :]
    context = team_context(access, "games") | {
        "groups": [(group, [Card(game) for game in group.games]) for group in groups],
        "hidden": hidden,
        "season": season,
        "bar": _bar(team, roster.seasons, season, len(wanted)),
        "may_manage": access.may("manage_games"),
        "feed": feed_address(request, access),
    }
    return page_or_partial(request, "tracker/games/games.html", "schedule", context)


def _bar(team: str, seasons: Sequence[Season], season: str, count: int) -> ListBar:
    choices = [(each.id, each.name) for each in seasons]
    month = Link("as-month", _("Month"), reverse("tracker:games-calendar", args=[team]), "calendar")
    return ListBar(
        address=reverse("tracker:games", args=[team]),
        found=ngettext("%d game", "%d games", count) % count,
        filters=[(Filter("season", _("Season"), choices), season)] if choices else [],
        menu=link_items([month]),
    )


@requires("tracker.team.view")
class NewGame(FormPage[GameForm]):
    form_class = GameForm
    template = "tracker/games/game_form.html"
    success_message = gettext_lazy("Game added to the schedule.")

    def load(self) -> None:
        self.team: str = self.kwargs["team"]
        self.access = policy.access(self.request.user, self.team)
        self.access.ensure("manage_games")
        self.seasons = repository.teams.roster(self.team).seasons
        self.answer = {"game": new_id()}

    def initial(self) -> Mapping[str, Any]:
        """Preselects the current season."""
        today = localdate()
        return {"season_id": next((season.id for season in self.seasons if season.holds(today)), "")}

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"seasons": self.seasons, "without": SCORES}

    def save(self) -> None:
        values, game_id = self.form.fields_of(), self.answer["game"]
        game_services.create(self.request.user, self.team, values, game_id=game_id, once=self.once)

    def context(self) -> Mapping[str, Any]:
        return team_context(self.access, "games")

    def success_url(self) -> str:
        return reverse("tracker:game", args=[self.answer["game"]])


def feed_address(request: SignedInRequest, access: Access) -> str:
    """The absolute URL of the person's iCalendar feed; empty for an administrator who is no member."""
    if access.membership is None:
        return ""
    token = calendar_feed.token_for(access.membership)
    return request.build_absolute_uri(reverse("tracker:games-feed", args=[token]))
