"""Team selection: the board of the pick list, its earlier saves, its file and its sheet of paper."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from itertools import zip_longest
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.rights import SignedInRequest, may, requires
from crud.http import is_htmx, page_or_partial, small_number
from crud.sheets import Cell, Sheet, file_of, words
from crud.toasts import tell
from dynamo.errors import Conflict, DataError, Invalid, KeyReused, NotFound, Replayed, Unavailable
from dynamo.items import new_id
from scouting import repository, weighing
from scouting.event import ScoutedEvent
from scouting.models import COLUMNS, DO_NOT_PICK, THIRD, UNSORTED
from scouting.services import events, pick_list, selection
from scouting.services.pick_list import BY_NUMBER, BY_RANK, BY_SCORE, TITLES, Pick, Picks
from scouting.services.selection import Saved
from scouting.sheets import cells
from scouting.tba import client
from scouting.views import shown
from scouting.views.compare import MOST_COMPARED
from stores import idempotency

TEMPLATE = "scouting/selection.html"
SORTS = (BY_NUMBER, BY_RANK, BY_SCORE)


@dataclass(frozen=True)
class Column:
    key: str
    title: str
    picks: list[Pick]
    # How many there is room for, where that is known.
    room: int | None = None
    to_compare: str = ""
    # The picks as the board shows them.
    cards: list[SafeString] = field(default_factory=list)


@dataclass(frozen=True)
class Board:
    """The order that a page holds, saved or not."""

    picks: Picks
    version: int
    sort: str = BY_NUMBER
    is_changed: bool = False
    # What just happened, in words, and the id of what has the focus then.
    said: str = ""
    focus: str = ""


@requires("scouting.selection.view")
@require_safe
@shown.at_event
def board(request: SignedInRequest, key: str) -> HttpResponse:
    """The saved list; with `?restore=`, one of the earlier saves, to be looked at and saved again."""
    event, saved = selection.read(key, strong=True)
    restored = request.GET.get("restore", "")
    if restored:
        board = Board(selection.earlier(event, saved, restored), saved.version, is_changed=True)
        shown_from = next((save.at for save in selection.saves(key) if save.entry_id == restored), None)
        return _page(request, event, board, saved, restored_from=shown_from)
    return _page(request, event, _sorted(Board(saved.picks, saved.version)), saved)


@requires("scouting.selection.update")
@require_POST
@shown.at_event
def change(request: SignedInRequest, key: str) -> HttpResponse:
    """One step on the board, which the page carries along until it is saved."""
    verb, _colon, rest = request.POST.get("do", "").partition(":")
    if verb == "save":
        return _save(request, key, rest)
    event = repository.event_infos.read(key)
    sent = _sent(request, event)
    if verb == "refresh":
        return _refreshed(request, event, sent)
    return _page(request, event, _stepped(event, sent, verb, rest, weighing.from_form(request.POST)))


@requires("scouting.selection.view")
@require_safe
@shown.at_event
def report(request: SignedInRequest, key: str, kind: str) -> HttpResponseBase:
    """The saved list as a file: one column for each round."""
    _event, saved = selection.read(key)
    columns = _filled_columns(saved.picks)
    titles = [
        f"{column.title}({len(column.picks)})" if column.key == UNSORTED else column.title
        for column in columns
    ]
    return file_of(Sheet("team-selection", _("Team selection"), words(*titles), _lines(columns)), key, kind)


@requires("scouting.selection.view")
@require_safe
@shown.at_event
def sheet(request: SignedInRequest, key: str) -> HttpResponse:
    """The saved list for paper."""
    event, saved = selection.read(key)
    context = {"event": event, "saved": saved, "columns": _filled_columns(saved.picks)}
    return render(request, "scouting/selection_print.html", context)


# --- Steps ------------------------------------------------------------------------------------------------


def _sent(request: SignedInRequest, event: ScoutedEvent) -> Board:
    """The board as the page has it."""
    version, sort = small_number(request.POST.get("version", ""), -1), request.POST.get("sort", "")
    if version < 0:
        raise Invalid
    return Board(
        picks=pick_list.refreshed(pick_list.from_form(request.POST.getlist("pick")), event),
        version=version,
        sort=sort if sort in SORTS else BY_NUMBER,
        is_changed=True,
    )


def _stepped(event: ScoutedEvent, sent: Board, verb: str, rest: str, chosen: list[weighing.Weight]) -> Board:
    """The board after one step, with what to say about it."""
    number, _colon, target = rest.partition(":")
    column, _colon, place = target.partition(":")
    match verb:
        case "move" if column in COLUMNS:
            picks = pick_list.moved(sent.picks, number, column, small_number(place))
            said = _("%(team)s is now in “%(column)s”.") % {"team": number, "column": TITLES[column]}
            return _sorted(replace(sent, picks=picks, said=said, focus=f"menu-{number}"))
        case "up" | "down":
            picks = pick_list.shifted(sent.picks, number, -1 if verb == "up" else 1)
            return replace(sent, picks=picks, said=_place_of(picks, number), focus=f"{verb}-{number}")
        case "take":
            picks = pick_list.ticked(sent.picks, number)
            taken = any(pick.taken for pick in picks if pick.number == number)
            said = _("%(team)s is taken.") if taken else _("%(team)s is free.")
            return replace(sent, picks=picks, said=said % {"team": number}, focus=f"take-{number}")
        case "sort" if rest in SORTS:
            scores = weighing.scores(event.key, chosen) if rest == BY_SCORE else {}
            said = _("The unsorted teams are in another order.")
            return _sorted(replace(sent, sort=rest, said=said, focus=f"sort-{rest}"), scores)
        case "seed":
            scores = weighing.scores(event.key, chosen)
            picks = pick_list.seeded(sent.picks, scores, weighing.SEEDED)
            said = _("The best unsorted teams are now in R1.")
            return _sorted(replace(sent, picks=picks, said=said, focus="column-r1"))
    raise Invalid


def _refreshed(request: SignedInRequest, event: ScoutedEvent, sent: Board) -> HttpResponse:
    """With the ranks that The Blue Alliance tells now; what is not saved yet stays as it is."""
    try:
        events.refresh(request.user, event.key)
        said = _("These are the ranks of now.")
    except (NotFound, Unavailable):
        raise
    except DataError as error:
        said = str(error.message)
    today = repository.event_infos.read(event.key, strong=True)
    picks = pick_list.refreshed(sent.picks, today)
    return _page(request, today, _sorted(replace(sent, picks=picks, said=said, focus="refresh")))


def _sorted(board: Board, scores: Mapping[str, float] | None = None) -> Board:
    """By score only when asked for it: until then, teams stay where the page has them."""
    if board.sort == BY_SCORE and scores is None:
        return board
    return replace(board, picks=pick_list.with_unsorted_by(board.picks, board.sort, scores or {}))


def _place_of(picks: Picks, number: str) -> str:
    pick = next(pick for pick in picks if pick.number == number)
    told = {
        "team": number,
        "place": pick_list.in_column(picks, pick.column).index(pick) + 1,
        "column": TITLES[pick.column],
    }
    return _("%(team)s is number %(place)d in “%(column)s”.") % told


def _save(request: SignedInRequest, key: str, seen: str) -> HttpResponse:
    """Three requests: the session, the event with its list, and the transaction.

    Whoever has `seen` what was saved meanwhile may save over it: the button names that version.
    """
    event, before = selection.read(key, strong=True)
    sent = _sent(request, event)
    try:
        saved = selection.save(
            request.user,
            event,
            sent.picks,
            over=before,
            seen_version=small_number(seen, sent.version),
            once=idempotency.once(request),
            keeps_ticks=bool(seen),
        )
    except Replayed:
        # Sent twice: it is saved, and that is what is told.
        _event, saved = selection.read(key, strong=True)
    except Conflict as conflict:
        return _page(request, event, sent, theirs=selection.of_conflict(conflict, event))
    except KeyReused:
        said = _("This list was saved before with another order. Save again to keep this one.")
        return _page(request, event, replace(sent, said=said))
    tell(request, _("The team selection was saved."))
    address = f"{reverse('scouting:selection')}?event={event.key}"
    if not is_htmx(request):
        return HttpResponseRedirect(address)
    board = Board(saved.picks, saved.version, sort=sent.sort, focus="save")
    return _page(request, event, _sorted(board), saved, lists_saves=False)


# --- How it is shown --------------------------------------------------------------------------------------


def _page(
    request: SignedInRequest,
    event: ScoutedEvent,
    board: Board,
    saved: Saved | None = None,
    *,
    theirs: Saved | None = None,
    restored_from: datetime | None = None,
    lists_saves: bool = True,
) -> HttpResponse:
    """`theirs` is what somebody else has saved: then the page has both orders, and the choice.

    A board that was just saved has a link to the earlier saves: they are not read for each save.
    """
    context: dict[str, Any] = {
        "event": event,
        "board": board,
        "columns": [
            replace(column, cards=_cards(column.picks, event, board.focus))
            for column in _columns(board.picks)
        ],
        "saved": saved,
        "theirs": theirs,
        "their_columns": _columns(theirs.picks) if theirs else [],
        "restored_from": restored_from,
        "sorts": [
            (BY_NUMBER, _("Number")),
            (BY_RANK, _("Rank")),
            (BY_SCORE, _("Score")),
        ],
        "weights": weighing.from_form(request.POST),
        "seeded": weighing.SEEDED,
        "saves": selection.saves(event.key) if lists_saves and saved and saved.version else [],
        "once": new_id(),
        "is_htmx": is_htmx(request),
        "may_refresh": not event.is_own and client.is_set_up() and may(request.user, "scouting.event.update"),
    }
    return page_or_partial(request, TEMPLATE, "board", context, status=409 if theirs else 200)


def _cards(picks: list[Pick], event: ScoutedEvent, focus: str) -> list[SafeString]:
    language = get_language()
    return [
        _card(pick, event.key, focus if focus.endswith(f"-{pick.number}") else "", language) for pick in picks
    ]


@lru_cache(maxsize=512)
def _card(pick: Pick, event: str, focus: str, language: str | None) -> SafeString:
    """A step on the board changes a few of sixty cards, each of which has ten buttons."""
    context = {"pick": pick, "event": event, "focus": focus, "targets": TITLES.items()}
    return render_to_string(f"{TEMPLATE}#card", context)


def _columns(picks: Picks) -> list[Column]:
    return [_column(picks, key) for key in COLUMNS]


def _column(picks: Picks, key: str) -> Column:
    found = pick_list.in_column(picks, key)
    free = [pick.number for pick in found if not pick.taken][:MOST_COMPARED]
    return Column(
        key=key,
        title=str(TITLES[key]),
        picks=found,
        room=pick_list.room_in_the_last_round(picks) if key == THIRD else None,
        to_compare=urlencode({"team": free}, doseq=True) if len(free) > 1 else "",
    )


def _filled_columns(picks: Picks) -> list[Column]:
    """The rounds, and before them whoever has none; those that nobody is to pick are nobody's business."""
    columns = [column for column in _columns(picks) if column.key != DO_NOT_PICK]
    return [column for column in columns if column.picks or column.key != UNSORTED]


def _lines(columns: list[Column]) -> list[list[Cell]]:
    numbers = [
        [f"{pick.number} - {pick.name}" for pick in column.picks if not pick.has_left] for column in columns
    ]
    return [cells(*line) for line in zip_longest(*numbers)]
