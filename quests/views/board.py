"""The quest board: the list of quests, with search, filters and sorting."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from operator import attrgetter
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.http import page_or_partial
from core.crud.listing import searched
from core.dynamo import search
from core.dynamo.errors import Text
from core.dynamo.paging import Page, StartKey, read_token
from quests import presenters, queries, repository, rules
from quests.models import OPEN, Quest

NEWEST, REWARD = "newest", "reward"
SORTS: Mapping[str, Text] = {
    NEWEST: gettext_lazy("Newest first"),
    REWARD: gettext_lazy("Highest reward first"),
}
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
            sort=sort if sort in SORTS else NEWEST,
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
        "filters": filters,
        "cards": [presenters.card(quest, people) for quest in page.items],
        "points": people.points(user.sub),
        "statuses": rules.STATUSES.items(),
        "categories": rules.CATEGORIES.items(),
        "sorts": SORTS.items(),
        "is_first_page": start is None,
        "is_narrowed": bool(filters.q or filters.category or filters.status != OPEN),
        "next_address": f"?{urlencode(filters.query | {'after': token})}" if token else "",
        "found": _count_label(len(page.items), has_more=bool(token)),
    }
    return page_or_partial(request, "quests/board.html", "more" if start else "results", context)


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
