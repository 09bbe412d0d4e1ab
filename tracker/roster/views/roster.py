"""Views of the roster: the list, its file export, adding one player or pasting many."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from core.accounts.rights import SignedInRequest, requires
from core.common.http import go
from core.crud import sheets, toasts
from core.crud.addresses import address_of
from core.crud.sheets import Cell, Sheet
from core.dynamo.errors import AlreadyExists, DataError, NotFound, Replayed, Unavailable
from core.stores import idempotency
from tracker import repository
from tracker.navigation import frame
from tracker.policy import Access, access
from tracker.roster import pasting, services
from tracker.roster.forms import STATUSES, PlayerForm
from tracker.roster.models import DOUBLE_ZERO, Player
from tracker.roster.pasting import PastedLine, PasteForm
from tracker.teams.models import Invitation

TEMPLATE = "tracker/roster/roster.html"
LINKED, GHOST = "linked", "ghost"


@dataclass(frozen=True)
class Row:
    """A table row: a player, and whether this person may edit it."""

    player: Player
    may_edit: bool
    is_invited: bool = False

    @property
    def address(self) -> str:
        return address_of("tracker:player", self.player.team_id, self.player.id)

    @property
    def edit_address(self) -> str:
        return address_of("tracker:player-edit", self.player.team_id, self.player.id)

    @property
    def status(self) -> str:
        return str(STATUSES.get(self.player.status, self.player.status))


@requires("tracker.team.view")
@require_safe
def page(request: SignedInRequest, team: str) -> HttpResponseBase:
    """Three requests with the session; a fourth for managers, who see which players are invited."""
    found = access(request.user, team)
    status, kind = request.GET.get("status", ""), request.GET.get("kind", "")
    everybody = repository.teams.roster(team).players
    players = [player for player in everybody if _is_wanted(player, status, kind)]
    if sheets.asks_for_file(request):
        return sheets.file_of(_sheet(players), found.team.name, request.GET["as"])
    manages = found.may("manage_roster") and not found.team.is_personal
    invited = _invited(team) if manages else set()
    rows = [row_of(found, player, is_invited=player.id in invited) for player in players]
    context = {
        **frame(found, "roster"),
        "rows": rows,
        "is_empty": not everybody,
        "may_manage": manages,
        "statuses": _choices("status", {"": _("Everybody"), **STATUSES}, status, kind),
        "kinds": _choices("kind", {"": _("Both"), LINKED: _("Linked"), GHOST: _("Ghosts")}, kind, status),
        "files": [(each, _address(status, kind, **{"as": each})) for each in sheets.FILES],
    }
    return render(request, TEMPLATE, context)


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def add(request: SignedInRequest, team: str) -> HttpResponse:
    if request.method != "POST":
        form = PlayerForm()
        form.fields["first_name"].widget.attrs["autofocus"] = True
        return _add_page(request, services.managed(request.user, team), form)
    form = PlayerForm(request.POST)
    if not form.is_valid():
        form.focus_first_error()
        return _add_page(request, services.managed(request.user, team), form, status=422)
    try:
        services.add(request.user, team, form.fields_of(), once=idempotency.once(request))
    except Replayed:
        pass
    except AlreadyExists as taken:
        form.add_refusal(taken)
        form.focus_first_error()
        return _add_page(request, access(request.user, team), form, status=taken.status_code)
    name = f"{form.cleaned_data['first_name']} {form.cleaned_data['last_name']}".strip()
    toasts.add(request, _("%(name)s is on the roster.") % {"name": name})
    another = request.POST.get("then") == "another"
    return go(request, reverse("tracker:player-add" if another else "tracker:roster", args=[team]))


@requires("tracker.team.view")
@require_http_methods(["GET", "HEAD", "POST"])
def paste(request: SignedInRequest, team: str) -> HttpResponse:
    """Preview the parsed lines first; then add all (`add`) or those without problems (`add-right`)."""
    found = services.managed(request.user, team)
    if request.method != "POST":
        return _paste_page(request, found, PasteForm())
    form = PasteForm(request.POST)
    if not form.is_valid():
        form.focus_first_error()
        return _paste_page(request, found, form, status=422)
    lines = pasting.read(form.cleaned_data["text"], repository.teams.roster(team, strong=True).players)
    right = [line for line in lines if not line.problems]
    wanted = request.POST.get("do", "")
    if wanted not in ("add", "add-right"):
        return _paste_page(request, found, form, lines)
    once = idempotency.once(request)
    try:
        if not right or (wanted == "add" and len(right) < len(lines)):
            # In a replayed request the problems are the players that it added itself.
            if once:
                once.check()
            return _paste_page(request, found, form, lines, status=422)
        services.add_all(found, [line.fields for line in right], once=once)
    except Replayed:
        toasts.add(request, _("These players are on the roster."))
        return go(request, reverse("tracker:roster", args=[team]))
    except (NotFound, Unavailable):
        raise
    except DataError as error:
        form.add_refusal(error)
        lines = pasting.read(form.cleaned_data["text"], repository.teams.roster(team, strong=True).players)
        return _paste_page(request, found, form, lines, status=error.status_code)
    toasts.add(request, _added(right, [line for line in lines if line.problems]))
    return go(request, reverse("tracker:roster", args=[team]))


def row_of(found: Access, player: Player, *, is_invited: bool = False) -> Row:
    is_own = player.user_id == found.user.sub
    may_manage = found.may("manage_roster") and not found.team.is_personal
    return Row(
        player,
        may_edit=may_manage or (is_own and found.may("edit_own_player")),
        is_invited=is_invited,
    )


def _is_wanted(player: Player, status: str, kind: str) -> bool:
    of_this_kind = {LINKED: not player.is_ghost, GHOST: player.is_ghost}
    return (status not in STATUSES or player.status == status) and bool(of_this_kind.get(kind, True))


def _invited(team_id: str) -> set[str]:
    open_ones: list[Invitation] = [each for each in repository.invitations.of_team(team_id) if each.is_open()]
    return {each.player_id for each in open_ones if each.player_id}


def _choices(name: str, titles: dict[str, Any], chosen: str, other: str) -> list[tuple[str, str, str, bool]]:
    """The options of a filter: value, title, URL, whether it is selected."""
    known = chosen if chosen in titles else ""
    return [
        (
            value,
            str(title),
            _address(value, other) if name == "status" else _address(other, value),
            value == known,
        )
        for value, title in titles.items()
    ]


def _address(status: str, kind: str, **more: str) -> str:
    return "?" + urlencode(
        {name: value for name, value in {"status": status, "kind": kind, **more}.items() if value}
    )


def _added(right: Sequence[PastedLine], wrong: Sequence[PastedLine]) -> str:
    told = ngettext("%(number)d player was added.", "%(number)d players were added.", len(right)) % {
        "number": len(right)
    }
    if not wrong:
        return told
    left_out = ", ".join(str(line.place) for line in wrong)
    return f"{told} {_('Left out: line %(lines)s.') % {'lines': left_out}}"


def _add_page(
    request: SignedInRequest, found: Access, form: PlayerForm, *, status: int = 200
) -> HttpResponse:
    return render(
        request, "tracker/roster/player_add.html", {**frame(found, "roster"), "form": form}, status=status
    )


def _paste_page(
    request: SignedInRequest,
    found: Access,
    form: PasteForm,
    lines: Sequence[PastedLine] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {
        **frame(found, "roster"),
        "form": form,
        "lines": lines,
        "right": sum(not line.problems for line in lines or ()),
        "wrong": sum(bool(line.problems) for line in lines or ()),
    }
    return render(request, "tracker/roster/players_paste.html", context, status=status)


def _sheet(players: Sequence[Player]) -> Sheet:
    headings = [
        *sheets.numbers(_("Number")),
        *sheets.words(_("First name"), _("Last name"), _("Positions")),
        *sheets.words(_("Status"), _("Linked"), _("Private")),
    ]
    return Sheet("roster", _("Roster"), headings, [_cells(player) for player in players])


def _cells(player: Player) -> list[Cell]:
    told = (
        player.first_name,
        player.last_name or "",
        " ".join(player.positions or []),
        STATUSES.get(player.status, player.status),
        _("no") if player.is_ghost else _("yes"),
        _("yes") if player.is_private else _("no"),
    )
    return [_number_cell(player), *(sheets.text(each) for each in told)]


def _number_cell(player: Player) -> Cell:
    """A number cell, except 00, which as a number would be 0."""
    number = player.jersey_number
    if number == DOUBLE_ZERO:
        return sheets.text(number)
    return sheets.number(int(number) if number else None)
