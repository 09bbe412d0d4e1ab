"""The board: what can be done for the club, the open quests first."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
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
from core.dynamo.paging import read_token, sign
from core.dynamo.queries import PageOptions
from quests import reading, repository, rules, telling
from quests.models import OPEN, Quest

NEWEST, REWARD = "newest", "reward"
SORTS: Mapping[str, Text] = {
    NEWEST: gettext_lazy("Newest first"),
    REWARD: gettext_lazy("Highest reward first"),
}
# In a search: quests in every state.
ANY = ""


@dataclass(frozen=True)
class Asked:
    """What somebody wants to see; what is no choice means the usual."""

    q: str = ""
    status: str = OPEN
    category: str = ""
    sort: str = NEWEST

    @classmethod
    def of(cls, data: Mapping[str, str]) -> "Asked":
        text, status = searched(data.get("q", "")), data.get("status", "")
        category, sort = data.get("category", ""), data.get("sort", "")
        return cls(
            q=text,
            status=status if status in rules.STATUSES else ANY if text else OPEN,
            category=category if category in rules.CATEGORIES else "",
            sort=sort if sort in SORTS else NEWEST,
        )

    @property
    def query(self) -> dict[str, str]:
        return {name: value for name, value in asdict(self).items() if value}

    def keeps(self, quest: Quest) -> bool:
        return self.category in ("", quest.category) and self.status in (ANY, quest.current_status)


@dataclass(frozen=True)
class Found:
    quests: Sequence[Quest]
    next_key: dict[str, Any] | None


@requires("quests.quest.view")
@require_safe
def board(request: SignedInRequest) -> HttpResponse:
    user, asked = request.user, Asked.of(request.GET)
    bound_to = (user.sub, "quests:board", sorted(asked.query.items()))
    start = read_token(request.GET.get("after"), *bound_to)
    found = _search(asked, start) if asked.q else _list(asked, start)
    people = reading.people_of(found.quests, user.sub)
    token = sign(found.next_key, *bound_to) if found.next_key else ""
    context = {
        "asked": asked,
        "cards": telling.cards(found.quests, people),
        "points": people.points(user.sub),
        "statuses": rules.STATUSES.items(),
        "categories": rules.CATEGORIES.items(),
        "sorts": SORTS.items(),
        "is_first_page": start is None,
        "is_narrowed": bool(asked.q or asked.category or asked.status != OPEN),
        "next_address": f"?{urlencode(asked.query | {'after': token})}" if token else "",
        "found": _how_many(len(found.quests), has_more=bool(token)),
    }
    return page_or_partial(request, "quests/board.html", "more" if start else "results", context)


def _list(asked: Asked, start: Any) -> Found:
    """One Query: by age or by reward. A category looks through at most 200 quests of the status.

    So does another Query, as long as there are offers whose time is over and that no sweep has ended.
    """
    options: PageOptions = {
        "newest_first": True,
        "start": start,
        "keep": asked.keeps if asked.category else None,
    }
    read = repository.quests.by_reward if asked.sort == REWARD else repository.quests.with_status
    page = read(asked.status, **options)
    if not all(map(asked.keeps, page.items)):
        page = read(asked.status, **(options | {"keep": asked.keeps}))
    return Found(page.items, page.next_key)


def _search(asked: Asked, start: Any) -> Found:
    """By words of the title and the description, in every state; the open ones come first."""
    found = search.search(
        asked.q,
        [repository.quests.scope],
        may_see=lambda _kept, _record: True,
        entities={repository.quests.entity},
        start=start,
    )
    quests = [hit.item for hit in found.hits if isinstance(hit.item, Quest) and asked.keeps(hit.item)]
    if asked.sort == REWARD:
        quests.sort(key=lambda quest: int(quest.reward_xp), reverse=True)
    else:
        quests.sort(key=lambda quest: quest.created_at, reverse=True)
    quests.sort(key=lambda quest: quest.current_status != OPEN)
    return Found(quests, found.next_keys or None)


def _how_many(count: int, *, has_more: bool) -> str:
    if not count:
        return _("Nothing found so far") if has_more else _("Nothing found")
    told = ngettext("%d quest", "%d quests", count) % count
    return _("%s, and there are more") % told if has_more else told
