"""Views: the seasons of a team with their rules, and create, edit, delete and restore."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.confirm_page import ConfirmPage, Question
from core.crud.form_page import ActionPage, FormPage
from core.crud.toasts import Undo
from tracker import policy, repository
from tracker.games.forms import SeasonForm
from tracker.games.models import Season
from tracker.games.services import seasons as season_services
from tracker.navigation import TeamPage, team_context
from tracker.rules import season_rules

USUAL = "fastpitch"


@requires("tracker.team.view")
@require_safe
def seasons(request: SignedInRequest, team: str) -> HttpResponse:
    access = policy.access(request.user, team)
    found = sorted(repository.teams.roster(team, strong=True).seasons, key=_newest_first)
    context = team_context(access, "seasons") | {
        "shown": [(season, season_rules.from_stored(season.rules)) for season in found],
        "may_manage": access.may(season_services.VERB),
    }
    return render(request, "tracker/games/seasons.html", context)


@requires("tracker.team.view")
class NewSeason(TeamPage, FormPage[SeasonForm]):
    leads_to = "tracker:seasons"
    form_class = SeasonForm
    template = "tracker/games/season_form.html"
    success_message = gettext_lazy("Season created.")

    def load(self) -> None:
        self.team: str = self.kwargs["team"]
        self.access = policy.access(self.request.user, self.team)
        self.access.ensure(season_services.VERB)

    def initial(self) -> Mapping[str, Any]:
        chosen = self.request.GET.get("from", "")
        _title, preset = season_rules.PRESETS.get(chosen, season_rules.PRESETS[USUAL])
        return SeasonForm.initial_of_rules(preset)

    def save(self) -> None:
        values = self.form.fields_of()
        season_services.create(self.request.user, self.team, values, once=self.once)

    def context(self) -> Mapping[str, Any]:
        return team_context(self.access, "seasons") | {
            "season": self.object,
            "presets": [(name, title) for name, (title, _rules) in season_rules.PRESETS.items()],
            "chosen": self.request.GET.get("from", USUAL),
        }


@requires("tracker.team.view")
class EditSeason(NewSeason):
    success_message = gettext_lazy("Saved.")

    def get_object(self) -> Season:
        return repository.seasons.of(self.team, self.kwargs["season"], strong=True)

    def initial(self) -> Mapping[str, Any]:
        return SeasonForm.initial_of(self.object)

    def save(self) -> None:
        user, season, values = self.request.user, self.kwargs["season"], self.form.fields_of()
        season_services.edit(user, self.team, season, values, seen_version=self.seen_version, once=self.once)


@requires("tracker.team.view")
class DeleteSeason(TeamPage, ConfirmPage):
    leads_to = "tracker:seasons"
    success_message = gettext_lazy("Season deleted.")

    def question(self) -> Question:
        team, season = self.kwargs["team"], self.kwargs["season"]
        policy.access(self.request.user, team).ensure(season_services.VERB)
        stored = repository.seasons.of(team, season)
        return Question(
            title=_("Delete this season?"),
            text=_("You can delete %(name)s as long as it has no games.") % {"name": stored.name},
            button=_("Delete"),
            back=self.success_url(),
        )

    def save(self) -> None:
        season_services.delete(self.request.user, self.kwargs["team"], self.kwargs["season"], once=self.once)

    def undo(self) -> Undo:
        return Undo(reverse("tracker:season-restore", kwargs=self.kwargs))


@requires("tracker.team.view")
class RestoreSeason(TeamPage, ActionPage):
    leads_to = "tracker:seasons"
    success_message = gettext_lazy("Season restored.")

    def save(self) -> None:
        season_services.restore(self.request.user, self.kwargs["team"], self.kwargs["season"], once=self.once)


def _newest_first(season: Season) -> tuple[int, str]:
    return -(season.starts_on.toordinal() if season.starts_on else 0), season.name
