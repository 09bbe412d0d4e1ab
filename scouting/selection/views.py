"""The board of the pick list, its earlier saves, file export and print page."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from core.accounts.rights import SignedInRequest, may, requires
from core.common.http import is_htmx, small_number
from core.crud import toasts
from core.crud.form_page import FormPage
from core.crud.forms import RefusableForm
from core.crud.http import page_or_partial
from core.crud.sheets import Sheet, file_of, text_columns
from core.dynamo.errors import DataError, Invalid, KeyReused, NotFound, Unavailable
from core.dynamo.items import new_id
from scouting.analysis import pages
from scouting.cells import cells
from scouting.events import services as events
from scouting.events.event import ScoutedEvent
from scouting.events.repository import event_infos
from scouting.revision_cache import cached_by_language
from scouting.selection import merge as pick_merge
from scouting.selection import pick_list, presenters, weights
from scouting.selection import services as selection
from scouting.selection.merge import Order
from scouting.selection.models import COLUMNS, UNSORTED
from scouting.selection.pick_list import BY_NUMBER, BY_RANK, BY_SCORE, TITLES, Pick, Picks
from scouting.selection.presenters import Board
from scouting.selection.services import Clash, Saved
from scouting.tba import client

TEMPLATE = "scouting/selection/board.html"
SORTS = {
    BY_NUMBER: gettext_lazy("Number"),
    BY_RANK: gettext_lazy("Rank"),
    BY_SCORE: pgettext_lazy("scouting", "Score"),
}


@requires("scouting.selection.view")
@pages.at_event
def board(request: SignedInRequest, key: str) -> HttpResponse:
    """The saved list; with `?restore=`, an earlier save, which can be saved again."""
    event, saved = selection.read(key, strong=True)
    board = Board(saved.picks, saved.order, saved)
    saves = selection.saves(key) if saved.version else []
    restored, restored_from = request.GET.get("restore", ""), None
    if restored:
        board = replace(board, picks=selection.earlier(event, saved, restored))
        restored_from = next((save.at for save in saves if save.entry_id == restored), None)
    else:
        board = _sorted(board)
    # After a step the saves are not read again.
    context = _context(request, event, board) | {"saves": saves, "restored_from": restored_from}
    return page_or_partial(request, TEMPLATE, "board", context)


@requires("scouting.selection.view")
@pages.at_event
def changes(request: SignedInRequest, key: str) -> HttpResponse:
    """Polled by an open page every few seconds: 204 if it knows the newest version.

    The order on the page is unchanged; the response updates the taken teams, and says if somebody saved.
    """
    if selection.version_now(key) == small_number(request.GET.get("seen", ""), -1):
        return HttpResponse(status=204)
    event, saved = selection.read(key, strong=True)
    known_taken = set(filter(None, request.GET.get("taken", "").split(".")))
    board = Board(saved.picks, pick_list.order_from_form(request.GET.get("base", "")), saved)
    context = {
        "event": event,
        "board": board,
        "address": _changes_address(event, board),
        "ticked": [pick for pick in saved.picks if pick.taken != (pick.number in known_taken)],
    }
    return render(request, f"{TEMPLATE}#changes", context)


@requires("scouting.selection.view")
@pages.at_event
def report(request: SignedInRequest, key: str, kind: str) -> HttpResponseBase:
    """The saved list as a file: one column for each round."""
    _event, saved = selection.read(key)
    columns = presenters.filled_columns(saved.picks)
    titles = [
        f"{column.title}({len(column.picks)})" if column.key == UNSORTED else column.title
        for column in columns
    ]
    teams = [
        [f"{pick.number} - {pick.name}" for pick in column.picks if not pick.has_left] for column in columns
    ]
    rows = [cells(*line) for line in zip_longest(*teams)]
    return file_of(Sheet("team-selection", _("Team selection"), text_columns(*titles), rows), key, kind)


@requires("scouting.selection.view")
@pages.at_event
def sheet(request: SignedInRequest, key: str) -> HttpResponse:
    """The saved list for printing."""
    event, saved = selection.read(key)
    context = {"event": event, "saved": saved, "columns": presenters.filled_columns(saved.picks)}
    return render(request, "scouting/selection/print.html", context)


# --- Steps ------------------------------------------------------------------------------------------------


@requires("scouting.selection.update")
class ChangeBoard(FormPage[RefusableForm]):
    """One step on the board. The page holds the order until it is saved;
    taken teams are written immediately.

    A save or a tick takes three requests: the session, the event with its list, and the transaction.
    """

    http_method_names = ["post"]
    form_class = RefusableForm
    template = TEMPLATE
    partial = "board"
    success_message = gettext_lazy("Team selection saved.")

    def dispatch(self, request: SignedInRequest, /, *_args: Any, **_kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        return pages.with_event(self._at)(request)

    def _at(self, request: SignedInRequest, key: str) -> HttpResponseBase:
        self.event_key = key
        return super().dispatch(request)

    def load(self) -> None:
        """The board from the posted form, with the saved taken teams."""
        self.event, saved = selection.read(self.event_key, strong=True)
        posted, sort = self.request.POST, self.request.POST.get("sort", "")
        picks = pick_list.refreshed(pick_list.from_form(posted.getlist("pick")), self.event)
        self.board = Board(
            picks=pick_list.with_taken(picks, saved.taken),
            base=pick_list.order_from_form(posted.get("base", "")),
            saved=saved,
            sort=sort if sort in SORTS else BY_NUMBER,
        )
        self.verb, _colon, self.rest = posted.get("do", "").partition(":")
        self.about_clash: dict[str, Any] = {}

    def save(self) -> None:
        match self.verb:
            case "save":
                self._save()
            case "settle":
                # The merged order with the other side as winner, which the page posts with this choice.
                settled = pick_list.order_from_form(self.request.POST.get("settled", ""))
                self.board = replace(self.board, picks=pick_list.arranged(self.board.picks, settled))
                self._save()
            case "merge":
                self._merge()
            case "take" | "free":
                self._tick(self.rest, is_free=self.verb == "free")
            case "refresh":
                self._refresh()
            case verb:
                chosen = weights.from_form(self.request.POST)
                self.board = _stepped(self.event, self.board, verb, self.rest, chosen)

    def _save(self) -> None:
        user, sent = self.request.user, self.board
        saved = selection.save(user, self.event, sent.picks, base=sent.base, over=sent.saved, once=self.once)
        self._show_saved(saved)

    def _show_saved(self, saved: Saved) -> None:
        board = replace(self.board, picks=saved.picks, base=saved.order, saved=saved, focus="save")
        self.board = _sorted(board)

    def _merge(self) -> None:
        """Merge the order of the page with what others saved since."""
        sent = self.board
        merge = pick_merge.merged(sent.base, pick_list.order_of(sent.picks), sent.saved.order)
        if merge.clashes:
            raise Clash(sent.saved)
        said = _("The changes by %(name)s are now in your list.") % {"name": sent.saved.by or "?"}
        self.board = _sorted(replace(_with_order(sent, self.event, merge.order), said=said, focus="save"))

    def _tick(self, number: str, *, is_free: bool) -> None:
        sent = self.board
        saved = selection.take(self.request.user, self.event, number, over=sent.saved, is_free=is_free)
        said = _("%(team)s is free.") if is_free else _("%(team)s is taken.")
        self.board = replace(
            sent,
            picks=pick_list.with_taken(sent.picks, saved.taken),
            saved=saved,
            said=said % {"team": number},
            focus=f"take-{number}",
        )

    def _refresh(self) -> None:
        """Fetch current ranks from The Blue Alliance; unsaved changes stay."""
        try:
            events.refresh(self.request.user, self.event.key)
            said = _("Ranks updated.")
        except (NotFound, Unavailable):
            raise
        except DataError as error:
            said = str(error.message)
        self.event = event_infos.read(self.event.key, strong=True)
        picks = pick_list.refreshed(self.board.picks, self.event)
        self.board = _sorted(replace(self.board, picks=picks, said=said, focus="refresh"))

    def shows_error(self, error: DataError) -> bool:
        return isinstance(error, Clash | KeyReused)

    def refuse(self, error: DataError) -> HttpResponse:
        if isinstance(error, Clash):
            self._ask_about(error.theirs)
            return self.show_error(error)
        said = _("This list was already saved in another order. Save again to keep this one.")
        self.board = replace(self.board, said=said)
        return self.show()

    def _ask_about(self, theirs: Saved) -> None:
        """Show both orders and the choice. All moves without a clash are already merged."""
        sent = self.board
        mine = pick_list.order_of(sent.picks)
        by_mine = pick_merge.merged(sent.base, mine, theirs.order)
        by_theirs = pick_merge.merged(sent.base, mine, theirs.order, winner=pick_merge.THEIRS)
        self.board = _sorted(_with_order(replace(sent, saved=theirs), self.event, by_mine.order))
        self.about_clash = {
            "theirs": theirs,
            "their_columns": presenters.columns_of(theirs.picks),
            "settled": pick_merge.written(by_theirs.order),
            "disagreements": presenters.disagreements(by_mine.clashes, mine, theirs.order),
        }

    def context(self) -> Mapping[str, Any]:
        return _context(self.request, self.event, self.board) | self.about_clash

    def done(self) -> HttpResponse:
        if self.verb not in ("save", "settle"):
            return self.show()
        if not is_htmx(self.request):
            return super().done()
        if self.is_replay:
            _event, saved = selection.read(self.event_key, strong=True)
            self._show_saved(saved)
        toasts.add(self.request, self.message())
        return self.show()

    def success_url(self) -> str:
        return f"{reverse('scouting:selection')}?event={self.event_key}"


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
            said = _("Unsorted teams reordered.")
            return _sorted(replace(sent, sort=rest, said=said, focus=f"sort-{rest}"), scores)
        case "seed":
            scores = weights.scores(event.key, chosen)
            picks = pick_list.seeded(sent.picks, scores, weights.SEEDED)
            said = _("The best unsorted teams are now in R1.")
            return _sorted(replace(sent, picks=picks, said=said, focus="column-r1"))
    raise Invalid


def _sorted(board: Board, scores: Mapping[str, float] | None = None) -> Board:
    """Sort the unsorted teams. By score only with `scores`; else they keep their order on the page."""
    if board.sort == BY_SCORE and scores is None:
        return board
    return replace(board, picks=pick_list.with_unsorted_by(board.picks, board.sort, scores or {}))


def _place_of(picks: Picks, number: str) -> str:
    pick = next(pick for pick in picks if pick.number == number)
    place = {
        "team": number,
        "place": pick_list.in_column(picks, pick.column).index(pick) + 1,
        "column": TITLES[pick.column],
    }
    return _("%(team)s is number %(place)d in “%(column)s”.") % place


def _with_order(board: Board, event: ScoutedEvent, order: Order) -> Board:
    """The board in an order that includes the saved list, which becomes its base."""
    known = {pick.number for pick in board.picks}
    others = [pick for pick in board.saved.picks if pick.number not in known]
    picks = pick_list.refreshed(pick_list.arranged((*board.picks, *others), order), event)
    return replace(board, picks=pick_list.with_taken(picks, board.saved.taken), base=board.saved.order)


# --- How it is shown --------------------------------------------------------------------------------------


def _context(request: SignedInRequest, event: ScoutedEvent, board: Board) -> dict[str, Any]:
    focus, columns = board.focus, []
    for column in presenters.columns_of(board.picks):
        picks = column.picks
        cards = [_card(each, event.key, focus if focus.endswith(f"-{each.number}") else "") for each in picks]
        columns.append(replace(column, cards=cards))
    return {
        "event": event,
        "board": board,
        "address": _changes_address(event, board),
        "columns": columns,
        "sorts": SORTS.items(),
        "weights": weights.from_form(request.POST),
        "seeded": weights.SEEDED,
        "once": new_id(),
        "is_htmx": is_htmx(request),
        "may_refresh": not event.is_own and client.is_set_up() and may(request.user, "scouting.event.update"),
    }


def _changes_address(event: ScoutedEvent, board: Board) -> str:
    """The polling URL, with the state that the page knows."""
    known = {
        "event": event.key,
        "seen": board.saved.version,
        "base": board.written_base,
        "taken": ".".join(pick.number for pick in board.saved.picks if pick.taken),
    }
    return f"{reverse('scouting:selection-changes')}?{urlencode(known)}"


@cached_by_language(512)
def _card(pick: Pick, event: str, focus: str) -> SafeString:
    """Cached: a step on the board changes few of sixty cards, each of which has ten buttons."""
    context = {"pick": pick, "event": event, "focus": focus, "targets": TITLES.items()}
    return render_to_string(f"{TEMPLATE}#card", context)
