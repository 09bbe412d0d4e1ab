"""Lists of all people, teams and games, for administrators."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.accounts.user import User
from core.crud import sheets
from core.crud.cells import link_items
from core.crud.export import MOST_ROWS
from core.crud.http import page_or_partial
from core.crud.listing import Filter, Link, ListBar
from core.crud.sheets import Heading, Row, Sheet
from core.dynamo.errors import Text
from core.dynamo.paging import DEFAULT_LIMIT, MOST, Page, read_token
from tracker import repository
from tracker.games.models import Game
from tracker.games.presenters import Card
from tracker.people.models import Profile
from tracker.teams.models import Team

LISTS: Mapping[str, Text] = {
    "people": gettext_lazy("All people"),
    "teams": gettext_lazy("All teams"),
    "games": gettext_lazy("All games"),
}
KINDS: Mapping[bool, Text] = {False: gettext_lazy("Team"), True: gettext_lazy("Own stats")}

Read = Callable[..., Page[Any]]
RowsOf = Callable[[Sequence[Any]], list[Row]]


@requires("tracker.all.view")
@require_safe
def people(request: SignedInRequest) -> HttpResponseBase:
    headings = sheets.text_columns(_("Name"), _("E-mail address"), _("Phone"), _("Since"))
    return _listed(request, "people", headings, repository.profiles.all, _people)


@requires("tracker.all.view")
@require_safe
def teams(request: SignedInRequest) -> HttpResponseBase:
    """Without personal teams, which are private; `?personal` adds the user's own."""
    headings = sheets.text_columns(_("Team"), _("Kind"), _("Owner"), _("State"), _("Since"))
    own = request.user.sub if _shows_personal(request) else None
    read = partial(repository.teams.all, keep=lambda team: not team.is_personal or team.owner_id == own)
    return _listed(request, "teams", headings, read, _teams)


@requires("tracker.all.view")
@require_safe
def games(request: SignedInRequest) -> HttpResponseBase:
    headings = sheets.text_columns(_("Team"), _("Opponent"), _("Day"), _("State"), _("Score"))
    rows_of = partial(_games, user=request.user)
    return _listed(request, "games", headings, repository.games.all, rows_of)


def _listed(
    request: SignedInRequest, name: str, headings: Sequence[Heading], read: Read, rows_of: RowsOf
) -> HttpResponseBase:
    """A page of the list, newest first; with `?as=` a file of the whole list."""
    if sheets.asks_for_file(request):
        whole = Sheet(name, LISTS[name], headings, _every(read, rows_of))
        return sheets.file_of(whole, _("all"), request.GET["as"])
    shows_personal = _shows_personal(request)
    bound_to = (request.user.sub, f"tracker:all-{name}", shows_personal)
    start = read_token(request.GET.get("after"), *bound_to)
    page = read(newest_first=True, limit=DEFAULT_LIMIT, start=start)
    kept = {"personal": "yes"} if shows_personal else {}
    token = page.next_token(*bound_to)
    context = {
        "name": name,
        "title": LISTS[name],
        "lists": [(each, title, reverse(f"tracker:all-{each}")) for each, title in LISTS.items()],
        "headings": headings,
        "rows": [list(zip(headings, row, strict=True)) for row in rows_of(page.items)],
        "next_address": f"?{urlencode(kept | {'after': token})}" if token else "",
        "bar": _bar(name, kept),
        "is_first_page": start is None,
    }
    return page_or_partial(request, "tracker/teams/all_list.html", "results", context)


def _shows_personal(request: SignedInRequest) -> bool:
    return bool(request.GET.get("personal"))


def _bar(name: str, kept: Mapping[str, str]) -> ListBar:
    own = Filter("personal", KINDS[True], [("yes", _("Shown"))], usual=_("Hidden"))
    files = [
        Link(f"{name}-csv", _("Download as CSV"), f"?{urlencode({**kept, 'as': 'csv'})}", "download"),
        Link(f"{name}-xlsx", _("Download as Excel"), f"?{urlencode({**kept, 'as': 'xlsx'})}", "download"),
    ]
    return ListBar(
        address=reverse(f"tracker:all-{name}"),
        found="",
        filters=[(own, kept.get("personal", ""))] if name == "teams" else [],
        menu=link_items(files),
    )


def _every(read: Read, rows_of: RowsOf) -> list[Row]:
    page = read(newest_first=True, limit=MOST)
    found = rows_of(page.items)
    while page.next_key is not None and len(found) < MOST_ROWS:
        page = read(newest_first=True, limit=MOST, start=page.next_key)
        found += rows_of(page.items)
    return found[:MOST_ROWS]


def _people(found: Sequence[Profile]) -> list[Row]:
    return [
        (
            sheets.text(profile.name, reverse("tracker:person", args=[profile.id])),
            sheets.text(profile.email),
            sheets.text(profile.phone_number or ""),
            sheets.day(profile.created_at),
        )
        for profile in found
    ]


def _teams(found: Sequence[Team]) -> list[Row]:
    named = repository.profiles.with_ids(team.owner_id for team in found)
    return [
        (
            sheets.text(team.name, "" if team.is_deleted else reverse("tracker:team", args=[team.id])),
            sheets.text(KINDS[team.is_personal]),
            sheets.text(named[team.owner_id].name if team.owner_id in named else ""),
            sheets.text(_("Deleted") if team.is_deleted else _("Active")),
            sheets.day(team.created_at),
        )
        for team in found
    ]


def _games(found: Sequence[Game], user: User) -> list[Row]:
    """The rows of games, without those of other people's personal teams."""
    teams = repository.teams.with_ids(game.team_id for game in found)
    rows: list[Row] = []
    for game in found:
        team = teams.get(game.team_id)
        if team is None or (team.is_personal and team.owner_id != user.sub):
            continue
        card = Card(game)
        rows.append(
            (
                sheets.text(team.name, "" if team.is_deleted else reverse("tracker:game", args=[game.id])),
                sheets.text(card.opponent),
                sheets.day(game.scheduled_start),
                sheets.text(card.status),
                sheets.text(card.score),
            )
        )
    return rows
