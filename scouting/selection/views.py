"""The board of the pick list, its earlier saves, file export and print page."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
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

from core.accounts.rights import SignedInRequest, may, requires
from core.common.http import is_htmx, small_number
from core.crud import toasts
from core.crud.http import page_or_partial
from core.crud.sheets import Cell, Sheet, file_of, words
from core.dynamo.errors import DataError, Invalid, KeyReused, NotFound, Replayed, Unavailable
from core.dynamo.history import HistoryEntry
from core.dynamo.items import new_id
from core.stores import idempotency
from scouting.analysis import pages
from scouting.cells import cells
from scouting.events import services as events
from scouting.events.event import ScoutedEvent
from scouting.events.repository import event_infos
from scouting.selection import merge as pick_merge
from scouting.selection import pick_list, weights
from scouting.selection import services as selection
from scouting.selection.merge import THEIRS, Order, merged
from scouting.selection.models import COLUMNS, UNSORTED
from scouting.selection.pick_list import BY_NUMBER, BY_RANK, BY_SCORE, TITLES, Pick, Picks
from scouting.selection.presenters import Board, Column, Disagreement, columns_of, filled_columns, place_in
from scouting.selection.services import Clash, Saved
from scouting.tba import client

TEMPLATE = "scouting/selection/board.html"
SORTS = (BY_NUMBER, BY_RANK, BY_SCORE)


@requires("scouting.selection.view")
@require_safe
@pages.at_event
def board(request: SignedInRequest, key: str) -> HttpResponse:
    """The saved list; with `?restore=`, an earlier save, which can be saved again."""
    event, saved = selection.read(key, strong=True)
    restored = request.GET.get("restore", "")
    if restored:
        board = Board(selection.earlier(event, saved, restored), saved.order, saved)
        saves = selection.saves(key)
        shown_from = next((save.at for save in saves if save.entry_id == restored), None)
        return _page(request, event, board, saves=saves, restored_from=shown_from)
    saves = selection.saves(key) if saved.version else []
    return _page(request, event, _sorted(Board(saved.picks, saved.order, saved)), saves=saves)


@requires("scouting.selection.view")
@require_safe
@pages.at_event
def changes(request: SignedInRequest, key: str) -> HttpResponse:
    """Polled by an open page every few seconds: 204 if it knows the newest version.

    The order on the page is unchanged; the response updates the taken teams, and says if somebody saved.
    """
    if selection.version_now(key) == small_number(request.GET.get("seen", ""), -1):
        return HttpResponse(status=204)
    event, saved = selection.read(key, strong=True)
    shown_taken = set(filter(None, request.GET.get("taken", "").split(".")))
    board = Board(saved.picks, pick_list.order_from_form(request.GET.get("base", "")), saved)
    context = {
        "event": event,
        "board": board,
        "address": _changes_address(event, board),
        "ticked": [pick for pick in saved.picks if pick.taken != (pick.number in shown_taken)],
    }
    return render(request, f"{TEMPLATE}#changes", context)


@requires("scouting.selection.update")
@require_POST
@pages.at_event
def change(request: SignedInRequest, key: str) -> HttpResponse:
    """One step on the board. The page holds the order until it is saved;
    taken teams are written immediately."""
    verb, _colon, rest = request.POST.get("do", "").partition(":")
    event, saved = selection.read(key, strong=True)
    sent = _sent(request, event, saved)
    match verb:
        case "save":
            return _save(request, event, sent)
        case "settle":
            # The merged order with the other side as winner, which the page posts with this choice.
            settled = pick_list.order_from_form(request.POST.get("settled", ""))
            return _save(request, event, replace(sent, picks=pick_list.arranged(sent.picks, settled)))
        case "merge":
            return _merged(request, event, sent)
        case "take" | "free":
            return _page(request, event, _ticked(request, event, sent, rest, is_free=verb == "free"))
        case "refresh":
            return _refreshed(request, event, sent)
    return _page(request, event, _stepped(event, sent, verb, rest, weights.from_form(request.POST)))


@requires("scouting.selection.view")
@require_safe
@pages.at_event
def report(request: SignedInRequest, key: str, kind: str) -> HttpResponseBase:
    """The saved list as a file: one column for each round."""
    _event, saved = selection.read(key)
    columns = filled_columns(saved.picks)
    titles = [
        f"{column.title}({len(column.picks)})" if column.key == UNSORTED else column.title
        for column in columns
    ]
    return file_of(Sheet("team-selection", _("Team selection"), words(*titles), _lines(columns)), key, kind)


@requires("scouting.selection.view")
@require_safe
@pages.at_event
def sheet(request: SignedInRequest, key: str) -> HttpResponse:
    """The saved list for printing."""
    event, saved = selection.read(key)
    context = {"event": event, "saved": saved, "columns": filled_columns(saved.picks)}
    return render(request, "scouting/selection/print.html", context)


# --- Steps ------------------------------------------------------------------------------------------------


def _sent(request: SignedInRequest, event: ScoutedEvent, saved: Saved) -> Board:
    """The board from the posted form, with the saved taken teams."""
    sort = request.POST.get("sort", "")
    picks = pick_list.refreshed(pick_list.from_form(request.POST.getlist("pick")), event)
    return Board(
        picks=pick_list.with_taken(picks, saved.taken),
        base=pick_list.order_from_form(request.POST.get("base", "")),
        saved=saved,
        sort=sort if sort in SORTS else BY_NUMBER,
    )


def _stepped(event: ScoutedEvent, sent: Board, verb: str, rest: str, chosen: list[weights.Weight]) -> Board:
    """The board after one step, with its status message."""
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
        case "sort" if rest in SORTS:
            scores = weights.scores(event.key, chosen) if rest == BY_SCORE else {}
            said = _("The unsorted teams are in another order.")
            return _sorted(replace(sent, sort=rest, said=said, focus=f"sort-{rest}"), scores)
        case "seed":
            scores = weights.scores(event.key, chosen)
            picks = pick_list.seeded(sent.picks, scores, weights.SEEDED)
            said = _("The best unsorted teams are now in R1.")
            return _sorted(replace(sent, picks=picks, said=said, focus="column-r1"))
    raise Invalid


def _refreshed(request: SignedInRequest, event: ScoutedEvent, sent: Board) -> HttpResponse:
    """Fetch current ranks from The Blue Alliance; unsaved changes stay."""
    try:
        events.refresh(request.user, event.key)
        said = _("These are the ranks of now.")
    except (NotFound, Unavailable):
        raise
    except DataError as error:
        said = str(error.message)
    today = event_infos.read(event.key, strong=True)
    picks = pick_list.refreshed(sent.picks, today)
    return _page(request, today, _sorted(replace(sent, picks=picks, said=said, focus="refresh")))


def _sorted(board: Board, scores: Mapping[str, float] | None = None) -> Board:
    """Sort the unsorted teams. By score only if `scores` is given;
    otherwise they keep their order on the page."""
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


def _ticked(
    request: SignedInRequest, event: ScoutedEvent, sent: Board, number: str, *, is_free: bool
) -> Board:
    """Three requests: the session, the event with its list, and the transaction."""
    saved = selection.take(request.user, event, number, over=sent.saved, is_free=is_free)
    said = _("%(team)s is free.") if is_free else _("%(team)s is taken.")
    return replace(
        sent,
        picks=pick_list.with_taken(sent.picks, saved.taken),
        saved=saved,
        said=said % {"team": number},
        focus=f"take-{number}",
    )


def _merged(request: SignedInRequest, event: ScoutedEvent, sent: Board) -> HttpResponse:
    """Merge the order of the page with what others saved since."""
    merge = merged(sent.base, pick_list.order_of(sent.picks), sent.saved.order)
    if merge.clashes:
        return _clash(request, event, sent, sent.saved)
    board = replace(
        _with_order(sent, event, merge.order),
        said=_("The changes of %(name)s are in your list.") % {"name": sent.saved.by or "?"},
        focus="save",
    )
    return _page(request, event, _sorted(board))


def _save(request: SignedInRequest, event: ScoutedEvent, sent: Board) -> HttpResponse:
    """Three requests: the session, the event with its list, and the transaction."""
    try:
        saved = selection.save(
            request.user, event, sent.picks, base=sent.base, over=sent.saved, once=idempotency.once(request)
        )
    except Replayed:
        # A resend: the list is saved already.
        _event, saved = selection.read(event.key, strong=True)
    except Clash as clash:
        return _clash(request, event, sent, clash.theirs)
    except KeyReused:
        said = _("This list was saved before with another order. Save again to keep this one.")
        return _page(request, event, replace(sent, said=said))
    toasts.add(request, _("The team selection was saved."))
    address = f"{reverse('scouting:selection')}?event={event.key}"
    if not is_htmx(request):
        return HttpResponseRedirect(address)
    board = Board(saved.picks, saved.order, saved, sort=sent.sort, focus="save")
    return _page(request, event, _sorted(board))


def _clash(request: SignedInRequest, event: ScoutedEvent, sent: Board, theirs: Saved) -> HttpResponse:
    """The page with both orders and the choice. All moves without a clash are already merged."""
    mine = pick_list.order_of(sent.picks)
    by_mine = merged(sent.base, mine, theirs.order)
    by_theirs = merged(sent.base, mine, theirs.order, winner=THEIRS)
    context: dict[str, Any] = {
        "theirs": theirs,
        "their_columns": columns_of(theirs.picks),
        "settled": pick_merge.written(by_theirs.order),
        "disagreements": [
            Disagreement(number, place_in(mine, number), place_in(theirs.order, number))
            for number in by_mine.clashes
        ],
    }
    board = _with_order(replace(sent, saved=theirs), event, by_mine.order)
    return _page(request, event, _sorted(board), status=409, **context)


def _with_order(board: Board, event: ScoutedEvent, order: Order) -> Board:
    """The board in an order that includes the saved list, which becomes its base."""
    known = {pick.number for pick in board.picks}
    others = [pick for pick in board.saved.picks if pick.number not in known]
    picks = pick_list.refreshed(pick_list.arranged((*board.picks, *others), order), event)
    return replace(board, picks=pick_list.with_taken(picks, board.saved.taken), base=board.saved.order)


# --- How it is shown --------------------------------------------------------------------------------------


def _page(
    request: SignedInRequest,
    event: ScoutedEvent,
    board: Board,
    *,
    saves: Sequence[HistoryEntry] = (),
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    """Render the board. The saves are passed only when the page is opened:
    after a step they are not read again."""
    context: dict[str, Any] = {
        "event": event,
        "board": board,
        "address": _changes_address(event, board),
        "columns": [
            replace(column, cards=_cards(column.picks, event, board.focus))
            for column in columns_of(board.picks)
        ],
        "sorts": [
            (BY_NUMBER, _("Number")),
            (BY_RANK, _("Rank")),
            (BY_SCORE, _("Score")),
        ],
        "weights": weights.from_form(request.POST),
        "seeded": weights.SEEDED,
        "saves": saves,
        "once": new_id(),
        "is_htmx": is_htmx(request),
        "may_refresh": not event.is_own and client.is_set_up() and may(request.user, "scouting.event.update"),
    }
    return page_or_partial(request, TEMPLATE, "board", context | more, status=status)


def _changes_address(event: ScoutedEvent, board: Board) -> str:
    """The polling URL, with the state that the page knows."""
    known = {
        "event": event.key,
        "seen": board.saved.version,
        "base": board.written_base,
        "taken": ".".join(pick.number for pick in board.saved.picks if pick.taken),
    }
    return f"{reverse('scouting:selection-changes')}?{urlencode(known)}"


def _cards(picks: list[Pick], event: ScoutedEvent, focus: str) -> list[SafeString]:
    language = get_language()
    return [
        _card(pick, event.key, focus if focus.endswith(f"-{pick.number}") else "", language) for pick in picks
    ]


@lru_cache(maxsize=512)
def _card(pick: Pick, event: str, focus: str, language: str | None) -> SafeString:
    """Cached: a step on the board changes few of sixty cards, each of which has ten buttons."""
    context = {"pick": pick, "event": event, "focus": focus, "targets": TITLES.items()}
    return render_to_string(f"{TEMPLATE}#card", context)


def _lines(columns: list[Column]) -> list[list[Cell]]:
    numbers = [
        [f"{pick.number} - {pick.name}" for pick in column.picks if not pick.has_left] for column in columns
    ]
    return [cells(*line) for line in zip_longest(*numbers)]
