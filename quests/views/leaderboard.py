"""The leaderboard of a month."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from core.accounts.rights import SignedInRequest, requires
from core.crud.http import page_or_partial
from core.dynamo.attributes import now
from quests import queries, repository
from quests.models import MonthScore
from quests.months import first_day_of

MOST_LEADERS = 50
MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])", re.ASCII)


class Leader(NamedTuple):
    place: int
    key: str
    name: str
    experience: int
    completed: int


@requires("quests.account.view")
@require_safe
def leaders(request: SignedInRequest) -> HttpResponse:
    this_month = first_day_of(now())
    month = _selected_month(request.GET.get("month", ""), this_month)
    next_month = (month + timedelta(days=31)).replace(day=1)
    context = {
        "leaders": _ranked(repository.ledger.leaders(f"{month:%Y-%m}", limit=MOST_LEADERS)),
        "month": month,
        "earlier": (month - timedelta(days=1)).replace(day=1),
        "later": next_month if next_month <= this_month else None,
        "is_this_month": month == this_month,
        "most": MOST_LEADERS,
    }
    return page_or_partial(request, "quests/leaders.html", "board", context)


def _selected_month(text: str, this_month: date) -> date:
    """The requested month; an invalid or future one means the current month."""
    if not MONTH.fullmatch(text):
        return this_month
    return min(date.fromisoformat(f"{text}-01"), this_month)


def _ranked(scores: Iterable[MonthScore]) -> list[Leader]:
    """Equal XP means equal place; these are ordered by completed quests, then by name."""
    scores = list(scores)
    people = queries.participants(score.user_id for score in scores)
    ordered = sorted(
        scores,
        key=lambda score: (-score.experience, -score.quests_completed, people.name(score.user_id)),
    )
    totals = [score.experience for score in ordered]
    return [
        Leader(
            place=totals.index(score.experience) + 1,
            key=score.user_id,
            name=people.name(score.user_id),
            experience=int(score.experience),
            completed=int(score.quests_completed),
        )
        for score in ordered
    ]
