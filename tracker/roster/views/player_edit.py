"""Views of one player: edit (as a table row or a page), remove, restore, unlink."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go, is_htmx, small_number
from core.crud import toasts
from core.crud.http import page_or_partial
from core.crud.toasts import Undo
from core.dynamo.errors import AlreadyExists, Conflict, Replayed
from core.stores import idempotency
from tracker import repository
from tracker.navigation import frame
from tracker.policy import Access
from tracker.roster import services
from tracker.roster.forms import OwnPlayerForm, PlayerForm
from tracker.roster.models import Player
from tracker.roster.services import OpenPlayer
from tracker.roster.views.roster import TEMPLATE as ROSTER
from tracker.roster.views.roster import row_of
from tracker.teams.models import PLAYER


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, team: str, player: str) -> HttpResponse:
    place = services.opened(request.user, team, player)
    if request.method != "POST":
        if is_htmx(request) and request.GET.get("show") == "row":
            return _row(request, place.access, place.player)
        form = _form(place, initial=OwnPlayerForm.initial_of(place.player))
        form.fields["first_name"].widget.attrs["autofocus"] = True
        return _edit_page(request, place, form)
    form = _form(place, request.POST)
    if not form.is_valid():
        form.focus_first_error()
        return _edit_page(request, place, form, status=422)
    seen = small_number(request.POST.get("version", ""))
    try:
        saved = services.edit(place, form.fields_of(), seen_version=seen, once=idempotency.once(request))
    except Replayed:
        saved = repository.players.of(team, player, strong=True)
    except AlreadyExists as taken:
        form.add_refusal(taken)
        form.focus_first_error()
        return _edit_page(request, place, form, status=taken.status_code)
    except Conflict:
        # The page shows the other version and carries its version number, so saving again overwrites.
        newest = services.opened(request.user, team, player)
        return _edit_page(request, newest, form, status=409, contested=newest.player)
    toasts.add(request, _("Saved."))
    if is_htmx(request):
        return _row(request, place.access, saved)
    return go(request, f"{reverse('tracker:roster', args=[team])}#player-{player}")


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: SignedInRequest, team: str, player: str) -> HttpResponse:
    if request.method != "POST":
        place = services.removable(request.user, team, player)
        return _question(request, "tracker/roster/player_remove.html", place.access, place.player)
    try:
        removed = services.remove(request.user, team, player, once=idempotency.once(request))
    except Replayed:
        return go(request, reverse("tracker:roster", args=[team]))
    name = {"name": removed.player.name}
    if removed.is_deleted:
        undo = Undo(reverse("tracker:player-restore", args=[team, player]))
        toasts.add(request, _("%(name)s was removed from the roster.") % name, undo=undo)
    else:
        toasts.add(request, _("%(name)s is inactive now. The plate appearances stay.") % name)
    return go(request, reverse("tracker:roster", args=[team]))


@requires("tracker.team.view")
@require_POST
def restore(request: SignedInRequest, team: str, player: str) -> HttpResponse:
    back = services.restore(request.user, team, player)
    toasts.add(request, _("%(name)s is back on the roster.") % {"name": back.name})
    return go(request, reverse("tracker:roster", args=[team]))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def unlink(request: SignedInRequest, team: str, player: str) -> HttpResponse:
    if request.method != "POST":
        found = services.linked(request.user, team, player)
        role = found.membership.role if found.membership else ""
        about = {"may_leave": found.may_leave, "leaves": role == PLAYER}
        return _question(request, "tracker/roster/player_unlink.html", found.access, found.player, **about)
    leaves = request.POST.get("leaves") == "yes"
    try:
        parted = services.unlink(request.user, team, player, leaves=leaves, once=idempotency.once(request))
    except Replayed:
        return go(request, reverse("tracker:roster", args=[team]))
    toasts.add(request, _("%(name)s is a ghost now. The plate appearances stay.") % {"name": parted.name})
    return go(request, reverse("tracker:roster", args=[team]))


def _form(place: OpenPlayer, posted: Any = None, *, initial: dict[str, Any] | None = None) -> OwnPlayerForm:
    kind = PlayerForm if place.is_managed else OwnPlayerForm
    # Several rows may be in edit mode at once, so ids must differ.
    return kind(posted, initial=initial, auto_id=f"id_{place.player.id}_%s")


def _row(request: SignedInRequest, access: Access, player: Player) -> HttpResponse:
    context = {"team": access.team, "row": row_of(access, player), "takes_focus": True}
    return render(request, f"{ROSTER}#row", context)


def _edit_page(
    request: SignedInRequest,
    place: OpenPlayer,
    form: OwnPlayerForm,
    *,
    status: int = 200,
    contested: Player | None = None,
) -> HttpResponse:
    context = {
        **frame(place.access, "roster"),
        "player": place.player,
        "form": form,
        "is_managed": place.is_managed,
        "contested": contested,
    }
    return page_or_partial(request, "tracker/roster/player_edit.html", "form", context, status=status)


def _question(
    request: SignedInRequest, template: str, access: Access, player: Player, **about: Any
) -> HttpResponse:
    return render(request, template, {**frame(access, "roster"), "player": player, **about})
