"""The settings of a year: the current event, the lock of forms to it, and the game."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from core.accounts.rights import requires
from core.common.http import small_number
from core.crud.form_page import FormPage
from scouting.events.repository import event_infos
from scouting.games import services as games
from scouting.settings import services
from scouting.settings.forms import SettingsForm
from scouting.settings.models import Settings
from scouting.settings.repository import stored_settings


@requires("scouting.settings.view", "scouting.settings.update")
class EditSettings(FormPage[SettingsForm]):
    form_class = SettingsForm
    template = "scouting/settings/settings.html"
    success_message = _("Saved. All forms are updated within half a minute.")

    def load(self) -> None:
        stored = stored_settings.all()
        by_year = {int(item.year): item for item in stored if item.sk == f"YEAR#{item.year}"}
        self.current = services.active()
        self.games = games.listed()
        current_year = int(self.current.settings.year)
        self.years = sorted({game.year for game in self.games} | {*by_year, current_year}, reverse=True)
        wanted = small_number(self.request.POST.get("year") or self.request.GET.get("year", ""))
        self.year = wanted if wanted in self.years else current_year
        self.object = by_year.get(self.year) or Settings.of_year(self.year)

    def get_object(self) -> Settings:
        return services.of_year(self.year, strong=True)

    def initial(self) -> Mapping[str, Any]:
        return SettingsForm.initial_of(self.object)

    def form_kwargs(self) -> Mapping[str, Any]:
        return {"events": event_infos.of_year(self.year), "games": self.games, "chosen": self.object}

    def save(self) -> None:
        chosen = self.form.cleaned_data
        services.choose(
            self.request.user,
            self.year,
            event=chosen["event"] or None,
            locked=chosen["locked"],
            game_year=chosen["game_year"],
            seen_version=self.seen_version,
            once=self.once,
        )

    def context(self) -> Mapping[str, Any]:
        with_game = {game.year for game in self.games}
        return {
            "year": self.year,
            "years": self.years,
            "is_current": self.year == int(self.current.settings.year),
            "current": self.current,
            "games": self.games,
            "to_begin": [year for year in games.years_to_come() if year not in with_game],
            "chosen": self.object,
        }

    def success_url(self) -> str:
        return f"{reverse('scouting:settings')}?year={self.year}"
