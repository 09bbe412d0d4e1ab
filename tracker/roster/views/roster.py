"""Views of the roster: the list, its file export, adding one player or pasting many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud import sheets
from core.crud.cached_urls import address_of
from core.crud.cells import link_items
from core.crud.form_page import FormPage
from core.crud.http import page_or_partial
from core.crud.listing import Filter, Link, ListBar
from core.crud.sheets import Cell, Sheet
from core.dynamo.errors import AlreadyExists, DataError
from tracker import repository
from tracker.navigation import TeamPage, team_context
from tracker.policy import Access, access
from tracker.roster import pasting, services
from tracker.roster.forms import STATUSES, OwnPlayerForm, PlayerForm
from tracker.roster.models import DOUBLE_ZERO, Player
from tracker.roster.pasting import PastedLine, PasteForm

TEMPLATE = "tracker/roster/roster.html"
LINKED, GHOST = "linked", "ghost"
ADDING = ("add", "add-right")
F = TypeVar("F", bound=OwnPlayerForm)


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
    filters = {name: request.GET.get(name, "") for name in ("status", "kind")}
    everybody = repository.teams.roster(team).players
    players = [player for player in everybody if _is_wanted(player, **filters)]
    if sheets.asks_for_file(request):
        return sheets.file_of(_sheet(players), found.team.name, request.GET["as"])
    listed = repository.invitations.of_team(team) if found.manages_roster else []
    invited = {each.player_id for each in listed if each.is_open()}
    rows = [row_of(found, player, is_invited=player.id in invited) for player in players]
    context = {
        **team_context(found, "roster"),
        "rows": rows,
        "is_empty": not everybody,
        "may_manage": found.manages_roster,
    }
    if everybody:
        context["bar"] = _bar(found, filters, len(players))
    return page_or_partial(request, TEMPLATE, "results", context)


class PlayerPage(FormPage[F]):
    def refuse(self, error: DataError) -> HttpResponse:
        if isinstance(error, AlreadyExists):
            # That another player has the number is a conflict, not a mistake.
            error.status_code_at_field = error.status_code
        return super().refuse(error)


@requires("tracker.team.view")
class AddPlayer(PlayerPage[PlayerForm]):
    form_class = PlayerForm
    template = "tracker/roster/player_add.html"

    @cached_property
    def access(self) -> Access:
        return services.managed(self.request.user, self.kwargs["team"])

    def check(self) -> None:
        self.access  # noqa: B018  # refused to those who may not add anybody

    def save(self) -> None:
        services.add(self.request.user, self.kwargs["team"], self.form.fields_of(), once=self.once)

    def context(self) -> Mapping[str, Any]:
        return team_context(self.access, "roster")

    def message(self) -> str:
        name = f"{self.form.cleaned_data['first_name']} {self.form.cleaned_data['last_name']}".strip()
        return _("%(name)s added to the roster.") % {"name": name}

    def success_url(self) -> str:
        another = self.request.POST.get("then") == "another"
        return reverse("tracker:player-add" if another else "tracker:roster", args=[self.kwargs["team"]])


@requires("tracker.team.view")
class PastePlayers(TeamPage, FormPage[PasteForm]):
    """Shows the parsed lines first; then adds all (`add`) or those without problems (`add-right`)."""

    leads_to = "tracker:roster"
    form_class = PasteForm
    template = "tracker/roster/players_paste.html"
    lines: Sequence[PastedLine] | None = None
    is_added = False

    def load(self) -> None:
        self.access = services.managed(self.request.user, self.kwargs["team"])
        self.wanted = self.request.POST.get("do", "")

    def save(self) -> None:
        self.lines = self.read_lines()
        right = [line for line in self.lines if not line.problems]
        if self.wanted not in ADDING:
            return
        if right and (self.wanted == "add-right" or right == self.lines):
            services.add_all(self.access, [line.fields for line in right], once=self.once)
            self.is_added = True
        elif self.once:
            # In a replayed request the problems are the players that it added itself.
            self.once.check()

    def read_lines(self) -> list[PastedLine]:
        players = repository.teams.roster(self.kwargs["team"], strong=True).players
        return pasting.read(self.form.cleaned_data["text"], players)

    def context(self) -> Mapping[str, Any]:
        lines = self.read_lines() if self.problem else self.lines
        wrong = [bool(line.problems) for line in lines or ()]
        counts = {"right": wrong.count(False), "wrong": wrong.count(True)}
        return team_context(self.access, "roster") | {"lines": lines} | counts

    def message(self) -> str:
        if self.is_replay:
            return _("Players added to the roster.")
        lines = self.lines or ()
        wrong = [str(line.place) for line in lines if line.problems]
        number = len(lines) - len(wrong)
        added = ngettext("%(number)d player added.", "%(number)d players added.", number)
        left_out = _("Left out: line %(lines)s.") % {"lines": ", ".join(wrong)} if wrong else ""
        return f"{added % {'number': number}} {left_out}".strip()

    def done(self) -> HttpResponse:
        if self.is_added or self.is_replay:
            return super().done()
        return self.show(422 if self.wanted in ADDING else 200)


def row_of(found: Access, player: Player, *, is_invited: bool = False) -> Row:
    is_own = player.user_id == found.user.sub and found.may("edit_own_player")
    return Row(player, may_edit=found.manages_roster or is_own, is_invited=is_invited)


def _is_wanted(player: Player, status: str, kind: str) -> bool:
    of_this_kind = {LINKED: not player.is_ghost, GHOST: player.is_ghost}
    return (status not in STATUSES or player.status == status) and bool(of_this_kind.get(kind, True))


def _bar(found: Access, asked: Mapping[str, str], count: int) -> ListBar:
    team = found.team.id
    status = Filter("status", _("Status"), list(STATUSES.items()), usual=_("Everyone"))
    kinds = ((LINKED, _("Linked")), (GHOST, _("Ghosts")))
    filters = [
        (each, each.read(asked[each.name]))
        for each in (status, Filter("kind", _("Account"), kinds, usual=_("Both")))
    ]
    query = urlencode({each.name: chosen for each, chosen in filters if chosen})
    menu = [
        Link("file-csv", _("Download as CSV"), f"?{query}&as=csv", "download"),
        Link("file-xlsx", _("Download as Excel"), f"?{query}&as=xlsx", "download"),
    ]
    if found.manages_roster:
        menu.insert(0, Link("paste", _("Add many"), reverse("tracker:players-paste", args=[team]), "people"))
        menu.insert(
            1, Link("to-invitations", _("Invitations"), reverse("tracker:invitations", args=[team]), "mail")
        )
    return ListBar(
        address=reverse("tracker:roster", args=[team]),
        found=ngettext("%d player", "%d players", count) % count,
        filters=filters,
        menu=link_items(menu),
    )


def _sheet(players: Sequence[Player]) -> Sheet:
    headings = [
        *sheets.numbers(_("Number")),
        *sheets.text_columns(_("First name"), _("Last name"), _("Positions")),
        *sheets.text_columns(_("Status"), _("Linked"), _("Private")),
    ]
    return Sheet("roster", _("Roster"), headings, [_cells(player) for player in players])


def _cells(player: Player) -> list[Cell]:
    number = player.jersey_number
    # 00 as a number would be 0.
    first = sheets.text(number) if number == DOUBLE_ZERO else sheets.number(int(number) if number else None)
    texts = (
        player.first_name,
        player.last_name or "",
        " ".join(player.positions or []),
        STATUSES.get(player.status, player.status),
        _("no") if player.is_ghost else _("yes"),
        _("yes") if player.is_private else _("no"),
    )
    return [first, *map(sheets.text, texts)]
