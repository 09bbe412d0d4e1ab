"""The quest board: the list of quests, with search, filters and sorting."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from operator import attrgetter
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.http import page_or_partial
from core.crud.listing import Filter, ListBar, Sort, searched
from core.dynamo import search
from core.dynamo.paging import Page, StartKey, read_token
from quests import presenters, queries, repository, rules
from quests.models import OPEN, Quest

NEWEST, REWARD = "newest", "reward"
SORTS = (Sort(NEWEST, gettext_lazy("Newest first")), Sort(REWARD, gettext_lazy("Highest reward first")))
# Possible only in a search.
ANY_STATUS = ""


@dataclass(frozen=True)
class BoardFilter:
    """The filters of the query string; invalid values mean the default."""

    q: str = ""
    status: str = OPEN
    category: str = ""
    sort: str = NEWEST

    @classmethod
    def from_query(cls, data: Mapping[str, str]) -> "BoardFilter":
        text, status = searched(data.get("q", "")), data.get("status", "")
        category, sort = data.get("category", ""), data.get("sort", "")
        return cls(
            q=text,
            status=status if status in rules.STATUSES else ANY_STATUS if text else OPEN,
            category=category if category in rules.CATEGORIES else "",
            sort=sort if sort in (NEWEST, REWARD) else NEWEST,
        )

    @property
    def query(self) -> dict[str, str]:
        return {name: value for name, value in asdict(self).items() if value}

    def matches(self, quest: Quest) -> bool:
        return self.category in ("", quest.category) and self.status in (ANY_STATUS, quest.current_status)


@requires("quests.quest.view")
@require_safe
def board(request: SignedInRequest) -> HttpResponse:
    user, filters = request.user, BoardFilter.from_query(request.GET)
    token_scope = (user.sub, "quests:board", sorted(filters.query.items()))
    start = read_token(request.GET.get("after"), *token_scope)
    if filters.q:
        page = _search(filters, start)
    else:
        is_by_reward = filters.sort == REWARD
        page = queries.board_page(filters.status, filters.category, is_by_reward=is_by_reward, start=start)
    people = queries.participants_of(page.items, user.sub)
    token = page.next_token(*token_scope)
    context = {
        "bar": _bar(filters, _count_label(len(page.items), has_more=bool(token)), people.points(user.sub)),
        "cards": [presenters.card(quest, people) for quest in page.items],
        "is_first_page": start is None,
        "next_address": f"?{urlencode(filters.query | {'after': token})}" if token else "",
    }
    return page_or_partial(request, "quests/board.html", "more" if start else "results", context)


def _bar(board: BoardFilter, found: str, points: int | None) -> ListBar:
    usual = ANY_STATUS if board.q else OPEN
    statuses = [choice for choice in rules.STATUSES.items() if choice[0] != usual]
    status = Filter("status", _("Status"), statuses, usual=_("Any") if board.q else rules.STATUSES[OPEN])
    category = Filter("category", _("Category"), list(rules.CATEGORIES.items()))
    note = "" if points is None else ngettext("%d quest point", "%d quest points", points) % points
    return ListBar(
        address=reverse("quests:quest-list"),
        found=found,
        text=board.q,
        filters=[(status, "" if board.status == usual else board.status), (category, board.category)],
        sorts=SORTS,
        sort=next(sort for sort in SORTS if sort.name == board.sort),
        sorts_matches=True,
        note=note,
    )


def _search(filters: BoardFilter, start: StartKey | None) -> Page[Quest]:
    """Full-text search in title and description, open quests first."""
    found = search.search(
        filters.q,
        [repository.quests.scope],
        may_see=lambda _kept, _record: True,
        entities={repository.quests.entity},
        start=start,
    )
    quests = [hit.item for hit in found.hits if isinstance(hit.item, Quest) and filters.matches(hit.item)]
    order = "reward_xp" if filters.sort == REWARD else "created_at"
    quests.sort(key=attrgetter(order), reverse=True)
    quests.sort(key=lambda quest: quest.current_status != OPEN)
    return Page(quests, found.next_keys or None)


def _count_label(count: int, *, has_more: bool) -> str:
    if not count:
        return _("Nothing found so far") if has_more else _("Nothing found")
    label = ngettext("%d quest", "%d quests", count) % count
    return _("%s, and there are more") % label if has_more else label
