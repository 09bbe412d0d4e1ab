"""Views of one player: edit (as a table row or a page), remove, restore, unlink."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.accounts.rights import SignedInRequest, requires
from core.common.http import is_htmx
from core.crud import toasts
from core.crud.confirm_page import ConfirmPage
from core.crud.form_page import ActionPage
from core.crud.toasts import Undo
from tracker import repository
from tracker.navigation import TeamPage, team_context
from tracker.roster import services
from tracker.roster.forms import OwnPlayerForm, PlayerForm
from tracker.roster.models import Player
from tracker.roster.services import OpenPlayer
from tracker.roster.views.roster import TEMPLATE as ROSTER
from tracker.roster.views.roster import PlayerPage, row_of
from tracker.teams.models import PLAYER


@requires("tracker.team.view")
class EditPlayer(TeamPage, PlayerPage[OwnPlayerForm]):
    """Edit a player on a page of its own or, with HTMX, in the row of the roster."""

    leads_to = "tracker:roster"
    template = "tracker/roster/player_edit.html"
    partial = "form"
    success_message = gettext_lazy("Saved.")
    saved: Player | None = None

    def load(self) -> None:
        self.form_class = PlayerForm if self.object.is_managed else OwnPlayerForm

    def get_object(self) -> OpenPlayer:
        return services.allowed(self.request.user, self.kwargs["team"], self.kwargs["player"])

    def get(self, _request: SignedInRequest, **_parts: Any) -> HttpResponseBase:
        if is_htmx(self.request) and self.request.GET.get("show") == "row":
            return self.show_row(self.object.player)
        return super().get(_request, **_parts)

    def initial(self) -> Mapping[str, Any]:
        return OwnPlayerForm.initial_of(self.object.player)

    def form_kwargs(self) -> Mapping[str, Any]:
        # Several rows may be in edit mode at once, so ids must differ.
        return {"auto_id": f"id_{self.kwargs['player']}_%s"}

    def save(self) -> None:
        values, seen = self.form.fields_of(), self.seen_version
        self.saved = services.edit(self.object, values, seen_version=seen, once=self.once)

    def compare(self) -> Player:
        """The page says in one line what is stored now."""
        player: Player = self.object.player
        return player

    def context(self) -> Mapping[str, Any]:
        about = {"player": self.object.player, "is_managed": self.object.is_managed}
        return team_context(self.object.access, "roster") | about

    def done(self) -> HttpResponse:
        if not is_htmx(self.request):
            return super().done()
        toasts.add(self.request, self.message())
        team, player = self.kwargs["team"], self.kwargs["player"]
        return self.show_row(self.saved or repository.players.of(team, player, strong=True))

    def show_row(self, player: Player) -> HttpResponse:
        access = self.object.access
        context = {"team": access.team, "row": row_of(access, player), "takes_focus": True}
        return render(self.request, f"{ROSTER}#row", context)

    def success_url(self) -> str:
        return f"{super().success_url()}#player-{self.kwargs['player']}"


@requires("tracker.team.view")
class RemovePlayer(TeamPage, ConfirmPage):
    leads_to = "tracker:roster"
    template = "tracker/roster/player_remove.html"
    partial = ""
    removed: Player | None = None

    def save(self) -> None:
        team, player = self.kwargs["team"], self.kwargs["player"]
        self.removed = services.remove(self.request.user, team, player, once=self.once)

    def context(self) -> Mapping[str, Any]:
        place = services.removable(self.request.user, self.kwargs["team"], self.kwargs["player"])
        return team_context(place.access, "roster") | {"player": place.player}

    def message(self) -> str:
        if self.removed is None:
            return ""
        name = {"name": self.removed.name}
        if self.removed.is_kept:
            return _("%(name)s is now inactive. The plate appearances stay.") % name
        return _("%(name)s removed from the roster.") % name

    def undo(self) -> Undo | None:
        is_deleted = self.removed is not None and not self.removed.is_kept
        return Undo(reverse("tracker:player-restore", kwargs=self.kwargs)) if is_deleted else None


@requires("tracker.team.view")
class RestorePlayer(TeamPage, ActionPage):
    leads_to = "tracker:roster"

    def save(self) -> None:
        self.restored = services.restore(self.request.user, self.kwargs["team"], self.kwargs["player"])

    def message(self) -> str:
        return _("%(name)s is back on the roster.") % {"name": self.restored.name}


@requires("tracker.team.view")
class UnlinkPlayer(TeamPage, ConfirmPage):
    leads_to = "tracker:roster"
    template = "tracker/roster/player_unlink.html"
    partial = ""
    unlinked: Player | None = None

    def save(self) -> None:
        team, player, leaves = (
            self.kwargs["team"],
            self.kwargs["player"],
            self.request.POST.get("leaves") == "yes",
        )
        self.unlinked = services.unlink(self.request.user, team, player, leaves=leaves, once=self.once)

    def context(self) -> Mapping[str, Any]:
        found = services.linked(self.request.user, self.kwargs["team"], self.kwargs["player"])
        role = found.membership.role if found.membership else ""
        about = {"player": found.player, "may_leave": found.may_leave, "leaves": role == PLAYER}
        return team_context(found.access, "roster") | about

    def message(self) -> str:
        if self.unlinked is None:
            return ""
        return _("%(name)s is now a ghost. The plate appearances stay.") % {"name": self.unlinked.name}
