"""What holds for a year: the event at which we are, whether forms are locked to it, and the game."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, small_number
from core.crud import toasts
from core.crud.conflicts import contested_fields
from core.dynamo.errors import AlreadyExists, Conflict, DataError, Replayed, Unavailable
from core.stores import idempotency
from scouting.events.repository import event_infos
from scouting.games import services as games
from scouting.settings import services as season
from scouting.settings.forms import SettingsForm
from scouting.settings.models import Settings
from scouting.settings.repository import stored_settings


@requires("scouting.settings.view", "scouting.settings.update")
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: SignedInRequest) -> HttpResponse:
    page = _Page(request)
    if request.method != "POST":
        return page.show(page.form())
    form = page.form(request.POST)
    if not form.is_valid():
        form.focus_first_error()
        return page.show(form, status=422)
    try:
        season.choose(
            request.user,
            page.year,
            event=form.cleaned_data["event"] or None,
            locked=form.cleaned_data["locked"],
            game_year=form.cleaned_data["game_year"],
            seen_version=small_number(request.POST.get("version", "")),
            once=idempotency.once(request),
        )
    except Replayed:
        pass
    except (Conflict, AlreadyExists) as error:
        return page.show(form, status=409, theirs=error.current)
    except Unavailable:
        raise
    except DataError as error:
        form.add_refusal(error)
        form.focus_first_error()
        return page.show(form, status=422)
    toasts.add(request, _("Saved. The forms follow at once, everywhere within half a minute."))
    return go(request, f"{reverse('scouting:settings')}?year={page.year}")


class _Page:
    """The screen for one year; it is read once, whatever the answer will be."""

    def __init__(self, request: SignedInRequest) -> None:
        self.request = request
        self.by_year = {int(item.year): item for item in stored_settings.all() if item.sk != "DEFAULT"}
        self.current = season.active()
        self.games = games.listed()
        years = {game.year for game in self.games} | {*self.by_year, int(self.current.settings.year)}
        self.years = sorted(years, reverse=True)
        wanted = small_number(request.POST.get("year") or request.GET.get("year", ""))
        self.year = wanted if wanted in self.years else int(self.current.settings.year)
        self.chosen = self.by_year.get(self.year) or Settings.of_year(self.year)

    def form(self, data: Any = None) -> SettingsForm:
        titles = [(game.year, game.name) for game in self.games]
        return SettingsForm(data, events=event_infos.of_year(self.year), games=titles, chosen=self.chosen)

    def show(self, form: SettingsForm, *, status: int = 200, theirs: Any = None) -> HttpResponse:
        context = {
            "form": form,
            "year": self.year,
            "years": self.years,
            "is_current": self.year == int(self.current.settings.year),
            "current": self.current,
            "games": self.games,
            "to_begin": [
                year for year in games.years_to_come() if year not in {game.year for game in self.games}
            ],
            "chosen": theirs or self.chosen,
            "contested": contested_fields(form, form.initial_of(theirs)) if theirs else None,
        }
        return render(self.request, "scouting/settings/settings.html", context, status=status)
